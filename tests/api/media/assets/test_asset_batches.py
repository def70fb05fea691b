"""Many assets at once: looked up, tagged, deleted."""

import threading
from typing import Any

import httpx2
import pytest

from stowboard_client import Client, errors
from support.api.answers import data_of, error_of, message_of

ASSETS = "/api/v1/media/assets"
NOBODY = "ast_01hf7yat000000000000000000"


def upload(client: Client, tag: str, names: str, **members: Any) -> list[str]:
    return [client.uploads.file(f"{name}.txt", tag.encode() + name.encode(), **members).id for name in names]


def test_assets_come_in_the_order_of_their_ids_in_the_request(client: Client, tag: str) -> None:
    a, b, c = upload(client, tag, "abc")
    found = client.assets.by_ids([c, NOBODY, a, "nonsense", c, b, NOBODY])
    assert [asset.id for asset in found.items] == [c, a, b]
    assert found.meta.missing == (NOBODY, "nonsense")
    assert found.items[1] == client.assets.get(a)


def test_no_ids_are_no_assets(client: Client) -> None:
    found = client.assets.by_ids([])
    assert (found.items, found.meta.missing) == ((), ())


def test_a_look_up_takes_a_token_that_only_reads(web: httpx2.Client, client: Client, tag: str) -> None:
    (a,) = upload(client, tag, "a")
    reader = client.tokens.create("bob", scopes=["media:read"])
    answer = web.post(f"{ASSETS}/by-ids", json={"ids": [a]}, headers={"authorization": f"Bearer {reader.token}"})
    assert [asset["id"] for asset in data_of(answer)] == [a]
    assert answer.json()["meta"] == {"missing": []}


@pytest.mark.parametrize("path", ["by-ids", "batch-tags", "batch-delete"])
def test_a_hundred_ids_are_taken_and_one_more_is_too_many(admin: httpx2.Client, path: str) -> None:
    rest = {"action": "add", "tags": ["x"]} if path == "batch-tags" else {}
    ids = [f"{NOBODY[:-3]}{n:03}" for n in range(101)]
    assert admin.post(f"{ASSETS}/{path}", json={"ids": ids[:100], **rest}).status_code == 200
    answer = admin.post(f"{ASSETS}/{path}", json={"ids": ids, **rest})
    assert error_of(answer) == (400, "too_many_items")
    assert "100" in message_of(answer)


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("path", ["by-ids", "batch-tags", "batch-delete"])
@pytest.mark.parametrize("ids", [None, "ast_1", {}, [1], [None], [["ast_1"]], "absent"])
def test_ids_are_an_array_of_strings(admin: httpx2.Client, path: str, ids: Any) -> None:
    body = {"ids": ids, "action": "add", "tags": ["x"]}
    if ids == "absent":
        del body["ids"]
    answer = admin.post(f"{ASSETS}/{path}", json=body)
    assert error_of(answer) == (400, "validation_failed")
    assert "ids" in message_of(answer)


def test_tags_are_added_behind_those_that_are_there(client: Client, tag: str) -> None:
    a, b = upload(client, tag, "a", tags=["x", "y"]) + upload(client, tag, "b")
    done = client.assets.batch_tags("add", [a, NOBODY, b, a], ["y", " z ", "z", tag])
    assert (done.updated, done.missing) == (2, (NOBODY,))
    assert [client.assets.get(one).tags for one in (a, b)] == [("x", "y", "z", tag), ("y", "z", tag)]
    assert [asset.id for asset in client.assets.list(tags=[tag, "z"])] == [b, a]


def test_tags_are_removed_where_they_are(client: Client, tag: str) -> None:
    a, b = upload(client, tag, "a", tags=["x", tag]) + upload(client, tag, "b", tags=["y"])
    unchanged = client.assets.get(b)
    assert client.assets.batch_tags("remove", [a, b], [tag, "nobody has this"]).updated == 2
    assert client.assets.get(a).tags == ("x",)
    assert client.assets.get(b) == unchanged
    assert [*client.assets.list(tags=tag)] == []


