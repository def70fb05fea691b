"""Uploads to an address of their own: announced with a token, sent without one, once, and exactly as announced."""

import hashlib
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from io import BytesIO
from typing import Any

import httpx2
import pytest

from stowboard_client import AssetFailed, AsyncClient, Client, errors
from support.api.answers import data_of, error_of
from support.clients.raw_connection import RawConnection
from support.media.unique_images import jpeg, png, svg
from support.servers.stowboard import Server
from support.stored.blobs import stored_keys
from support.stored.events import events
from support.stored.rows import rows
from support.waiting import PATIENCE_SECONDS, wait_until

PRESIGNED = "/api/v1/media/upload/presigned"
MOST_TRIES = 20


def sha256(data: bytes) -> str:
    return f"sha256:{hashlib.sha256(data).hexdigest()}"


def put(web: httpx2.Client, url: str, data: bytes | Iterator[bytes]) -> httpx2.Response:
    return web.put(url, content=data)


def expire(server: Server, asset_id: str) -> None:
    rows(server, f"UPDATE upload SET expires_at = 1 WHERE subject = '{asset_id}'")


def test_announced_bytes_become_an_asset(server: Server, client: Client, web: httpx2.Client) -> None:
    data = secrets.token_bytes(100_000)
    upload = client.uploads.presigned("backup.bin", len(data), tags=["big"], visibility="public", checksum=sha256(data))
    assert (upload.method, upload.headers) == ("PUT", {"Content-Type": "application/octet-stream"})
    assert upload.upload_url.startswith(f"{server.origin}/uploads/put/")
    assert upload.tus_upload_url.startswith(f"{server.origin}/uploads/tus/")
    pending = client.assets.get(upload.id)
    assert (pending.processing_status, pending.url, pending.checksum) == ("pending", None, None)
    assert upload.id not in {asset.id for asset in client.assets.list(tags=["big"])}
    sent = data_of(web.put(upload.upload_url, content=data, headers=dict(upload.headers)))
    assert (sent["id"], sent["processingStatus"] in ("processing", "ready")) == (upload.id, True)
    asset = client.uploads.wait_until_ready(upload.id)
    assert (asset.kind, asset.filename, asset.tags, asset.size) == ("file", "backup.bin", ("big",), len(data))
    assert (asset.checksum, asset.version, asset.replaced_at) == (sha256(data), 1, None)
    assert asset.url is not None
    assert web.get(asset.url).content == data
    assert events(server, asset.id) == ["media.asset.created", "media.asset.ready"]


def test_an_image_gets_all_that_an_inline_one_has(client: Client) -> None:
    data = jpeg(50, 40)
    upload = client.uploads.presigned("photo.jpg", len(data), mime_type="image/jpeg")
    client.uploads.put(upload, data)
    asset = client.uploads.wait_until_ready(upload.id)
    assert (asset.kind, asset.width, asset.height, asset.mime_type) == ("image", 50, 40, "image/jpeg")
    assert asset.placeholder is not None


@pytest.mark.parametrize(
    ("announced", "kind"),
    [
        ({"filename": "a.png"}, "image"),
        ({"filename": "a", "mimeType": "image/webp"}, "image"),
        ({"filename": "a.png", "mimeType": "application/zip"}, "file"),
        ({"filename": "a.png", "kind": "file"}, "file"),
        ({"filename": "a.svg"}, "file"),
        ({"filename": "a.txt", "kind": "image"}, "image"),
    ],
)
def test_the_kind_is_what_was_said_or_what_type_and_name_suggest(
    client: Client, admin: httpx2.Client, announced: dict[str, Any], kind: str
) -> None:
    upload = data_of(admin.post(PRESIGNED, json=announced | {"size": 5}), 201)
    assert client.assets.get(upload["id"]).kind == kind


@pytest.mark.parametrize("data", [b"hello", svg(), png(200, 200)[:-100]])
def test_what_is_no_image_fails_as_one(server: Server, client: Client, web: httpx2.Client, data: bytes) -> None:
    before = stored_keys(server)
    upload = client.uploads.presigned("photo.png", len(data))
    assert put(web, upload.upload_url, data).status_code == 200
    with pytest.raises(AssetFailed, match="invalid_media"):
        client.uploads.wait_until_ready(upload.id)
    failed = client.assets.get(upload.id)
    assert (failed.url, failed.checksum, failed.version) == (None, None, 1)
    wait_until(lambda: not stored_keys(server) - before)


def test_the_address_works_once(client: Client, web: httpx2.Client) -> None:
    upload = client.uploads.presigned("a.txt", 5)
    assert put(web, upload.upload_url, b"hello").status_code == 200
    assert error_of(put(web, upload.upload_url, b"other")) == (409, "conflict")
    assert client.uploads.wait_until_ready(upload.id).checksum == sha256(b"hello")


