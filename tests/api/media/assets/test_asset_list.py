"""Lists of assets, their tags and their figures through the API."""

from typing import Any

import httpx2
import pytest

from stowboard_client import Asset, Client, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.credentials import Issue, bearer
from support.media.unique_images import png

ASSETS = "/api/v1/media/assets"
OTHER_FILTERS: list[dict[str, Any]] = [
    {}, {"tags": "y"}, {"kind": "file"}, {"mime_type": "image/*"}, {"visibility": "public"}, {"q": "a"},
    {"processing_status": "ready"}, {"created_after": 5}, {"created_before": 5}, {"sort": "createdAt"},
]  # fmt: skip


def upload(client: Client, tag: str, names: str, **members: Any) -> list[Asset]:
    """A file for each letter, larger from one to the next."""
    tags = [tag, *members.pop("tags", [])]
    return [
        client.uploads.file(f"{name}.txt", b"x" * (number + 1), tags=tags, **members)
        for number, name in enumerate(names)
    ]


def names(client: Client, **filters: Any) -> str:
    return "".join(asset.filename[0] for asset in client.assets.list(**filters))


def test_the_newest_comes_first_and_there_is_no_total(admin: httpx2.Client, client: Client, tag: str) -> None:
    upload(client, tag, "abc")
    answer = admin.get(ASSETS, params={"tags": tag})
    assert [asset["filename"] for asset in data_of(answer)] == ["c.txt", "b.txt", "a.txt"]
    assert answer.json()["meta"] == {"limit": 50, "hasMore": False, "nextCursor": None}
    assert data_of(admin.get(ASSETS, params={"tags": tag}))[0] == data_of(
        admin.get(f"{ASSETS}/{data_of(answer)[0]['id']}")
    )


def test_an_order_can_be_asked_for(client: Client, tag: str) -> None:
    b, *_ = upload(client, tag, "bca")
    client.assets.update(b.id, alt="changed last")
    orders = ("-createdAt", "createdAt", "-updatedAt", "filename", "-size")
    assert [names(client, tags=tag, sort=sort) for sort in orders] == ["acb", "bca", "bac", "abc", "acb"]
    assert [names(client, tags=tag, sort=sort, limit=1) for sort in orders] == ["acb", "bca", "bac", "abc", "acb"]


def test_all_of_the_given_tags_must_be_there(client: Client, tag: str) -> None:
    upload(client, tag, "a", tags=["x", "y"])
    upload(client, tag, "b", tags=["x"])
    assert [names(client, tags=tags) for tags in (tag, f"{tag},x", f"y,{tag},x", f"{tag},z")] == ["ba", "ba", "a", ""]
    assert names(client, tags=[tag, "y"]) == "a"
    assert names(client, tags=tag.upper()) == ""


def test_kind_and_type_are_filters(client: Client, tag: str) -> None:
    upload(client, tag, "a")
    client.uploads.image("b.png", png(), tags=[tag])
    assert names(client, tags=tag, kind="image") == "b"
    assert names(client, tags=tag, kind="file") == "a"
    assert names(client, tags=tag, mime_type="image/*") == "b"
    assert names(client, tags=tag, mime_type="IMAGE/png") == "b"
    assert names(client, tags=tag, mime_type="image/jpeg") == ""
    assert names(client, tags=tag, mime_type="text/plain") == "a"


def test_visibility_is_a_filter(client: Client, tag: str) -> None:
    upload(client, tag, "a")
    upload(client, tag, "b", visibility="protected")
    assert [names(client, tags=tag, visibility=one) for one in ("public", "protected")] == ["a", "b"]


def test_an_asset_without_bytes_is_listed_only_on_demand(client: Client, tag: str) -> None:
    upload(client, tag, "a")
    client.uploads.presigned("b.bin", 10, tags=[tag])
    assert names(client, tags=tag) == "a"
    assert names(client, tags=tag, processing_status="ready") == "a"
    for sort in ("-createdAt", "createdAt", "-updatedAt", "filename", "-size"):
        assert names(client, tags=tag, processing_status="pending", sort=sort) == "b"
    assert tag not in [one.tag for one in client.assets.tags() if one.count != 1]


