"""One asset through the API: read, changed, deleted."""

import hashlib
from typing import Any

import httpx2
import pytest

from stowboard_client import Client, FocalPoint, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.credentials import Issue, bearer
from support.media.unique_images import png
from support.servers.stowboard import Server
from support.stored.blobs import stored_keys
from support.stored.events import events
from support.stored.rows import rows
from support.waiting import wait_until

ASSETS = "/api/v1/media/assets"
MEMBERS = [
    "id", "kind", "filename", "originalName", "url", "thumbnailUrl", "tags", "mimeType", "size", "checksum", "width",
    "height", "alt", "title", "focalPoint", "placeholder", "processingStatus", "processingError", "visibility",
    "allowedNamespaces", "version", "spaceId", "createdBy", "createdAt", "updatedAt", "replacedAt", "metadata",
    "takenAt", "camera", "location", "frames", "pages", "duration", "preview", "trashedAt",
]  # fmt: skip
NOBODY = "ast_01hf7yat000000000000000000"


def test_an_asset_has_all_members_always(admin: httpx2.Client, client: Client) -> None:
    image, file = client.uploads.image("a.png", png(40, 30)), client.uploads.file("b.txt", b"hello")
    pending = client.uploads.presigned("c.bin", 5)
    for asset_id in (image.id, file.id, pending.id):
        assert list(data_of(admin.get(f"{ASSETS}/{asset_id}"))) == MEMBERS
    found = client.assets.get(file.id)
    assert found == file
    assert found.checksum == "sha256:" + hashlib.sha256(b"hello").hexdigest()
    assert (client.assets.get(pending.id).url, client.assets.get(pending.id).checksum) == (None, None)


@pytest.mark.parametrize("asset_id", [NOBODY, "ast_1", "tsk_01hf7yat000000000000000000", "%F0%9F%98%80", "x" * 300])
def test_what_does_not_exist_is_not_found(admin: httpx2.Client, asset_id: str) -> None:
    answers = [
        admin.get(f"{ASSETS}/{asset_id}"),
        admin.patch(f"{ASSETS}/{asset_id}", json={"alt": "x"}),
        admin.delete(f"{ASSETS}/{asset_id}"),
    ]
    assert [error_of(answer) for answer in answers] == [(404, "not_found")] * 3
    assert len({answer.content for answer in answers}) == 1


def test_a_change_keeps_what_it_does_not_name(client: Client, tag: str) -> None:
    asset = client.uploads.file("a.txt", b"a", tags=[tag, "x"], alt="Alt", title="Title")
    changed = client.assets.update(asset.id, title="Other")
    assert (changed.title, changed.alt, changed.tags, changed.filename) == ("Other", "Alt", (tag, "x"), "a.txt")
    assert (changed.version, changed.url, changed.created_at) == (1, asset.url, asset.created_at)
    assert changed.updated_at > asset.updated_at
    assert client.assets.get(asset.id) == changed


def test_null_for_a_choice_names_what_can_be_chosen(admin: httpx2.Client, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"text")
    answer = admin.patch(f"/api/v1/media/assets/{asset.id}", json={"visibility": None})
    assert error_of(answer) == (400, "validation_failed")
    assert message_of(answer) == "visibility: expected one of public, protected, got null."


def test_null_clears_what_can_be_empty(client: Client) -> None:
    asset = client.uploads.image("a.png", png(), alt="Alt", title="T", focal_point=FocalPoint(x=0, y=1), tags=["x"])
    changed = client.assets.update(asset.id, alt=None, title=None, focal_point=None, tags=[])
    assert (changed.alt, changed.title, changed.focal_point, changed.tags) == (None, None, None, ())


def test_a_change_that_changes_nothing_leaves_no_trace(server: Server, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"a", tags=["x"])
    assert client.assets.update(asset.id, filename="a.txt", tags=["x"], visibility="public") == asset
    assert client.assets.update(asset.id) == asset
    assert "media.asset.updated" not in events(server, asset.id)


