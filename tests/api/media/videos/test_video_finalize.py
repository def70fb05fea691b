"""From bytes to a video: what finalize takes, what it refuses, and what it does only once."""

import secrets
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from stowboard.blobs.keys import BlobKey
from stowboard_client import AsyncClient, Client, Video, errors
from support.api.answers import data_of, error_of, message_of
from support.media.video_files import IMPOSTORS, video_file
from support.servers.stowboard import Server
from support.servers.worker import make_due, working
from support.stored.blobs import put_back, stored_keys, taken
from support.stored.events import events
from support.stored.renditions import add_rendition
from support.stored.rows import rows
from support.waiting import PATIENCE_SECONDS, wait_until

pytestmark = pytest.mark.cluster_in_soak

VIDEOS = "/api/v1/media/videos"
TUS = {"tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream"}


def send(web: httpx2.Client, video: Video, offset: int, content: bytes) -> int:
    """One PATCH; the offset after it."""
    assert video.tus_upload_url is not None
    answer = web.patch(video.tus_upload_url, headers={**TUS, "upload-offset": str(offset)}, content=content)
    assert answer.status_code == 204, answer.text
    return int(answer.headers["upload-offset"])


def finalized(client: Client, content: bytes) -> Video:
    video = client.videos.create("Harbour", size=len(content))
    assert video.tus_upload_url is not None
    client.videos.send(video.tus_upload_url, content)
    return client.videos.finalize(video.id)


def test_a_finalized_video_has_its_bytes_and_is_processed(server: Server, client: Client, web: httpx2.Client) -> None:
    content = video_file()
    video = client.videos.create("Harbour", size=len(content), mime_type="video/quicktime")
    half = len(content) // 2
    send(web, video, 0, content[:half])
    on_the_way = client.videos.get(video.id)
    assert (on_the_way.status, on_the_way.size) == ("uploading", None)
    assert (on_the_way.upload.offset, on_the_way.upload.length) == (half, len(content))
    send(web, video, half, content[half:])
    arrived = client.videos.get(video.id)
    assert (arrived.status, arrived.size, arrived.finalized_at) == ("uploading", len(content), None)
    done = client.videos.finalize(video.id)
    assert done.status == "processing"
    assert done.processing is not None
    assert (done.size, done.mime_type) == (len(content), "video/mp4")
    assert done.finalized_at is not None
    assert done.finalized_at >= video.created_at
    ready = client.videos.wait_until_ready(video.id, PATIENCE_SECONDS)
    assert (ready.width, ready.height, ready.error) == (64, 36, None)
    assert ready.duration == pytest.approx(1.0, abs=0.3)
    assert ready.poster_url is not None
    wait_until(lambda: client.videos.get(video.id).processing is None)
    assert events(server, video.id) == [
        f"media.video.{what}" for what in ("created", "uploaded", "processing", "ready", "completed")
    ]


def test_webm_is_a_video_too(client: Client) -> None:
    assert finalized(client, video_file(container="webm")).mime_type == "video/webm"


def test_a_second_finalize_changes_nothing(server: Server, client: Client) -> None:
    first = finalized(client, video_file())
    second = client.videos.finalize(first.id)
    assert second.finalized_at == first.finalized_at
    wait_until(lambda: client.videos.get(first.id).processing is None)
    assert client.videos.finalize(first.id) == client.videos.get(first.id)
    assert events(server, first.id).count("media.video.ready") == 1


def test_many_finalizes_at_once_are_one(server: Server, admin: httpx2.Client, client: Client) -> None:
    content = video_file()
    video = client.videos.create("Harbour", size=len(content))
    assert video.tus_upload_url is not None
    client.videos.send(video.tus_upload_url, content)
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: admin.post(f"{VIDEOS}/{video.id}/finalize"), range(6)))
    assert len({data_of(answer)["finalizedAt"] for answer in answers}) == 1
    client.videos.wait_until_ready(video.id, PATIENCE_SECONDS)
    assert events(server, video.id).count("media.video.ready") == 1


def test_the_outcome_is_replayed_under_its_key(admin: httpx2.Client, client: Client) -> None:
    video, key = finalized(client, video_file()), {"idempotency-key": secrets.token_hex(8)}
    first, second = (admin.post(f"{VIDEOS}/{video.id}/finalize", headers=key) for _ in range(2))
    assert data_of(first) == data_of(second)
    assert second.headers["idempotent-replayed"] == "true"