def test_of_two_puts_at_once_one_wins_and_its_bytes_are_whole(server: Server, client: Client) -> None:
    size, before = 300_000, stored_keys(server)
    upload = client.uploads.presigned("a.bin", size)
    start, statuses = threading.Barrier(4), []

    def send(letter: bytes) -> None:
        with httpx2.Client() as http:
            start.wait()
            statuses.append(http.put(upload.upload_url, content=iter([letter * 1000] * 300)).status_code)

    threads = [threading.Thread(target=send, args=(letter,)) for letter in (b"a", b"b", b"c", b"d")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200, 409, 409, 409]
    asset = client.uploads.wait_until_ready(upload.id)
    assert asset.checksum in {sha256(letter * size) for letter in (b"a", b"b", b"c", b"d")}
    assert len(stored_keys(server) - before) == 1


@pytest.mark.parametrize(
    "data", [b"hell", b"hello!", b"", iter([b"hel", b"l"]), iter([b"hello", b" you"]), iter([b""])]
)
def test_bytes_of_another_size_are_refused_and_the_upload_can_be_tried_again(
    server: Server, client: Client, web: httpx2.Client, data: bytes | Iterator[bytes]
) -> None:
    upload, before = client.uploads.presigned("a.txt", 5), stored_keys(server)
    assert error_of(put(web, upload.upload_url, data)) == (400, "size_mismatch")
    assert stored_keys(server) <= before
    assert client.assets.get(upload.id).processing_status == "pending"
    assert put(web, upload.upload_url, iter([b"he", b"llo"])).status_code == 200
    assert client.uploads.wait_until_ready(upload.id).size == 5


def test_a_connection_that_breaks_leaves_nothing_and_the_upload_can_be_tried_again(
    server: Server, client: Client, web: httpx2.Client
) -> None:
    upload, before = client.uploads.presigned("a.bin", 200_000), stored_keys(server)
    path = upload.upload_url.removeprefix(server.origin)
    for length in ("content-length: 200000", "transfer-encoding: chunked"):
        with RawConnection(server.port) as connection:
            body = b"10000\r\n" + b"x" * 65536 + b"\r\n" if "chunked" in length else b"x" * 65536
            connection.send(f"PUT {path} HTTP/1.1\r\nhost: a\r\n{length}\r\n\r\n".encode() + body)
            time.sleep(0.05)
    assert stored_keys(server) <= before
    assert put(web, upload.upload_url, b"y" * 200_000).status_code == 200
    assert client.uploads.wait_until_ready(upload.id).checksum == sha256(b"y" * 200_000)


def test_bytes_with_another_checksum_are_refused(server: Server, client: Client, web: httpx2.Client) -> None:
    upload = client.uploads.presigned("a.txt", 5, checksum=f"sha256:{sha256(b'hello')[7:].upper()}")
    before = stored_keys(server)
    assert error_of(put(web, upload.upload_url, b"HELLO")) == (460, "checksum_mismatch")
    assert stored_keys(server) <= before
    assert put(web, upload.upload_url, b"hello").status_code == 200


def test_an_address_that_has_expired_is_refused(server: Server, client: Client, web: httpx2.Client) -> None:
    upload = client.uploads.presigned("a.txt", 5)
    expire(server, upload.id)
    assert error_of(put(web, upload.upload_url, b"hello")) == (403, "signature_expired")


def test_an_upload_that_began_in_time_may_end_later(server: Server, client: Client) -> None:
    upload = client.uploads.presigned("a.txt", 5, expires_in=60)

    def slowly() -> Iterator[bytes]:
        yield b"he"
        wait_until(lambda: expiry(server, upload.id) > upload.expires_at)  # it has begun
        expire(server, upload.id)
        yield b"llo"

    with httpx2.Client() as http:
        assert http.put(upload.upload_url, content=slowly()).status_code == 200
    assert client.uploads.wait_until_ready(upload.id).size == 5


def test_an_upload_that_is_being_sent_is_kept_alive(server: Server, client: Client) -> None:
    upload = client.uploads.presigned("a.txt", 5, expires_in=60)
    seen: list[int] = []

    def slowly() -> Iterator[bytes]:
        yield b"he"
        wait_until(lambda: expiry(server, upload.id) > upload.expires_at)
        seen.append(expiry(server, upload.id))
        yield b"llo"

    with httpx2.Client() as http:
        assert http.put(upload.upload_url, content=slowly()).status_code == 200
    assert seen[0] > upload.expires_at + 300_000


