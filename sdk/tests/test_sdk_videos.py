"""Videos: what each operation asks, and an upload that goes on where it broke off."""

import io
from pathlib import Path
from typing import Any

import pytest
from both_faces import Face, collected, settled
from scripted_server import Answer, HangUp, ScriptedServer, data, error

from stowboard_client import UnreadableAnswer, Video, VideoFailed, errors

VIDEO = {
    "id": "vid_1", "providerVideoId": "7f3c", "title": "Harbour", "tags": ["holiday"], "status": "processing",
    "visibility": "protected", "size": 10, "duration": None, "width": None, "height": None, "mimeType": "video/mp4",
    "posterUrl": None, "upload": {"offset": 10, "length": 10}, "processing": {"progress": 40}, "error": None,
    "createdBy": "ada", "createdAt": 1, "updatedAt": 2, "finalizedAt": 2,
}  # fmt: skip
READY = VIDEO | {"status": "ready", "duration": 62.5, "processing": None}
META = {"nextCursor": None, "hasMore": False, "limit": 50}
FILE = b"0123456789"


def at(offset: int, length: int | None = 10) -> Answer:
    """The answer to HEAD and PATCH of an upload."""
    told = {"upload-length": str(length)} if length is not None else {"upload-defer-length": "1"}
    return Answer(200, b"", {"upload-offset": str(offset), **told})


def created(server: ScriptedServer) -> Answer:
    return data({**VIDEO, "status": "awaiting_upload", "tusUploadUrl": f"{server.url}/uploads/tus/secret"}, status=201)


def asked(server: ScriptedServer) -> list[str]:
    """Method and last part of the path of each request, and for bytes where they begin and what they are."""
    return [
        f"{one.method} {one.path.rpartition('/')[2]}"
        + (f" {one.headers['upload-offset']} {one.body.decode()}" if one.method == "PATCH" else "")
        for one in server.seen
    ]


async def test_every_operation_asks_for_what_it_is_called(face: Face, server: ScriptedServer) -> None:
    gone = data({"id": "vid_1", "deleted": True})
    server.will(created(server), data([VIDEO], META), data(VIDEO), data(VIDEO), gone, data(VIDEO), data(_signed()))
    videos = face.client().videos
    made = await settled(videos.create("Harbour", tags=["holiday"], size=10))
    assert isinstance(made, Video)
    assert (made.tus_upload_url, made.upload.length) == (f"{server.url}/uploads/tus/secret", 10)
    [listed] = await collected(videos.list(status="ready", tags=["a", "b"], visibility="public"))
    assert (listed.processing.progress, listed.tus_upload_url) == (40, None)
    await settled(videos.get("vid_1"))
    await settled(videos.update("vid_1", visibility="public"))
    await settled(videos.delete("vid_1"))
    await settled(videos.finalize("vid_1"))
    assert (await settled(videos.signed_url("7f3c", expires_in=60))).hls_url is None
    assert [(one.method, one.path.removeprefix("/api/v1/media/videos")) for one in server.seen] == [
        ("POST", "/upload"), ("GET", ""), ("GET", "/vid_1"), ("PATCH", "/vid_1"), ("DELETE", "/vid_1"),
        ("POST", "/vid_1/finalize"), ("POST", "/7f3c/signed-url"),
    ]  # fmt: skip
    assert server.seen[0].json == {"title": "Harbour", "tags": ["holiday"], "size": 10}
    assert server.seen[1].query == {"status": ["ready"], "tags": ["a,b"], "visibility": ["public"]}
    assert server.seen[3].json == {"visibility": "public"}
    assert server.seen[6].json == {"expiresIn": 60}


@pytest.mark.parametrize("kind", ["bytes", "path", "text", "file"])
async def test_an_upload_creates_sends_in_pieces_and_finalizes(
    face: Face, server: ScriptedServer, tmp_path: Path, kind: str
) -> None:
    path = tmp_path / "clip.mp4"
    path.write_bytes(FILE)
    source: Any = {"bytes": FILE, "path": path, "text": str(path), "file": io.BytesIO(FILE)}[kind]
    server.will(created(server), at(0), at(4), at(8), at(10), data(VIDEO))
    video = await settled(face.client().videos.upload(source, "Harbour", piece=4))
    assert video.status == "processing"
    assert asked(server) == [
        "POST upload", "HEAD secret", "PATCH secret 0 0123", "PATCH secret 4 4567", "PATCH secret 8 89",
        "POST finalize",
    ]  # fmt: skip
    assert server.seen[0].json["size"] == 10
    assert server.seen[2].headers["content-type"] == "application/offset+octet-stream"
    assert all("authorization" not in one.headers for one in server.seen[1:5])
    assert all(one.headers["tus-resumable"] == "1.0.0" for one in server.seen[1:5])