def test_progress_is_the_mean_over_the_ladder(idle_server: Server, idle: Client) -> None:
    video = finalized(idle, video_file())
    assert video.processing is not None
    assert video.processing.progress == 0
    for name, progress in (("240p", 100), ("360p", 21)):
        add_rendition(idle_server, video, name, progress=progress)
    [listed] = idle.videos.list(limit=1).page().items
    assert listed.id == video.id
    assert listed.processing is not None
    assert listed.processing.progress == 60


def test_an_upload_without_a_byte_is_incomplete(admin: httpx2.Client, client: Client) -> None:
    for video in (client.videos.create("Harbour"), client.videos.create("Harbour", size=10)):
        answer = admin.post(f"{VIDEOS}/{video.id}/finalize")
        assert error_of(answer) == (409, "upload_incomplete")
        assert "offset 0" in message_of(answer)
        assert client.videos.get(video.id).status == "awaiting_upload"


def test_an_incomplete_upload_is_told_what_is_missing_and_goes_on(
    admin: httpx2.Client, client: Client, web: httpx2.Client
) -> None:
    content, key = video_file(), {"idempotency-key": secrets.token_hex(8)}
    video = client.videos.create("Harbour", size=len(content))
    send(web, video, 0, content[:700])
    answer = admin.post(f"{VIDEOS}/{video.id}/finalize", headers=key)
    assert error_of(answer) == (409, "upload_incomplete")
    assert f"offset 700, length {len(content)}" in message_of(answer)
    send(web, video, 700, content[700:])
    assert data_of(admin.post(f"{VIDEOS}/{video.id}/finalize", headers=key))["status"] == "processing"


def test_an_upload_of_unknown_length_ends_where_it_stands(client: Client, web: httpx2.Client) -> None:
    content = video_file()
    video = client.videos.create("Harbour")
    send(web, video, send(web, video, 0, content[:1000]), content[1000:])
    done = client.videos.finalize(video.id)
    assert (done.status, done.size) == ("processing", len(content))
    assert (done.upload.offset, done.upload.length) == (len(content), len(content))
    assert client.videos.wait_until_ready(video.id, PATIENCE_SECONDS).size == len(content)


@pytest.mark.parametrize("content", [pytest.param(content, id=name) for name, content in IMPOSTORS.items()])
def test_what_is_no_video_is_refused_and_says_so_for_good(
    server: Server, admin: httpx2.Client, client: Client, content: bytes
) -> None:
    with pytest.raises(errors.InvalidMedia):
        client.videos.upload(content, "Harbour")
    [video] = client.videos.list(limit=1).page().items
    assert video.status == "failed"
    assert video.error is not None
    assert video.error.code == "invalid_media"
    assert video.finalized_at is None
    assert error_of(admin.post(f"{VIDEOS}/{video.id}/finalize")) == (400, "invalid_media")
    assert events(server, video.id) == ["media.video.created", "media.video.uploaded", "media.video.failed"]
    client.videos.delete(video.id)


def test_an_empty_file_is_no_video(admin: httpx2.Client, client: Client, web: httpx2.Client) -> None:
    video = client.videos.create("Harbour")
    begun = web.post(str(video.tus_upload_url), headers={**TUS, "upload-length": "0"})
    assert begun.status_code == 201
    assert error_of(admin.post(f"{VIDEOS}/{video.id}/finalize")) == (400, "invalid_media")
    assert client.videos.get(video.id).status == "failed"


def test_bytes_that_were_lost_are_no_crash(
    server: Server, admin: httpx2.Client, client: Client, web: httpx2.Client
) -> None:
    video = client.videos.create("Harbour", size=len(video_file()))
    client.videos.send(str(video.tus_upload_url), video_file())
    [key] = blobs_of(server, video)
    content = taken(server, BlobKey(key))
    assert error_of(admin.post(f"{VIDEOS}/{video.id}/finalize")) == (409, "upload_incomplete")
    put_back(server, BlobKey(key), content)
    assert client.videos.finalize(video.id).status == "processing"


def test_a_terminated_upload_makes_the_video_expired(admin: httpx2.Client, client: Client, web: httpx2.Client) -> None:
    video = client.videos.create("Harbour", size=1000)
    send(web, video, 0, b"x" * 10)
    assert video.tus_upload_url is not None
    assert web.delete(video.tus_upload_url, headers=TUS).status_code == 204
    assert client.videos.get(video.id).status == "expired"
    assert error_of(admin.post(f"{VIDEOS}/{video.id}/finalize")) == (410, "upload_gone")
    assert client.videos.delete(video.id).deleted