def test_an_unknown_address_is_not_found(web: httpx2.Client, client: Client) -> None:
    video = client.videos.create("Harbour", size=5)
    assert video.tus_upload_url is not None
    of_a_video = video.tus_upload_url.rpartition("/")[2]
    for token in ("x", "a" * 43, of_a_video):
        assert error_of(web.put(f"/uploads/put/{token}", content=b"hello")) == (404, "not_found")
    assert error_of(web.get(f"/uploads/put/{of_a_video}")) == (405, "method_not_allowed")


def test_the_address_is_no_log_entry(server: Server, client: Client, web: httpx2.Client) -> None:
    upload = client.uploads.presigned("a.txt", 5)
    put(web, upload.upload_url, b"hello")
    wait_until(lambda: "/uploads/put/{token}" in server.log())
    assert upload.upload_url.rpartition("/")[2] not in server.log()


def test_other_bytes_for_an_asset_that_exists(client: Client, web: httpx2.Client) -> None:
    asset = client.uploads.image("a.png", png(), tags=["kept"], alt="Boats")
    data = png(21, 22)
    upload = client.uploads.presigned("b.png", len(data), asset_id=asset.id)
    assert upload.id == asset.id
    assert client.assets.get(asset.id) == asset
    client.uploads.put(upload, BytesIO(data))
    new = client.uploads.wait_until_ready(asset.id)
    assert (new.version, new.width, new.tags, new.alt, new.original_name) == (2, 21, ("kept",), "Boats", "b.png")
    assert asset.url is not None
    assert web.get(asset.url).content == data


def test_the_upload_for_a_deleted_asset_ends(server: Server, client: Client, web: httpx2.Client) -> None:
    asset = client.uploads.file("a.txt", b"x")
    pending = client.uploads.presigned("a.txt", 5)
    other = client.uploads.presigned("a.txt", 5, asset_id=asset.id)
    before = stored_keys(server)
    for upload in (pending, other):
        client.assets.delete(upload.id)
        assert error_of(put(web, upload.upload_url, b"hello"))[0] in (404, 410)
    assert stored_keys(server) <= before


@pytest.mark.cluster_in_soak(reason="what refuses it knows no database")
@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        ({}, (400, "validation_failed")),
        ({"filename": "a", "size": 0}, (400, "validation_failed")),
        ({"filename": "a", "size": -5}, (400, "validation_failed")),
        ({"filename": "a", "size": 1.5}, (400, "validation_failed")),
        ({"filename": "a", "size": 2**63}, (413, "payload_too_large")),
        ({"filename": "a", "size": 6 * 2**30}, (413, "payload_too_large")),
        ({"filename": "a", "size": 5, "kind": "video"}, (400, "validation_failed")),
        ({"filename": "a", "size": 5, "mimeType": "text/plain\r\nX: y"}, (400, "validation_failed")),
        ({"filename": "a", "size": 5, "mimeType": "text/plain\n"}, (400, "validation_failed")),
        ({"filename": "a", "size": 5, "mimeType": "text/plain;\rX: y"}, (400, "validation_failed")),
        ({"filename": "a", "size": 5, "checksum": "sha256:12"}, (400, "validation_failed")),
        ({"filename": "a", "size": 5, "expiresIn": 59}, (400, "validation_failed")),
        ({"filename": "a", "size": 5, "expiresIn": 86401}, (400, "validation_failed")),
        ({"filename": "a", "size": 5, "assetId": "ast_none"}, (404, "not_found")),
    ],
)
def test_an_announcement_that_makes_no_sense_is_refused(
    admin: httpx2.Client, body: dict[str, Any], outcome: tuple[int, str]
) -> None:
    assert error_of(admin.post(PRESIGNED, json=body)) == outcome


def test_what_a_replacement_cannot_change_is_refused(client: Client) -> None:
    asset = client.uploads.file("a.txt", b"x")
    with pytest.raises(errors.ValidationFailed, match="kind"):
        client.uploads.presigned("a", 5, asset_id=asset.id, kind="image")
    with pytest.raises(errors.ValidationFailed, match="tags, metadata, visibility and spaceId"):
        client.uploads.presigned("a", 5, asset_id=asset.id, tags=["x"])


def test_a_retry_of_the_announcement_gives_the_same_address(client: Client, server: Server) -> None:
    key = secrets.token_hex(8)
    first = client.uploads.presigned("a.txt", 5, idempotency_key=key)
    assert client.uploads.presigned("a.txt", 5, idempotency_key=key) == first
    kept = rows(server, "SELECT body FROM idempotency")
    assert not [body for (body,) in kept if body and first.upload_url.encode() in bytes(body)]


async def test_a_file_is_sent_by_either_client_and_in_either_way(server: Server) -> None:
    data = secrets.token_bytes(600_000)
    async with AsyncClient(server.origin, server.admin_token) as client:
        for send in (client.uploads.put, client.uploads.send):
            upload = await client.uploads.presigned("a.bin", len(data), checksum=sha256(data))
            await send(upload, BytesIO(data))
            assert (await client.uploads.wait_until_ready(upload.id)).checksum == sha256(data)


