"""The trash of media: what is in it is nowhere else, and comes back as it was."""

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
from support.waiting import wait_until

ASSETS, VIDEOS = "/api/v1/media/assets", "/api/v1/media/videos"


def figures(client: Client, *names: str) -> list[int]:
    return [getattr(client.assets.stats(), name).count for name in names]


def test_a_trashed_asset_is_in_no_list_tag_count_search_and_link_and_comes_back_as_it_was(
    server: Server, client: Client, admin: httpx2.Client, web: httpx2.Client, tag: str
) -> None:
    point = FocalPoint(x=0.2, y=0.8)
    asset = client.uploads.image("a.png", png(), tags=[tag], title=tag, metadata={"m": tag}, focal_point=point)
    signed, count = client.delivery.url(asset.id).url, figures(client, "assets", "trash")
    assert asset.url is not None
    assert asset.thumbnail_url is not None
    assert web.get(asset.thumbnail_url).status_code == 200
    trashed = client.assets.trash(asset.id)
    assert (trashed.url, trashed.thumbnail_url, trashed.tags) == (None, None, (tag,))
    assert trashed.trashed_at is not None
    assert client.assets.trash(asset.id) == trashed == client.assets.get(asset.id)
    filters: list[dict[str, Any]] = [
        {"tags": tag}, {"q": tag}, {"metadata": ("m", tag)}, {"checksum": asset.checksum}, {"kind": "image"},
        {"sort": "filename"}, {"sort": "-size"}, {"sort": "-updatedAt"}, {"processing_status": "ready"}, {},
    ]  # fmt: skip
    for given in filters:
        assert asset.id not in [one.id for one in client.assets.list(limit=100, **given)], given
    assert [one.tag for one in client.assets.tags() if one.tag == tag] == []
    assert list(client.search(tag, types=["asset"])) == []
    assert figures(client, "assets", "trash") == [count[0] - 1, count[1] + 1]
    for url in (asset.url, asset.thumbnail_url, signed):
        assert error_of(web.get(url)) == (404, "not_found")
    assert next(iter(client.assets.list(trashed="only"))) == trashed
    back = client.assets.restore(asset.id)
    assert client.assets.restore(asset.id) == back
    assert [getattr(back, name) for name in asset.__struct_fields__ if name != "updated_at"] == [
        getattr(asset, name) for name in asset.__struct_fields__ if name != "updated_at"
    ]
    for given in filters:
        assert asset.id in [one.id for one in client.assets.list(limit=100, **given)], given
    assert [web.get(url).status_code for url in (asset.url, asset.thumbnail_url, signed)] == [200, 200, 200]
    assert figures(client, "assets", "trash") == count
    assert events(server, asset.id)[2:] == ["media.asset.updated"] * 2
    data_of(admin.delete(f"{ASSETS}/{asset.id}"))


def test_nothing_is_changed_in_the_trash(admin: httpx2.Client, client: Client, tag: str) -> None:
    asset, other = client.uploads.image("a.png", png(), tags=[tag]), client.uploads.image("b.png", png())
    client.assets.trash(asset.id)
    one = f"{ASSETS}/{asset.id}"
    refused = [
        admin.patch(one, json={"alt": "x"}),
        admin.post(f"{ASSETS}/batch-tags", json={"action": "add", "ids": [other.id, asset.id], "tags": ["x"]}),
        admin.post(f"{one}/namespaces", json={"allowedNamespaces": ["blog"]}),
        admin.post(f"{one}/copy", json={"spaceId": "own"}),
        admin.post(f"{ASSETS}/transfer", json={"ids": [asset.id], "spaceId": "own"}),
        admin.post(f"{one}/replace", json={
            "mimeType": "image/png", "originalName": "b.png", "size": 1, "imageData": "YQ==",
        }),
        admin.post("/api/v1/media/upload/presigned", json={"filename": "a", "size": 5, "assetId": asset.id}),
        admin.post(f"{one}/url", json={}),
        admin.get(f"{one}/resolve"),
        admin.post(f"{one}/versions/1/restore"),
        admin.post("/api/v1/taskapp/tasks", json={"title": "t", "attachments": [other.id, asset.id]}),
    ]  # fmt: skip
    for answer in refused:
        assert error_of(answer) == (409, "conflict"), answer.request.url
        assert "Restore it first" in message_of(answer)
    assert client.assets.get(other.id).tags == ()
    many = admin.post(f"{ASSETS}/urls", json={"ids": [asset.id, other.id]}).json()
    assert [url["assetId"] for url in many["data"]] == [other.id]
    assert [(one["id"], one["code"]) for one in many["meta"]["refused"]] == [(asset.id, "conflict")]
    data_of(admin.delete(one))
    assert error_of(admin.post(f"{one}/restore")) == (404, "not_found")


def test_bytes_that_were_announced_before_the_trash_are_its_next_version_there(
    client: Client, admin: httpx2.Client, web: httpx2.Client
) -> None:
    asset = client.uploads.file("latecomer.txt", b"one")
    address = client.uploads.presigned("latecomer.txt", 3, asset_id=asset.id).upload_url
    task = client.tasks.create("t", attachments=[asset.id])
    client.assets.trash(asset.id)
    count = figures(client, "assets", "trash")
    assert web.put(address, content=b"two").status_code < 300
    wait_until(lambda: client.assets.get(asset.id).version == 2)
    trashed = client.assets.get(asset.id)
    assert (trashed.trashed_at is not None, trashed.url, trashed.processing_status) == (True, None, "ready")
    assert asset.id not in [one.id for one in client.assets.list(limit=100)]
    assert list(client.search("latecomer.txt", types=["asset"])) == []
    assert figures(client, "assets", "trash") == count
    # It is still known in the trash where it is used.
    assert [use["taskId"] for use in data_of(admin.get(f"{ASSETS}/{asset.id}/usage"))] == [task.id]
    back = client.assets.restore(asset.id)
    assert back.url is not None
    assert web.get(back.url).content == b"two"
    assert [one["version"] for one in data_of(admin.get(f"{ASSETS}/{asset.id}/versions"))] == [1]
    data_of(admin.delete(f"{ASSETS}/{asset.id}"))