@pytest.mark.parametrize(
    "trouble",
    [HangUp(), error(503, "service_unavailable"), error(409, "conflict"), error(423, "upload_locked"), error(500, "x")],
)
async def test_after_trouble_the_server_is_asked_how_far_it_is(
    face: Face, server: ScriptedServer, trouble: Answer | HangUp
) -> None:
    server.will(at(0), at(4), trouble, at(6), at(10))
    await settled(face.client().videos.send(f"{server.url}/uploads/tus/secret", FILE, piece=4))
    assert asked(server) == [
        "HEAD secret", "PATCH secret 0 0123", "PATCH secret 4 4567", "HEAD secret", "PATCH secret 6 6789",
    ]  # fmt: skip
    assert len(face.naps) == 1


async def test_an_upload_that_has_all_is_left_alone(face: Face, server: ScriptedServer) -> None:
    server.will(at(10))
    await settled(face.client().videos.send(f"{server.url}/uploads/tus/secret", FILE))
    assert asked(server) == ["HEAD secret"]


async def test_a_length_that_was_never_told_is_told(face: Face, server: ScriptedServer) -> None:
    server.will(at(10, None), at(10))
    await settled(face.client().videos.send(f"{server.url}/uploads/tus/secret", FILE))
    assert asked(server) == ["HEAD secret", "PATCH secret 10 "]
    assert server.seen[1].headers["upload-length"] == "10"


async def test_trouble_without_a_byte_of_progress_ends_it(face: Face, server: ScriptedServer) -> None:
    server.will(at(0), *[error(503, "service_unavailable"), at(0)] * 9)
    with pytest.raises(errors.ServiceUnavailable):
        await settled(face.client().with_options(retries=2).videos.send(f"{server.url}/uploads/tus/secret", FILE))
    assert len(server.seen) == 6


async def test_progress_earns_new_patience(face: Face, server: ScriptedServer) -> None:
    for offset in range(10):
        server.will(at(offset), error(503, "service_unavailable"))
    server.will(at(10))
    await settled(face.client().with_options(retries=1).videos.send(f"{server.url}/uploads/tus/secret", FILE))
    assert len(face.naps) == 10


async def test_what_does_not_pass_is_raised_at_once(face: Face, server: ScriptedServer) -> None:
    server.will(Answer(410, b""))
    with pytest.raises(errors.UploadGone):
        await settled(face.client().videos.send(f"{server.url}/uploads/tus/secret", FILE))
    assert len(server.seen) == 1


async def test_another_file_than_the_upload_is_of_is_refused(face: Face, server: ScriptedServer) -> None:
    server.will(at(0, 11))
    with pytest.raises(ValueError, match="11 bytes"):
        await settled(face.client().videos.send(f"{server.url}/uploads/tus/secret", FILE))


@pytest.mark.parametrize("answers", [[Answer(200, b"")], [at(0), at(0)]], ids=["no offset", "no progress"])
async def test_a_server_that_is_none_of_ours_is_told_apart(
    face: Face, server: ScriptedServer, answers: list[Answer]
) -> None:
    server.will(*answers)
    with pytest.raises(UnreadableAnswer):
        await settled(face.client().videos.send(f"{server.url}/uploads/tus/secret", FILE))


async def test_waiting_ends_when_the_video_is_ready(face: Face, server: ScriptedServer) -> None:
    server.will(created(server), at(0), at(10), data(VIDEO), data(VIDEO), data(VIDEO), data(READY))
    video = await settled(face.client().videos.upload(FILE, "Harbour", wait=60))
    assert (video.status, video.duration) == ("ready", 62.5)
    assert face.naps == [0.25, 0.5]


async def test_waiting_for_a_video_that_failed_says_why(face: Face, server: ScriptedServer) -> None:
    server.will(data(VIDEO | {"status": "failed", "error": {"code": "malformed_video", "message": "Damaged."}}))
    with pytest.raises(VideoFailed, match="vid_1 is failed: malformed_video: Damaged") as raised:
        await settled(face.client().videos.wait_until_ready("vid_1"))
    assert raised.value.video.id == "vid_1"


async def test_waiting_has_an_end(face: Face, server: ScriptedServer) -> None:
    server.will(data(VIDEO))
    with pytest.raises(TimeoutError, match="processing"):
        await settled(face.client().videos.wait_until_ready("vid_1", 0))


def _signed() -> dict[str, Any]:
    return {
        "url": "u", "expiresAt": 1, "status": "processing", "providerVideoId": "7f3c", "hlsUrl": None, "mp4Url": "m",
        "posterUrl": None,
    }  # fmt: skip