def test_text_is_looked_for_in_names_title_and_alt_in_any_case(client: Client, tag: str) -> None:
    upload(client, tag, "a", title="100% Straße")
    upload(client, tag, "b", alt="At the HARBOUR")
    upload(client, tag, "c", original_name="IMG_1.txt")
    wanted = {"STRASSE": "a", "100%": "a", "harbour": "b", "img_1": "c", "imgx1": "", "b.t": "b", ".TXT": "cba"}
    assert {text: names(client, tags=tag, q=text) for text in wanted} == wanted


def test_times_of_creation_are_filters_to_the_millisecond(client: Client, tag: str) -> None:
    (a,) = upload(client, tag, "a")
    for sort in ("-createdAt", "-size"):
        found = [
            names(client, tags=tag, sort=sort, **{bound: a.created_at + shift})
            for bound in ("created_after", "created_before")
            for shift in (-1, 0, 1)
        ]
        assert found == ["a", "a", "", "", "", "a"]


def test_a_walk_sees_each_once_while_others_come_and_go(client: Client, tag: str) -> None:
    first = upload(client, tag, "abcdef")
    walk = iter(client.assets.list(tags=tag, limit=2))
    seen = [next(walk).filename[0]]
    upload(client, tag, "g")
    client.assets.delete(first[0].id)
    client.assets.update(first[2].id, filename="C.txt")
    assert "".join([*seen, *(asset.filename[0] for asset in walk)]) == "fedCb"


def test_a_cursor_is_for_its_own_filters(client: Client, tag: str) -> None:
    upload(client, tag, "ab")
    cursor = client.assets.list(tags=tag, limit=1).page().meta.next_cursor
    assert cursor is not None
    assert [asset.filename for asset in client.assets.list(tags=tag, limit=5).page(cursor).items] == ["a.txt"]
    for other in OTHER_FILTERS:
        with pytest.raises(errors.InvalidCursor):
            client.assets.list(**{"tags": tag, **other} if other and "tags" not in other else other).page(cursor)
    for wrong in ("", "x", cursor[:-1], cursor + "A", "é", cursor.replace(".", "..")):
        with pytest.raises(errors.InvalidCursor):
            client.assets.list(tags=tag).page(wrong)


def test_a_large_limit_is_cut_and_says_so(admin: httpx2.Client) -> None:
    assert admin.get(ASSETS, params={"limit": 1000}).json()["meta"]["limit"] == 100


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("limit", "0"), ("limit", "-1"), ("limit", "x"), ("sort", "taken"), ("sort", ""), ("kind", "video"),
        ("mimeType", "image"), ("mimeType", "*/*"), ("mimeType", "a/b; c"), ("visibility", "secret"),
        ("processingStatus", "done"), ("q", ""), ("q", "x" * 201), ("createdAfter", "yesterday"),
        ("createdBefore", "-1"), ("createdBefore", "253402300800000"), ("tags", ""), ("tags", " , "),
    ],
)  # fmt: skip
def test_a_wrong_filter_is_refused_and_named(admin: httpx2.Client, name: str, value: str) -> None:
    answer = admin.get(ASSETS, params={name: value})
    assert error_of(answer) == (400, "invalid_parameter")
    assert name in message_of(answer)


def test_reading_needs_its_scope(web: httpx2.Client, issue: Issue) -> None:
    token = issue(scopes=["tasks:write"])
    for path in (ASSETS, f"{ASSETS}/ast_1", "/api/v1/media/tags", "/api/v1/media/stats"):
        assert error_of(web.get(path, headers=bearer(token))) == (403, "insufficient_scope")
    assert error_of(web.get(ASSETS)) == (401, "missing_token")


