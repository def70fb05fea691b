"""Videos as rows of the API: created, listed, changed, deleted."""

import json
import secrets
from typing import Any

import httpx2
import pytest

from stowboard_client import Client, Video, errors
from support.api.answers import data_of, error_of, message_of
from support.clients.credentials import Issue, bearer
from support.servers.stowboard import Server
from support.stored.events import events
from support.stored.rows import rows

VIDEOS = "/api/v1/media/videos"
MEMBERS = [
    "id", "providerVideoId", "title", "tags", "status", "visibility", "size", "duration", "width", "height", "mimeType",
    "posterUrl", "upload", "processing", "error", "spaceId", "createdBy", "createdAt", "updatedAt", "finalizedAt",
    "metadata", "renditions", "captions", "trashedAt",
]  # fmt: skip


def titles(client: Client, **filters: Any) -> str:
    return "".join(video.title for video in client.videos.list(**filters))


def test_a_creation_answers_the_whole_video_and_where_its_bytes_go(server: Server, admin: httpx2.Client) -> None:
    answer = admin.post(f"{VIDEOS}/upload", json={"title": "  Harbour ", "tags": ["holiday"], "size": 1000})
    video = data_of(answer, 201)
    assert list(video) == [*MEMBERS, "tusUploadUrl"]
    assert video["tusUploadUrl"].startswith(f"{server.origin}/uploads/tus/")
    assert answer.headers["location"] == f"{server.base_url}/media/videos/{video['id']}"
    assert (video["title"], video["tags"], video["status"]) == ("Harbour", ["holiday"], "awaiting_upload")
    assert (video["visibility"], video["upload"]) == ("protected", {"offset": 0, "length": 1000})
    assert video["id"][4:] not in video["providerVideoId"]
    assert video["createdBy"] == data_of(admin.get(f"{VIDEOS}/{video['id']}"))["createdBy"]
    nothing_yet = ("size", "duration", "width", "height", "mimeType", "posterUrl", "processing", "error", "finalizedAt")
    assert [video[name] for name in nothing_yet] == [None] * len(nothing_yet)


def test_the_address_for_the_bytes_is_told_once(admin: httpx2.Client, client: Client) -> None:
    video = client.videos.create("Harbour")
    assert video.tus_upload_url is not None
    assert list(data_of(admin.get(f"{VIDEOS}/{video.id}"))) == MEMBERS
    assert "tusUploadUrl" not in admin.get(VIDEOS, params={"limit": 5}).text


def test_a_length_that_is_not_told_is_null(client: Client) -> None:
    assert client.videos.create("Harbour").upload.length is None


def test_what_the_client_says_of_it_is_kept(client: Client) -> None:
    video = client.videos.create("Harbour", visibility="public", mime_type="video/quicktime")
    assert (video.visibility, video.mime_type) == ("public", "video/quicktime")
    assert client.videos.get(video.id).visibility == "public"


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "body",
    [
        {}, {"title": ""}, {"title": "  \t "}, {"title": "x" * 256}, {"title": 7}, {"title": None},
        {"title": "x", "tags": "holiday"}, {"title": "x", "tags": ["a,b"]}, {"title": "x", "tags": [""]},
        {"title": "x", "size": 0}, {"title": "x", "size": -1},
        {"title": "x", "size": "5"}, {"title": "x", "size": 1.5}, {"title": "x", "visibility": "secret"},
        {"title": "x", "mimeType": "mp4"}, {"title": "x", "mimeType": "video/mp4\r\nx: y"},
    ],
    ids=str,
)  # fmt: skip
def test_a_wrong_member_is_refused(admin: httpx2.Client, body: dict[str, Any]) -> None:
    answer = admin.post(f"{VIDEOS}/upload", json=body)
    assert error_of(answer) == (400, "validation_failed")
    assert message_of(answer).split(":")[0].split("[")[0].split()[0] in (
        "title",
        "tags",
        "size",
        "visibility",
        "mimeType",
    )