def test_a_change_and_a_deletion_are_told(server: Server, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"a")
    client.assets.update(asset.id, alt="x")
    client.assets.delete(asset.id)
    assert events(server, asset.id)[-2:] == ["media.asset.updated", "media.asset.deleted"]


def test_a_filename_is_cleaned_and_shows_in_the_address(client: Client) -> None:
    asset = client.uploads.file("a.txt", b"a")
    changed = client.assets.update(asset.id, filename="../../etc/pass<wd> ü.txt")
    assert changed.filename == "passwd ü.txt"
    assert changed.original_name == "a.txt"
    assert changed.url is not None
    assert changed.url.endswith("/passwd%20%C3%BC.txt")


def test_tags_are_trimmed_and_each_once(client: Client) -> None:
    asset = client.uploads.file("a.txt", b"a")
    assert client.assets.update(asset.id, tags=[" b ", "a", "b"]).tags == ("b", "a")


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "member"),
    [
        ({"filename": None}, "filename"), ({"filename": 3}, "filename"), ({"filename": "x" * 1001}, "filename"),
        ({"alt": 1}, "alt"), ({"alt": "x" * 2001}, "alt"), ({"title": "x" * 501}, "title"),
        ({"tags": ["a,b"]}, "tags"), ({"tags": [""]}, "tags"), ({"tags": ["x" * 65]}, "tags"), ({"tags": "a"}, "tags"),
        ({"tags": ["a\nb"]}, "tags"), ({"tags": [None]}, "tags"),
        ({"focalPoint": {"x": 1.1, "y": 0}}, "focalPoint"), ({"focalPoint": {"x": -0.1, "y": 0}}, "focalPoint"),
        ({"focalPoint": {"x": 0}}, "focalPoint"), ({"focalPoint": [0, 0]}, "focalPoint"),
        ({"visibility": None}, "visibility"), ({"visibility": "hidden"}, "visibility"),
    ],
)  # fmt: skip
def test_a_wrong_member_is_refused_and_named(
    admin: httpx2.Client, client: Client, body: dict[str, Any], member: str
) -> None:
    asset = client.uploads.file("a.txt", b"a", tags=["x"])
    answer = admin.patch(f"{ASSETS}/{asset.id}", json={"alt": "changed", **body})
    assert error_of(answer) == (400, "validation_failed")
    assert member in message_of(answer)
    assert client.assets.get(asset.id) == asset


def test_members_that_are_not_to_be_changed_are_ignored(admin: httpx2.Client, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"a")
    body = {"id": NOBODY, "size": 9, "version": 9, "createdBy": "me", "blob_key": "x", "allowedNamespaces": []}
    assert data_of(admin.patch(f"{ASSETS}/{asset.id}", json=body))["id"] == asset.id
    assert client.assets.get(asset.id) == asset


def test_an_asset_that_was_made_protected_is_not_served_any_more(web: httpx2.Client, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"abc")
    assert asset.url is not None
    assert web.get(asset.url).content == b"abc"
    signed = client.delivery.url(asset.id)
    assert web.get(signed.url).content == b"abc"
    client.assets.update(asset.id, visibility="protected")
    assert web.get(asset.url).status_code == 404
    assert web.get(signed.url).status_code == 404, "a signed URL of before ends with the visibility"
    assert web.get(client.delivery.url(asset.id).url).content == b"abc"


def test_a_focal_point_gives_crops_another_address(web: httpx2.Client, client: Client) -> None:
    asset = client.uploads.image("a.png", png(400, 100))
    before = client.delivery.resolve(asset.id, transform_class="thumbnail").url
    client.assets.update(asset.id, focal_point=FocalPoint(x=0.0, y=0.5))
    after = client.delivery.resolve(asset.id, transform_class="thumbnail").url
    assert before != after
    assert web.get(after).status_code == 200


