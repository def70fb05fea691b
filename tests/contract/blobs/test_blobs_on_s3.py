"""Promises of S3 beyond the contract of blobs: signed links, and a store that is away, slow or full."""

import asyncio
import dataclasses
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import obstore
import pytest

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.open import open_blobs
from stowboard.blobs.s3 import S3Blobs
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.store import BlobStore, BlobStoreUnavailable, LocalFiles, SignedLinks
from stowboard.core import clock
from stowboard.core.errors import InsufficientStorage
from support.servers.seaweedfs import SeaweedFs


@pytest.fixture
def s3(s3_settings: BlobSettings) -> S3Blobs:
    store = open_blobs(s3_settings)
    assert isinstance(store, S3Blobs)
    return store


async def test_a_signed_link_serves_the_blob_with_the_headers_that_were_signed(s3: S3Blobs) -> None:
    key = await stored(s3)
    disposition = "attachment; filename=\"a b.txt\"; filename*=UTF-8''%C3%A4.txt"
    answer = {
        "content-type": "text/plain; charset=utf-8",
        "content-disposition": disposition,
        "cache-control": "private",
    }
    status, headers, body = await fetch(s3.signed_get(key, answer, expires_in_s=60))
    assert (status, body) == (200, b"hello")
    assert {name: headers[name] for name in answer} == answer
    assert isinstance(s3, SignedLinks)
    assert not isinstance(s3, LocalFiles)


async def test_a_signed_link_serves_ranges(s3: S3Blobs) -> None:
    key = await stored(s3)
    status, headers, body = await fetch(s3.signed_get(key, {}, expires_in_s=60), {"range": "bytes=1-2"})
    assert (status, body, headers["content-range"]) == (206, b"el", "bytes 1-2/5")


async def test_a_signed_link_that_was_changed_is_refused(s3: S3Blobs) -> None:
    key, other = await stored(s3), await stored(s3)
    link = s3.signed_get(key, {"content-disposition": "attachment"}, expires_in_s=60)
    for changed in (link.replace(key, other), link.replace("attachment", "inline"), link.replace("s=60", "s=90")):
        assert changed != link
        assert (await fetch(changed))[0] == 403


async def test_a_signed_link_ends(s3: S3Blobs, monkeypatch: pytest.MonkeyPatch) -> None:
    key = await stored(s3)
    long_ago = clock.now_ms() - 120_000
    monkeypatch.setattr(clock, "now_ms", lambda: long_ago)
    assert (await fetch(s3.signed_get(key, {}, expires_in_s=60)))[0] == 403
    assert (await fetch(s3.signed_get(key, {}, expires_in_s=600)))[0] == 200


async def test_links_that_begin_together_are_one_address(s3: S3Blobs) -> None:
    key, begins = await stored(s3), clock.now_ms() // 1000 - 30
    link = s3.signed_get(key, {}, expires_in_s=60, begins_at_s=begins)
    assert link == s3.signed_get(key, {}, expires_in_s=60, begins_at_s=begins)
    assert (await fetch(link))[0] == 200
    assert (await fetch(s3.signed_get(key, {}, expires_in_s=60, begins_at_s=begins - 60)))[0] == 403


@pytest.mark.parametrize("seconds", [0, 604_801])
async def test_a_signed_link_lives_at_most_a_week(s3: S3Blobs, seconds: int) -> None:
    with pytest.raises(ValueError, match="604800"):
        s3.signed_get(new_key("asset"), {}, expires_in_s=seconds)


async def test_objects_of_others_are_not_listed(s3: S3Blobs, s3_settings: BlobSettings, seaweedfs: SeaweedFs) -> None:
    key = await stored(s3)
    behind = seaweedfs.connect(s3_settings.bucket_prefix)
    for name in ("notes.txt", "asset/notes", f"{key}.bak", "photos/aa/photo.jpg"):
        obstore.put(behind, name, b"theirs")
    assert [blob.key async for blob in s3.walk()] == [key]


async def test_uploads_of_others_are_not_discarded(
    s3: S3Blobs, s3_settings: BlobSettings, seaweedfs: SeaweedFs
) -> None:
    behind, stalled = seaweedfs.connect(s3_settings.bucket_prefix), asyncio.Event()
    theirs = asyncio.ensure_future(obstore.put_async(behind, "photos/film.mp4", stalling(stalled)))
    await asyncio.wait_for(stalled.wait(), 120)
    assert await s3.discard_unfinished(before_ms=1 << 60) == 0
    theirs.cancel()
    await asyncio.wait([theirs])


async def test_a_prefix_does_not_see_a_longer_prefix(s3: S3Blobs, s3_settings: BlobSettings) -> None:
    neighbour = open_blobs(dataclasses.replace(s3_settings, url=s3_settings.url + "x"))
    key, stalled = await stored(neighbour), asyncio.Event()
    upload = asyncio.create_task(neighbour.put(new_key("asset"), stalling(stalled)))
    await asyncio.wait_for(stalled.wait(), 120)
    assert [blob async for blob in s3.walk()] == []
    assert await s3.discard_unfinished(before_ms=1 << 60) == 0
    assert [blob.key async for blob in neighbour.walk()] == [key]
    assert await neighbour.discard_unfinished(before_ms=1 << 60) == 1
    upload.cancel()
    await asyncio.wait([upload])