def test_the_bytes_of_a_finalized_video_are_its_own(client: Client, web: httpx2.Client) -> None:
    video = client.videos.create("Harbour", size=len(video_file()))
    url = video.tus_upload_url
    assert url is not None
    client.videos.send(url, video_file())
    client.videos.finalize(video.id)
    known = web.head(url, headers=TUS)
    assert (known.status_code, known.headers["upload-offset"]) == (200, str(len(video_file())))
    assert error_of(web.delete(url, headers=TUS)) == (403, "upload_finalized")
    assert error_of(web.post(url, headers={**TUS, "upload-length": "5"})) == (403, "upload_finalized")
    ready = client.videos.wait_until_ready(video.id, PATIENCE_SECONDS)
    signed = client.videos.signed_url(video.provider_video_id)
    assert signed.mp4_url is not None
    assert web.get(signed.mp4_url).content == video_file()
    assert ready.size == len(video_file())


def test_an_upload_that_never_ends_makes_the_video_expired(
    idle_server: Server, idle: Client, web: httpx2.Client
) -> None:
    silent, begun = idle.videos.create("Harbour"), idle.videos.create("Harbour", size=1000)
    arrived = idle.videos.create("Harbour", size=len(video_file()))
    send(web, begun, 0, b"x" * 10)
    idle.videos.send(str(arrived.tus_upload_url), video_file())
    done = finalized(idle, video_file())
    subjects = ", ".join(f"'{video.id}'" for video in (silent, begun, arrived, done))
    rows(idle_server, f"UPDATE upload SET expires_at = 1 WHERE subject IN ({subjects})")
    make_due(idle_server, "media.expire_uploads")
    with working(idle_server):
        wait_until(lambda: {idle.videos.get(video.id).status for video in (silent, begun, arrived)} == {"expired"})
        assert idle.videos.wait_until_ready(done.id, PATIENCE_SECONDS).upload.offset == len(video_file())
    with pytest.raises(errors.UploadGone):
        idle.videos.finalize(begun.id)
    assert idle.videos.delete(begun.id).deleted


def test_a_deletion_takes_all_bytes_along(server: Server, client: Client, web: httpx2.Client) -> None:
    ready = client.videos.upload(video_file(), "Harbour", wait=60)
    unfinished = client.videos.create("Harbour", size=1000)
    send(web, unfinished, 0, b"x" * 10)
    arrived = client.videos.create("Harbour", size=len(video_file()))
    client.videos.send(str(arrived.tus_upload_url), video_file())
    wait_until(lambda: client.videos.get(ready.id).processing is None)
    keys = blobs_of(server, ready, unfinished, arrived)
    assert len(keys & stored(server)) == 7  # two files, a poster, a storyboard and three renditions
    for video in (ready, unfinished, arrived):
        client.videos.delete(video.id)
        assert rows(server, f"SELECT count(*) FROM upload WHERE subject = '{video.id}'") == [(0,)]
        assert rows(server, f"SELECT count(*) FROM video_rendition WHERE video_id = '{video.id}'") == [(0,)]
    assert web.head(str(unfinished.tus_upload_url), headers=TUS).status_code == 404
    wait_until(lambda: not keys & stored(server))


def test_a_deletion_ends_the_processing(idle_server: Server, idle: Client) -> None:
    video = finalized(idle, video_file())
    jobs = f"SELECT count(*) FROM job WHERE dedup LIKE '{video.id}%'"
    assert rows(idle_server, jobs) == [(1,)]
    idle.videos.delete(video.id)
    assert rows(idle_server, jobs) == [(0,)]


async def test_the_async_client_does_it_all_too(server: Server) -> None:
    async with AsyncClient(server.origin, server.admin_token) as client:
        video = await client.videos.upload(video_file(), "Harbour", piece=1000, wait=60)
        assert video.status == "ready"
        await client.videos.delete(video.id)


def blobs_of(server: Server, *videos: Video) -> set[str]:
    ids = ", ".join(f"'{video.id}'" for video in videos)
    found = rows(
        server,
        f"SELECT blob_key FROM upload WHERE subject IN ({ids}) UNION SELECT blob_key FROM video WHERE id IN ({ids})"
        f" UNION SELECT poster_key FROM video WHERE id IN ({ids})"
        f" UNION SELECT storyboard_key FROM video WHERE id IN ({ids})"
        f" UNION SELECT blob_key FROM video_rendition WHERE video_id IN ({ids})",
    )
    return {key for (key,) in found if key is not None}


def stored(server: Server) -> set[str]:
    return {key for kind in ("video", "rendition", "poster", "storyboard") for key in stored_keys(server, kind)}