def test_if_match_lets_only_the_first_of_two_changes_through(admin: httpx2.Client, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"a")
    assert admin.get(f"{ASSETS}/{asset.id}").headers["etag"] == asset.etag
    changed = client.assets.update(asset.id, alt="one", if_match=asset.etag)
    with pytest.raises(errors.PreconditionFailed):
        client.assets.update(asset.id, alt="two", if_match=asset.etag)
    with pytest.raises(errors.PreconditionFailed):
        client.assets.delete(asset.id, if_match=asset.etag)
    assert client.assets.get(asset.id) == changed
    assert client.assets.delete(asset.id, if_match=changed.etag).deleted


def test_every_change_has_an_etag_of_its_own(client: Client) -> None:
    asset = client.uploads.file("a.txt", b"a")
    etags = {client.assets.update(asset.id, alt=str(n)).etag for n in range(20)}
    assert len(etags | {asset.etag}) == 21


def test_a_deletion_takes_the_bytes_with_it(server: Server, web: httpx2.Client, client: Client) -> None:
    asset = client.uploads.file("a.txt", hashlib.sha256(server.origin.encode()).digest())
    assert asset.url is not None
    signed = client.delivery.url(asset.id).url
    ((key,),) = rows(server, f"SELECT blob_key FROM asset WHERE id = '{asset.id}'")
    assert client.assets.delete(asset.id).id == asset.id
    assert [web.get(address).status_code for address in (asset.url, signed)] == [404, 404]
    with pytest.raises(errors.NotFound):
        client.assets.get(asset.id)
    wait_until(lambda: key not in stored_keys(server))


def test_bytes_that_another_asset_has_stay(web: httpx2.Client, client: Client, tag: str) -> None:
    first, second = (client.uploads.file(name, tag.encode()) for name in ("a.txt", "b.txt"))
    client.assets.delete(first.id)
    assert second.url is not None
    assert web.get(second.url).content == tag.encode()


def test_an_upload_to_a_deleted_asset_has_nowhere_to_go(web: httpx2.Client, client: Client) -> None:
    pending = client.uploads.presigned("a.bin", 3)
    client.assets.delete(pending.id)
    assert web.put(pending.upload_url, content=b"abc", headers=dict(pending.headers)).status_code in (404, 410)
    head = web.head(pending.tus_upload_url, headers={"tus-resumable": "1.0.0"})
    assert head.status_code in (404, 410)
    with pytest.raises(errors.NotFound):
        client.assets.get(pending.id)


def test_a_repeated_deletion_replays_under_its_key_and_is_not_found_without(client: Client) -> None:
    asset = client.uploads.file("a.txt", b"a")
    for _ in range(2):
        assert client.assets.delete(asset.id, idempotency_key=f"delete-{asset.id}").deleted
    with pytest.raises(errors.NotFound):
        client.assets.delete(asset.id)


def test_the_library_is_one_for_all_owners_and_writing_needs_its_scope(
    web: httpx2.Client, client: Client, issue: Issue
) -> None:
    asset = client.uploads.file("a.txt", b"a")
    reader = bearer(issue("bob", scopes=["media:read"]))
    assert data_of(web.get(f"{ASSETS}/{asset.id}", headers=reader))["id"] == asset.id
    for answer in (
        web.patch(f"{ASSETS}/{asset.id}", headers=reader, json={"alt": "x"}),
        web.delete(f"{ASSETS}/{asset.id}", headers=reader),
        web.post(f"{ASSETS}/batch-tags", headers=reader, json={"action": "add", "ids": [], "tags": []}),
        web.post(f"{ASSETS}/batch-delete", headers=reader, json={"ids": []}),
    ):
        assert error_of(answer) == (403, "insufficient_scope")
    writer = bearer(issue("bob", scopes=["media:write"]))
    assert (
        data_of(web.patch(f"{ASSETS}/{asset.id}", headers=writer, json={"alt": "x"}))["createdBy"] == asset.created_by
    )