ATTEMPTS: dict[str, Callable[[BlobStore], Coroutine[Any, Any, object]]] = {
    "put": lambda blobs: blobs.put(new_key("asset"), zeros(20)),
    "put_bytes": lambda blobs: blobs.put_bytes(new_key("asset"), b"hello"),
    "read": lambda blobs: drained(blobs.read(new_key("asset"))),
    "find": lambda blobs: blobs.find(new_key("asset")),
    "delete": lambda blobs: blobs.delete_many([new_key("asset")]),
    "walk": lambda blobs: drained(blobs.walk()),
    "discard_unfinished": lambda blobs: blobs.discard_unfinished(0),
    "check": lambda blobs: blobs.check(),
}


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_a_store_that_refuses_connections_is_unavailable(s3_settings: BlobSettings, attempt: str) -> None:
    nobody = open_blobs(dataclasses.replace(s3_settings, s3_endpoint="http://127.0.0.1:1"))
    with pytest.raises(BlobStoreUnavailable):
        await ATTEMPTS[attempt](nobody)


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_a_store_that_never_answers_is_unavailable_after_its_time_limit(
    s3_settings: BlobSettings, attempt: str
) -> None:
    async with answering(None) as endpoint:
        slow = open_blobs(dataclasses.replace(s3_settings, s3_endpoint=endpoint, s3_timeout_s=0.3))
        with pytest.raises(BlobStoreUnavailable):
            await asyncio.wait_for(ATTEMPTS[attempt](slow), 120)


@pytest.mark.parametrize("attempt", ATTEMPTS)
async def test_a_store_that_fails_is_unavailable(s3_settings: BlobSettings, attempt: str) -> None:
    async with answering("503 Slow Down") as endpoint:
        failing = open_blobs(dataclasses.replace(s3_settings, s3_endpoint=endpoint, s3_timeout_s=1))
        with pytest.raises(BlobStoreUnavailable):
            await ATTEMPTS[attempt](failing)


@pytest.mark.parametrize("attempt", ["put", "put_bytes", "check"])
async def test_a_store_without_room_says_so(s3_settings: BlobSettings, attempt: str) -> None:
    async with answering("507 Insufficient Storage") as endpoint:
        full = open_blobs(dataclasses.replace(s3_settings, s3_endpoint=endpoint, s3_timeout_s=1))
        with pytest.raises(InsufficientStorage):
            await ATTEMPTS[attempt](full)


@pytest.mark.parametrize("attempt", ["put", "put_bytes", "read", "walk", "discard_unfinished", "check"])
async def test_wrong_keys_are_the_operators_problem_and_named(s3_settings: BlobSettings, attempt: str) -> None:
    stranger = open_blobs(dataclasses.replace(s3_settings, secret_access_key="not the secret"))
    with pytest.raises(BlobStoreUnavailable) as raised:
        await ATTEMPTS[attempt](stranger)
    assert "SignatureDoesNotMatch" in raised.value.reason
    assert "not the secret" not in raised.value.reason


async def test_a_missing_bucket_is_not_a_missing_blob(s3_settings: BlobSettings) -> None:
    nowhere = open_blobs(dataclasses.replace(s3_settings, url="s3://no-such-bucket/here"))
    with pytest.raises(BlobStoreUnavailable) as raised:
        await drained(nowhere.read(new_key("asset")))
    assert "NoSuchBucket" in raised.value.reason


async def stored(blobs: BlobStore) -> BlobKey:
    key = new_key("asset")
    await blobs.put_bytes(key, b"hello")
    return key


async def drained(items: AsyncIterator[object]) -> None:
    async for _ in items:
        pass


async def zeros(mebibytes: int) -> AsyncIterator[bytes]:
    for _ in range(mebibytes):
        yield bytes(1 << 20)


async def stalling(stalled: asyncio.Event) -> AsyncIterator[bytes]:
    async for chunk in zeros(20):
        yield chunk
    stalled.set()
    await asyncio.Event().wait()


async def fetch(url: str, headers: dict[str, str] | None = None) -> tuple[int, dict[str, str], bytes]:
    def get() -> tuple[int, dict[str, str], bytes]:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, headers=headers or {}), timeout=120) as answer:
                return answer.status, {name.lower(): value for name, value in answer.headers.items()}, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, {}, error.read()

    return await asyncio.to_thread(get)


@asynccontextmanager
async def answering(status: str | None) -> AsyncIterator[str]:
    """A server that gives every request this status, or none at all."""
    connections: set[asyncio.StreamWriter] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.add(writer)
        if status is None:
            while await reader.read(1 << 16):
                pass
            return
        await reader.readuntil(b"\r\n\r\n")
        writer.write(f"HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for connection in connections:
            connection.close()
        await server.wait_closed()