def test_bytes_that_came_by_tus_with_another_checksum_fail(client: Client) -> None:
    upload = client.uploads.presigned("a.txt", 5, checksum=sha256(b"other"))
    client.uploads.send(upload, b"hello")
    with pytest.raises(AssetFailed, match="checksum_mismatch"):
        client.uploads.wait_until_ready(upload.id)


def test_an_upload_that_began_by_tus_goes_on_there(client: Client, web: httpx2.Client) -> None:
    upload = client.uploads.presigned("a.txt", 5)
    tus = {"tus-resumable": "1.0.0", "upload-offset": "0", "content-type": "application/offset+octet-stream"}
    assert web.patch(upload.tus_upload_url, content=b"he", headers=tus).status_code == 204
    assert error_of(put(web, upload.upload_url, b"HELLO")) == (409, "conflict")
    client.uploads.send(upload, b"hello")
    assert client.uploads.wait_until_ready(upload.id).checksum == sha256(b"hello")
    assert error_of(put(web, upload.upload_url, b"HELLO")) == (409, "conflict")


def expiry(server: Server, asset_id: str) -> int:
    return int(rows(server, f"SELECT expires_at FROM upload WHERE subject = '{asset_id}'")[0][0])


def test_a_later_put_takes_over_from_one_that_stalls(server: Server, client: Client, web: httpx2.Client) -> None:
    data = secrets.token_bytes(2_000_000)
    upload = client.uploads.presigned("data.bin", len(data))
    path, in_a_bucket = httpx2.URL(upload.upload_url).path, "STOWBOARD_S3_ENDPOINT" in server.environment
    with RawConnection(server.port) as stalled:
        # More than a block, so that a file is begun, and it can be seen; in a bucket it cannot, and the later one may
        # be the first to come. Then this one is refused unread, and not told that the connection ends.
        stalled.send(f"PUT {path} HTTP/1.1\r\nhost: a\r\ncontent-length: 2000000\r\n\r\n".encode() + data[:1_500_000])
        wait_until(lambda: in_a_bucket or len(drafts(server)) == 1)
        data_of(put(web, upload.upload_url, data))
        answer = stalled.answer()
        assert answer.status == 409
        assert in_a_bucket or answer.headers["connection"] == "close"
    assert client.uploads.wait_until_ready(upload.id).checksum == sha256(data)
    assert error_of(put(web, upload.upload_url, data)) == (409, "conflict")


def test_who_is_refused_while_much_is_on_its_way_is_told_that_the_connection_ends(
    server: Server, client: Client
) -> None:
    path = httpx2.URL(client.uploads.presigned("a.txt", 5).upload_url).path
    with RawConnection(server.port) as connection:
        # More than is read after an answer.
        connection.send(f"PUT {path} HTTP/1.1\r\nhost: a\r\ncontent-length: 100000000\r\n\r\n".encode() + bytes(9))
        answer = connection.answer()
        assert (answer.status, answer.headers["connection"]) == (400, "close")
        assert connection.wait_for_close() == b""


def drafts(server: Server) -> list[str]:
    """Files that bytes are being written to."""
    return [path.name for path in (server.data_dir / "blobs").rglob(".*.*")]


@pytest.mark.cluster_in_soak
def test_of_two_that_send_without_a_pause_the_later_one_is_told_to_wait(
    server: Server, client: Client, web: httpx2.Client
) -> None:
    # Where the machine pauses the first one, or has not let it begin, the later one wins: then they are sent again.
    answers = (_answer_to_the_later_one(server, client, web) for _ in range(MOST_TRIES))
    refused = next(answer for answer in answers if answer.status_code != 200)
    assert error_of(refused) == (423, "upload_locked")


def _answer_to_the_later_one(server: Server, client: Client, web: httpx2.Client) -> httpx2.Response:
    upload = client.uploads.presigned("data.bin", 2_000_000)
    path = httpx2.URL(upload.upload_url).path
    sending, ended = threading.Event(), threading.Event()

    def send() -> None:
        with RawConnection(server.port) as first, suppress(OSError):
            first.send(f"PUT {path} HTTP/1.1\r\nhost: a\r\ncontent-length: 2000000\r\n\r\n".encode())
            while not ended.wait(0.05):
                first.send(bytes(1000))
                sending.set()

    thread = threading.Thread(target=send)
    thread.start()
    try:
        assert sending.wait(PATIENCE_SECONDS)
        return web.put(upload.upload_url, content=bytes(2_000_000), timeout=PATIENCE_SECONDS)
    finally:
        ended.set()
        thread.join()