def test_tags_are_counted_and_listed_in_their_order(client: Client, tag: str) -> None:
    upload(client, tag, "ab", tags=[tag + "b", tag + "a"])
    (c,) = upload(client, tag, "c", tags=[tag + "B"])
    counts = [(one.tag[len(tag) :], one.count) for one in client.assets.tags(limit=3) if one.tag.startswith(tag)]
    assert counts == [("", 3), ("B", 1), ("a", 2), ("b", 2)]
    client.assets.delete(c.id)
    assert tag + "B" not in [one.tag for one in client.assets.tags()]


def test_tags_of_assets_and_of_tasks_have_cursors_of_their_own(admin: httpx2.Client, client: Client, tag: str) -> None:
    upload(client, tag, "a", tags=[tag + "b"])
    cursor = client.assets.tags(limit=1).page().meta.next_cursor
    client.tasks.activate_index()
    assert error_of(admin.get("/api/v1/taskapp/tags", params={"cursor": cursor})) == (400, "invalid_cursor")
    assert error_of(admin.get(ASSETS, params={"cursor": cursor})) == (400, "invalid_cursor")


def test_figures_follow_what_is_there(client: Client, tag: str) -> None:
    before = client.assets.stats()
    (a,) = upload(client, tag, "a")
    client.uploads.presigned("b.bin", 10, tags=[tag])
    after = client.assets.stats()
    assert after.assets.count - before.assets.count == 2
    assert after.assets.bytes - before.assets.bytes == 1
    assert after.assets.by_kind["file"].count - before.assets.by_kind["file"].count == 2
    assert after.assets.by_status["pending"].count - before.assets.by_status["pending"].count == 1
    assert after.uploads.active - before.uploads.active == 1
    assert after.uploads.bytes - before.uploads.bytes == 10
    client.assets.delete(a.id)
    assert client.assets.stats().assets.by_status["ready"] == before.assets.by_status["ready"]


def test_figures_name_every_kind_and_status(admin: httpx2.Client) -> None:
    stats = data_of(admin.get("/api/v1/media/stats"))
    assert list(stats) == ["assets", "videos", "versions", "trash", "uploads", "storage"]
    assert list(stats["assets"]["byKind"]) == ["image", "file"]
    assert list(stats["assets"]["byStatus"]) == ["pending", "processing", "ready", "failed"]
    assert list(stats["videos"]["byStatus"]) == [
        "awaiting_upload", "uploading", "processing", "ready", "failed", "expired",
    ]  # fmt: skip


def test_who_uploads_again_can_tell_what_is_there(client: Client, tag: str) -> None:
    first, second = (client.uploads.file("a.txt", (tag + name).encode(), tags=[tag]) for name in "ab")
    assert first.checksum is not None
    assert second.checksum is not None
    for checksum in (first.checksum, "sha256:" + first.checksum.partition(":")[2].upper()):
        assert [one.id for one in client.assets.list(checksum=checksum)] == [first.id]
    others = [f"sha256:{number:064x}" for number in range(48)]
    assert list(client.assets.list(checksum=others)) == []
    both = [first.checksum, *others, second.checksum]
    assert [one.id for one in client.assets.list(checksum=both, limit=1)] == [second.id, first.id]
    assert [one.id for one in client.assets.list(checksum=both, tags=tag, sort="size")] == [first.id, second.id]
    with pytest.raises(errors.InvalidParameter, match="up to 50 of these"):
        list(client.assets.list(checksum=[*both, others[0]]))


def test_the_smallest_and_the_first_changed_come_first(client: Client, tag: str) -> None:
    made = [client.uploads.file("a.txt", b"x" * size, tags=[tag]) for size in (3, 1, 2)]
    assert [one.size for one in client.assets.list(tags=tag, sort="size", limit=1)] == [1, 2, 3]
    last = client.assets.update(made[0].id, alt="x")
    assert [one.id for one in client.assets.list(tags=tag, sort="updatedAt")][-1] == last.id
    changed = client.assets.list(tags=tag, sort="updatedAt", updated_after=last.updated_at)
    assert [one.id for one in changed] == [last.id]