def test_the_list_of_the_trash_takes_no_filters(admin: httpx2.Client) -> None:
    for path in (ASSETS, VIDEOS):
        for given in ({"tags": "a"}, {"q": "a"}, {"sort": "-size"}, {"createdAfter": "5"}):
            answer = admin.get(path, params={"trashed": "only", **given})
            assert error_of(answer) == (400, "invalid_parameter")
            assert next(iter(given)) in message_of(answer)
        assert error_of(admin.get(path, params={"trashed": "true"})) == (400, "invalid_parameter")
        data_of(admin.get(path, params={"trashed": "only", "spaceId": "own", "limit": 1}))


def test_the_trash_is_listed_latest_first_page_by_page(client: Client) -> None:
    ids = [client.uploads.file(f"{n}.txt", b"x").id for n in range(5)]
    order = [ids[2], ids[0], ids[4], ids[1], ids[3]]
    for asset_id in order:
        client.assets.trash(asset_id)
    assert [asset.id for asset in client.assets.list(trashed="only", limit=2)][:5] == order[::-1]
    client.assets.batch_delete(ids)


def test_many_are_trashed_and_restored_at_once(client: Client) -> None:
    ids = [client.uploads.file(f"{n}.txt", b"x").id for n in range(3)]
    nobody = "ast_01hf7yat000000000000000000"
    done = client.assets.batch_trash([*ids, ids[0], nobody])
    assert (done.trashed, done.missing) == (3, (nobody,))
    assert all(client.assets.get(each).trashed_at for each in ids)
    back = client.assets.batch_restore([*ids[:2], nobody])
    assert (back.restored, back.missing) == (2, (nobody,))
    with pytest.raises(errors.TooManyItems):
        client.assets.batch_trash([nobody.replace("at", f"{n:02}") for n in range(101)])
    assert client.assets.batch_delete(ids).deleted == 3


def test_the_same_photo_can_be_sent_again_and_its_bytes_stay_for_it(
    server: Server, client: Client, web: httpx2.Client
) -> None:
    data = png()
    first = client.uploads.image("a.png", data)
    client.assets.trash(first.id)
    second = client.uploads.image("a.png", data)
    assert [asset.id for asset in client.assets.list(checksum=second.checksum)] == [second.id]
    client.assets.delete(first.id)
    assert second.url is not None
    assert web.get(second.url).content == data
    before = stored_keys(server)
    client.assets.trash(second.id)
    assert stored_keys(server) == before
    client.assets.delete(second.id)
    wait_until(lambda: len(stored_keys(server)) < len(before))


def test_a_token_that_may_not_write_trashes_nothing(server: Server, issue: Issue, client: Client) -> None:
    asset = client.uploads.file("a.txt", b"x")
    with httpx2.Client(base_url=server.origin, headers=bearer(issue(owner="eve", scopes=["media:read"]))) as reader:
        for word in ("trash", "restore"):
            assert error_of(reader.post(f"{ASSETS}/{asset.id}/{word}")) == (403, "insufficient_scope")
    assert client.assets.get(asset.id).trashed_at is None


def test_a_trashed_video_is_nowhere_and_comes_back(client: Client, admin: httpx2.Client, tag: str) -> None:
    video = client.videos.create(tag, tags=[tag], size=100, metadata={"m": tag})
    count = figures(client, "videos", "trash")
    trashed = client.videos.trash(video.id)
    assert trashed.trashed_at is not None
    assert client.videos.trash(video.id) == trashed
    filters: list[dict[str, Any]] = [{}, {"tags": tag}, {"q": tag}, {"metadata": ("m", tag)}, {"sort": "title"}]
    for given in filters:
        assert video.id not in [one.id for one in client.videos.list(limit=100, **given)], given
    assert figures(client, "videos", "trash") == [count[0] - 1, count[1] + 1]
    assert next(iter(client.videos.list(trashed="only"))).id == video.id
    one = f"{VIDEOS}/{video.id}"
    for answer in (
        admin.patch(one, json={"title": "x"}),
        admin.post(f"{one}/finalize"),
        admin.post(f"{one}/poster", json={"time": 1}),
        admin.post(f"{one}/captions", json={"language": "en", "text": "WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n"}),
        admin.post(f"{one}/transfer", json={"spaceId": "own"}),
        admin.post(f"{VIDEOS}/{video.provider_video_id}/signed-url", json={}),
    ):
        assert error_of(answer) == (409, "conflict"), answer.request.url
    back = client.videos.restore(video.id)
    assert (back.trashed_at, back.tags, back.metadata, back.status) == (None, video.tags, video.metadata, video.status)
    for given in filters:
        assert video.id in [one.id for one in client.videos.list(limit=100, **given)], given
    client.videos.trash(video.id)
    client.videos.delete(video.id)
    assert error_of(admin.post(f"{one}/restore")) == (404, "not_found")