@pytest.mark.parametrize("size", [51_200 * 1024 * 1024 + 1, 2**63, 10**30])
def test_a_size_beyond_the_limit_is_refused_at_once(admin: httpx2.Client, size: int) -> None:
    answer = admin.post(f"{VIDEOS}/upload", json={"title": "Harbour", "size": size})
    assert error_of(answer) == (413, "payload_too_large")
    assert "53687091200" in message_of(answer)


def test_a_repeated_creation_gives_the_same_address_and_no_copy_of_it_lies_open(
    server: Server, admin: httpx2.Client, tag: str
) -> None:
    key = {"idempotency-key": secrets.token_hex(8)}
    answers = [admin.post(f"{VIDEOS}/upload", json={"title": "Harbour", "tags": [tag]}, headers=key) for _ in range(2)]
    first, second = (data_of(answer, 201) for answer in answers)
    assert first == second
    assert answers[1].headers["idempotent-replayed"] == "true"
    secret = first["tusUploadUrl"].rpartition("/")[2]
    kept = rows(server, "SELECT body FROM idempotency WHERE body IS NOT NULL")
    assert kept
    assert not any(secret.encode() in bytes(body) for (body,) in kept)
    assert not rows(server, f"SELECT id FROM upload WHERE id = '{secret}' OR metadata = '{secret}'")