def test_too_many_tags_on_one_asset_leave_all_as_they_were(client: Client, tag: str) -> None:
    a, b = upload(client, tag, "a") + upload(client, tag, "b", tags=[str(n) for n in range(49)])
    with pytest.raises(errors.TooManyItems, match=b):
        client.assets.batch_tags("add", [a, b], ["49", tag])
    assert client.assets.get(a).tags == ()
    assert client.assets.batch_tags("add", [a, b], ["48", "49"]).updated == 2
    assert len(client.assets.get(b).tags) == 50


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "code", "member"),
    [
        ({"action": "set"}, "validation_failed", "action"), ({"action": None}, "validation_failed", "action"),
        ({"tags": ["a,b"]}, "validation_failed", "tags"), ({"tags": [" "]}, "validation_failed", "tags"),
        ({"tags": [5]}, "validation_failed", "tags"), ({"tags": "a"}, "validation_failed", "tags"),
        ({"tags": None}, "validation_failed", "tags"), ({"tags": ["x" * 65]}, "validation_failed", "tags"),
        ({"tags": [str(n) for n in range(51)]}, "too_many_items", "tags"),
    ],
)  # fmt: skip
def test_a_wrong_batch_of_tags_is_refused_and_the_member_named(
    admin: httpx2.Client, client: Client, tag: str, body: dict[str, Any], code: str, member: str
) -> None:
    (a,) = upload(client, tag, "a")
    answer = admin.post(f"{ASSETS}/batch-tags", json={"action": "add", "ids": [a], "tags": ["x"], **body})
    assert error_of(answer) == (400, code)
    assert member in message_of(answer)
    assert client.assets.get(a).tags == ()


def test_a_batch_of_assets_is_deleted_and_the_rest_is_named(client: Client, tag: str) -> None:
    a, b, c = upload(client, tag, "abc", tags=[tag])
    done = client.assets.batch_delete([b, "nonsense", NOBODY, a, b])
    assert (done.deleted, done.missing) == (2, ("nonsense", NOBODY))
    assert [asset.id for asset in client.assets.list(tags=tag)] == [c]
    assert client.assets.batch_delete([a, b]).deleted == 0


def test_a_batch_replays_under_its_key(client: Client, tag: str) -> None:
    ids = upload(client, tag, "ab")
    first = client.assets.batch_delete(ids, idempotency_key=f"delete-{tag}")
    assert client.assets.batch_delete(ids, idempotency_key=f"delete-{tag}") == first
    assert first.deleted == 2


def test_batches_at_once_over_the_same_assets_all_end_and_the_counts_are_true(client: Client, tag: str) -> None:
    """They touch the same rows in different orders; each asset is tagged by all and deleted once."""
    ids = upload(client, tag, "abcdef", tags=[tag])
    more = [f"{tag}{n}" for n in range(4)]
    deleted: list[int] = []

    def tagging(number: int) -> None:
        client.assets.batch_tags("add", ids[:: -1 if number % 2 else 1], [more[number], more[number - 1]])

    def deleting(number: int) -> None:
        deleted.append(client.assets.batch_delete(ids[number % 2 :][:4]).deleted)

    run_all(tagging)
    assert {one.tag: one.count for one in client.assets.tags() if one.tag.startswith(tag)} == dict.fromkeys(
        [tag, *more], 6
    )
    run_all(deleting)
    assert sum(deleted) == 5
    assert {one.tag: one.count for one in client.assets.tags() if one.tag.startswith(tag)} == dict.fromkeys(
        [tag, *more], 1
    )


def run_all(work: Any) -> None:
    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_videos_are_tagged_trashed_restored_and_deleted_with_assets(
    client: Client, admin: httpx2.Client, tag: str
) -> None:
    (asset,), video = upload(client, tag, "a"), client.videos.create("Harbour").id
    ids, nobody = [asset, video], "vid_01hf7yat000000000000000000"

    def batch(act: str, **rest: Any) -> Any:
        return data_of(admin.post(f"{ASSETS}/batch-{act}", json={"ids": [*ids, nobody], **rest}))

    def tags() -> list[tuple[str, ...]]:
        return [client.assets.get(asset).tags, client.videos.get(video).tags]

    def are_in_trash() -> list[bool]:
        return [client.assets.get(asset).trashed_at is not None, client.videos.get(video).trashed_at is not None]

    assert batch("tags", action="add", tags=[tag]) == {"updated": 2, "missing": [nobody]}
    assert tags() == [(tag,), (tag,)]
    assert batch("tags", action="remove", tags=[tag]) == {"updated": 2, "missing": [nobody]}
    assert tags() == [(), ()]
    assert batch("trash") == {"trashed": 2, "missing": [nobody]}
    assert are_in_trash() == [True, True]
    assert batch("restore") == {"restored": 2, "missing": [nobody]}
    assert are_in_trash() == [False, False]
    assert batch("delete") == {"deleted": 2, "missing": [nobody]}
    assert batch("delete") == {"deleted": 0, "missing": [*ids, nobody]}


def test_a_video_with_too_many_tags_keeps_a_batch_from_changing_anything(
    client: Client, admin: httpx2.Client, tag: str
) -> None:
    (asset,), video = upload(client, tag, "a"), client.videos.create("Harbour", tags=[f"t{n}" for n in range(50)]).id
    body = {"action": "add", "ids": [asset, video], "tags": [tag]}
    refused = admin.post(f"{ASSETS}/batch-tags", json=body)
    assert error_of(refused) == (400, "too_many_items")
    assert video in message_of(refused)
    assert client.assets.get(asset).tags == ()
