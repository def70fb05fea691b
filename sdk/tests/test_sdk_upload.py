"""`upload`: what happens when the connection breaks."""

from typing import Any

import pytest
from both_faces import Face, settled
from scripted_server import Answer, HangUp, ScriptedServer, data, error
from test_sdk_assets import ASSET

from stowboard_client import errors
from stowboard_client.media import upload_by_size

READY = ASSET | {"processingStatus": "ready", "processingError": None}
FILE = b"0123456789"


@pytest.fixture(autouse=True)
def _few_bytes_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload_by_size, "INLINE", 4)


def announced(server: ScriptedServer) -> Answer:
    return data({
        "id": "ast_1", "uploadUrl": f"{server.url}/put", "method": "PUT", "headers": {}, "expiresAt": 9,
        "tusUploadUrl": f"{server.url}/tus",
    }, status=201)  # fmt: skip


def at(offset: int) -> Answer:
    return Answer(200, b"", {"upload-offset": str(offset), "upload-length": "10"})


def takes(*extensions: str) -> Answer:
    """The installation's answer to what is an image."""
    return data({
        "baseUrl": "", "transformClasses": [], "imageTypes": [], "imageExtensions": list(extensions),
        "inlineBytes": 9, "presignedBytes": 9, "videoBytes": 9, "trashDays": 9,
        "lists": {"page": 1, "largestPage": 1, "ids": 1, "tags": 1},
        "signedUrls": {"defaultSeconds": 1, "shortestSeconds": 1, "longestSeconds": 1},
        "tus": {"version": "1.0.0", "extensions": [], "checksumAlgorithms": []},
    })  # fmt: skip


async def upload(face: Face) -> Any:
    return await settled(face.client().upload(FILE, filename="a.bin", kind="file", wait=None))


async def test_the_installation_is_asked_once_what_is_an_image(face: Face, server: ScriptedServer) -> None:
    server.will(takes(".odd"), *[data(READY, status=201)] * 4)
    client = face.client()
    for name in ("a.ODD", "b.jpg", "c.odd"):
        await settled(client.with_options(retries=1).upload(b"abc", filename=name))
    await settled(client.upload(b"abc", filename="d.odd", kind="file"))
    assert [one.path.removeprefix("/api/v1/media/") for one in server.seen] == [
        "cdn", "upload/image", "upload/file", "upload/image", "upload/file",
    ]  # fmt: skip


@pytest.mark.parametrize("trouble", [HangUp(), error(503, "service_unavailable"), error(409, "conflict")])
async def test_a_put_that_breaks_off_goes_on_in_pieces(face: Face, server: ScriptedServer, trouble: Any) -> None:
    server.will(announced(server), trouble, at(0), at(10), data(READY))
    assert (await upload(face)).id == "ast_1"
    assert [one.method for one in server.seen] == ["POST", "PUT", "HEAD", "PATCH", "GET"]
    assert server.seen[3].body == FILE


async def test_a_put_whose_answer_was_lost_is_not_sent_again(face: Face, server: ScriptedServer) -> None:
    server.will(announced(server), HangUp(), at(10), data(READY))
    assert (await upload(face)).id == "ast_1"
    assert [one.method for one in server.seen] == ["POST", "PUT", "HEAD", "GET"]


async def test_a_put_that_is_refused_is_not_tried_otherwise(face: Face, server: ScriptedServer) -> None:
    server.will(announced(server), error(400, "checksum_mismatch"))
    with pytest.raises(errors.ApiError, match="checksum_mismatch"):
        await upload(face)
    assert [one.method for one in server.seen] == ["POST", "PUT"]