@pytest.mark.parametrize(
    "wrong", ["vid_", "vid_" + "0" * 26, "nothing", "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "%00", "%2e%2e"]
)
def test_what_is_not_there_is_not_found(admin: httpx2.Client, wrong: str) -> None:
    assert error_of(admin.get(f"{VIDEOS}/{wrong}")) == (404, "not_found")
    assert error_of(admin.patch(f"{VIDEOS}/{wrong}", json={"title": "x"})) == (404, "not_found")
    assert error_of(admin.delete(f"{VIDEOS}/{wrong}")) == (404, "not_found")
    assert error_of(admin.post(f"{VIDEOS}/{wrong}/finalize")) == (404, "not_found")
    assert error_of(admin.post(f"{VIDEOS}/{wrong}/signed-url")) == (404, "not_found")


def test_reading_and_writing_need_their_scopes(admin: httpx2.Client, client: Client, issue: Issue) -> None:
    video = client.videos.create("Harbour")
    stranger, reader, writer, deleter = (
        bearer(issue(scopes=[scope])) for scope in ("tasks:write", "media:read", "media:write", "media:delete")
    )  # fmt: skip
    one = f"{VIDEOS}/{video.id}"
    reads = [("GET", VIDEOS), ("GET", one), ("POST", f"{VIDEOS}/{video.provider_video_id}/signed-url")]
    writes = [("POST", f"{VIDEOS}/upload"), ("PATCH", one), ("DELETE", one), ("POST", f"{one}/finalize")]
    for method, path in [*reads, *writes]:
        assert error_of(admin.request(method, path, headers=stranger)) == (403, "insufficient_scope")
    for method, path in reads:
        assert admin.request(method, path, headers=reader).status_code == 200
    for method, path in writes:
        assert error_of(admin.request(method, path, headers=reader)) == (403, "insufficient_scope")
    assert admin.patch(one, headers=writer, json={"title": "Port"}).status_code == 200
    assert admin.delete(one, headers=deleter).status_code == 200


def test_the_library_is_one_for_all_and_says_who_made_what(server: Server, client: Client, issue: Issue) -> None:
    owner = "ann" + secrets.token_hex(4)
    with Client(server.origin, issue(owner).token) as ann:
        video = ann.videos.create("Harbour")
    assert client.videos.get(video.id).created_by == owner


def test_the_newest_comes_first_and_filters_must_all_hold(client: Client, tag: str) -> None:
    client.videos.create("a", tags=[tag], visibility="public")
    client.videos.create("b", tags=[tag, "x"])
    client.videos.create("c", tags=["x", tag], visibility="public")
    assert titles(client, tags=tag) == "cba"
    assert titles(client, tags=[tag, "x"]) == "cb"
    assert titles(client, tags=tag, visibility="public") == "ca"
    assert titles(client, tags=tag, status="awaiting_upload") == "cba"
    assert titles(client, tags=tag, status="ready") == ""
    assert titles(client, tags=tag, limit=1) == "cba"


def test_a_cursor_is_good_for_its_own_filters_alone(admin: httpx2.Client, client: Client, tag: str) -> None:
    for title in "abc":
        client.videos.create(title, tags=[tag])
    page = client.videos.list(tags=tag, limit=1).page()
    assert page.meta.has_more
    cursor = page.meta.next_cursor
    for query in ({"tags": "x"}, {"tags": tag, "status": "ready"}, {}, {"tags": tag, "visibility": "public"}):
        assert error_of(admin.get(VIDEOS, params={**query, "cursor": cursor})) == (400, "invalid_cursor")
    assert error_of(admin.get(VIDEOS, params={"tags": tag, "cursor": f"{cursor}x"})) == (400, "invalid_cursor")
    assert data_of(admin.get(VIDEOS, params={"tags": tag, "cursor": cursor, "limit": 1}))[0]["title"] == "b"


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize("query", [{"status": "done"}, {"visibility": "x"}, {"limit": 0}, {"tag": "a"}])
def test_a_wrong_filter_is_refused(admin: httpx2.Client, query: dict[str, Any]) -> None:
    assert error_of(admin.get(VIDEOS, params=query)) == (400, "invalid_parameter")


def test_a_change_keeps_what_it_omits(client: Client, tag: str) -> None:
    video = client.videos.create("Harbour", tags=[tag])
    renamed = client.videos.update(video.id, title=" Port ")
    assert (renamed.title, renamed.tags, renamed.visibility) == ("Port", (tag,), "protected")
    retagged = client.videos.update(video.id, tags=[])
    assert (retagged.title, retagged.tags) == ("Port", ())
    assert titles(client, tags=tag) == ""
    public = client.videos.update(video.id, visibility="public")
    assert (public.title, public.visibility) == ("Port", "public")
    assert client.videos.get(video.id) == public


def test_a_change_that_changes_nothing_leaves_no_trace(server: Server, client: Client) -> None:
    video = client.videos.create("Harbour", tags=["a"])
    same = client.videos.update(video.id, title="Harbour", tags=["a"], visibility="protected")
    assert same.updated_at == video.updated_at
    assert events(server, video.id) == ["media.video.created"]


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    "body", [{"title": None}, {"title": " "}, {"tags": [None]}, {"visibility": None}, {"visibility": "x"}]
)
def test_a_wrong_change_is_refused(admin: httpx2.Client, client: Client, body: dict[str, Any]) -> None:
    video = client.videos.create("Harbour")
    assert error_of(admin.patch(f"{VIDEOS}/{video.id}", json=body)) == (400, "validation_failed")
    assert client.videos.get(video.id) == _without_address(video)


def test_members_that_only_the_service_sets_are_ignored(admin: httpx2.Client, client: Client) -> None:
    video = client.videos.create("Harbour")
    body = {"status": "ready", "providerVideoId": "0" * 32, "createdBy": "eve", "posterUrl": "http://evil.example"}
    assert data_of(admin.patch(f"{VIDEOS}/{video.id}", json=body))["status"] == "awaiting_upload"
    assert client.videos.get(video.id) == _without_address(video)


def test_a_deleted_video_is_gone_with_its_upload(server: Server, client: Client, tag: str) -> None:
    video = client.videos.create("Harbour", tags=[tag])
    assert client.videos.delete(video.id).deleted
    with pytest.raises(errors.NotFound):
        client.videos.get(video.id)
    with pytest.raises(errors.NotFound):
        client.videos.delete(video.id)
    assert titles(client, tags=tag) == ""
    assert rows(server, f"SELECT count(*) FROM upload WHERE subject = '{video.id}'") == [(0,)]
    assert rows(server, f"SELECT count(*) FROM video_tag WHERE video_id = '{video.id}'") == [(0,)]


def test_what_happens_to_a_video_is_told_in_events(server: Server, client: Client) -> None:
    video = client.videos.create("Harbour")
    client.videos.update(video.id, title="Port")
    client.videos.delete(video.id)
    assert events(server, video.id) == ["media.video.created", "media.video.updated", "media.video.deleted"]
    [(data,)] = rows(server, f"SELECT data FROM event WHERE subject = '{video.id}' AND type = 'media.video.created'")
    assert json.loads(bytes(data)) == {
        "videoId": video.id, "providerVideoId": video.provider_video_id, "status": "awaiting_upload",
    }  # fmt: skip


def _without_address(video: Video) -> Video:
    members = {name: getattr(video, name) for name in video.__struct_fields__ if name != "tus_upload_url"}
    return Video(**members)


def test_if_match_lets_only_the_first_of_two_changes_through(admin: httpx2.Client, client: Client) -> None:
    created = client.videos.create("Harbour")
    changed = client.videos.update(created.id, title="one", if_match=created.etag)
    with pytest.raises(errors.PreconditionFailed):
        client.videos.update(created.id, title="two", if_match=created.etag)
    with pytest.raises(errors.PreconditionFailed):
        client.videos.delete(created.id, if_match=created.etag)
    assert client.videos.get(created.id) == changed
    told = admin.get(f"{VIDEOS}/{created.id}").headers["etag"]
    assert told.startswith(changed.etag[:-1]), "an answer's tag says which state it shows"
    again = client.videos.update(created.id, title="three", if_match=told)
    assert admin.get(f"{VIDEOS}/{created.id}", headers={"if-none-match": told}).status_code == 200
    assert client.videos.update(created.id, title="four", if_match="*").title == "four"
    assert (
        error_of(admin.patch(f"{VIDEOS}/{created.id}", json={"title": "x"}, headers={"if-match": again.etag}))[0] == 412
    )
    assert client.videos.delete(created.id, if_match=client.videos.get(created.id).etag).deleted


def test_videos_are_filtered_by_dates_and_put_in_order_as_assets_are(client: Client, tag: str) -> None:
    made = [client.videos.create(title, tags=[tag]) for title in "BCA"]
    client.videos.update(made[0].id, metadata={"a": "b"})
    tomorrow = made[-1].created_at + 24 * 3600 * 1000
    assert titles(client, tags=tag, created_after=tomorrow) == ""
    assert titles(client, tags=tag, created_before=made[0].created_at) == ""
    assert titles(client, tags=tag, created_after=made[0].created_at, created_before=tomorrow) == "ACB"
    assert titles(client, tags=tag, updated_after=client.videos.get(made[0].id).updated_at) == "B"
    orders = {"-createdAt": "ACB", "createdAt": "BCA", "-updatedAt": "BAC", "updatedAt": "CAB", "title": "ABC"}
    assert {sort: titles(client, tags=tag, sort=sort, limit=2) for sort in orders} == orders


def test_videos_are_put_in_the_order_of_their_sizes_and_those_without_one_come_last(client: Client, tag: str) -> None:
    made = [client.videos.create(title, tags=[tag]) for title in "BCAD"]
    for video, size in zip(made, (9, 5), strict=False):
        assert video.tus_upload_url
        client.videos.send(video.tus_upload_url, b"x" * size)
    orders = {"-size": "BCDA", "size": "CBDA"}
    for limit in (1, 3):
        assert {sort: titles(client, tags=tag, sort=sort, limit=limit) for sort in orders} == orders
