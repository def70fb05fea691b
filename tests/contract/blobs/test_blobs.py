"""The promises of every store of blobs, on disk and on S3."""

import asyncio
import hashlib
import random
import signal
from collections.abc import AsyncIterator

import pytest

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.store import BlobNotFound, BlobStore, StoredBlob, WrittenBlob
from stowboard.core import clock
from support.blobs.programs import run_program, start_program

MIB = 1 << 20
#: Larger than one part of an upload and than one block of a read, and no multiple of either.
LARGE = random.Random(1).randbytes(20 * MIB + 17)


async def test_what_was_put_is_read_back(blobs: BlobStore) -> None:
    key = new_key("asset")
    written = await blobs.put(key, chunks_of(LARGE))
    assert written == WrittenBlob(len(LARGE), hashlib.sha256(LARGE).hexdigest())
    assert await content(blobs, key) == LARGE


async def test_bytes_in_memory_are_put_the_same_way(blobs: BlobStore) -> None:
    key = new_key("asset")
    written = WrittenBlob(5, hashlib.sha256(b"hello").hexdigest())
    assert await blobs.put_bytes(key, b"hello") == written
    assert await content(blobs, key) == b"hello"
    assert await blobs.put_bytes(new_key("asset"), b"hello", written.sha256) == written


@pytest.mark.parametrize("chunks", [[], [b""], [b"", b""]])
async def test_an_empty_blob_is_a_blob(blobs: BlobStore, chunks: list[bytes]) -> None:
    key = new_key("asset")
    assert await blobs.put(key, each(chunks)) == WrittenBlob(0, hashlib.sha256(b"").hexdigest())
    assert await content(blobs, key) == b""
    assert (await get(blobs, key)).size == 0


@pytest.mark.parametrize("size", [512 * 1024 - 1, 512 * 1024, MIB - 1, MIB, MIB + 4097])
async def test_sizes_at_which_a_store_takes_another_way_lose_no_byte(blobs: BlobStore, size: int) -> None:
    at_once, in_chunks, data = new_key("asset"), new_key("asset"), LARGE[:size]
    await blobs.put_bytes(at_once, data)
    await blobs.put(in_chunks, chunks_of(data, 99_999))
    assert await content(blobs, at_once) == await content(blobs, in_chunks) == data


async def test_tiny_chunks_make_a_whole_blob(blobs: BlobStore) -> None:
    key, data = new_key("asset"), LARGE[:30_000]
    await blobs.put(key, chunks_of(data, 1))
    assert await content(blobs, key) == data


async def test_a_range_is_exact(blobs: BlobStore) -> None:
    key, size = new_key("asset"), len(LARGE)
    await blobs.put(key, chunks_of(LARGE))
    block = 4 * MIB
    ranges = [(0, 1), (0, 5), (7, 8), (block - 1, block + 1), (5, 2 * block + 5), (size - 1, size), (size - 3, None)]
    for start, end in [*ranges, (0, size + 100), (size - 2, size + 100)]:
        assert await content(blobs, key, start, end) == LARGE[start:end], (start, end)


async def test_beyond_the_end_there_is_nothing(blobs: BlobStore) -> None:
    key, empty = new_key("asset"), new_key("asset")
    await blobs.put_bytes(key, b"12345")
    await blobs.put_bytes(empty, b"")
    assert [await content(blobs, key, 5), await content(blobs, key, 9, 12), await content(blobs, empty, 0, 1)] == [
        b""
    ] * 3


@pytest.mark.parametrize(("start", "end"), [(-1, None), (3, 3), (3, 2)])
async def test_a_range_without_a_byte_is_a_mistake(blobs: BlobStore, start: int, end: int | None) -> None:
    with pytest.raises(ValueError, match="range"):
        await content(blobs, new_key("asset"), start, end)


async def test_a_missing_blob_is_not_found(blobs: BlobStore) -> None:
    key = new_key("asset")
    assert await blobs.find(key) is None
    with pytest.raises(BlobNotFound, match=key):
        await content(blobs, key)
    with pytest.raises(BlobNotFound):
        await content(blobs, key, 3, 5)


async def test_a_found_blob_says_its_size_and_age(blobs: BlobStore) -> None:
    key, before = new_key("asset"), clock.now_ms()
    await blobs.put_bytes(key, b"12345")
    found = await get(blobs, key)
    assert (found.key, found.size) == (key, 5)
    assert before - 2_000 <= found.modified_ms <= clock.now_ms() + 2_000  # S3 counts in seconds


@pytest.mark.parametrize("text", ["../../etc/passwd", "/etc/passwd", "asset/..", "asset/aa/%2e%2e", ""])
async def test_what_is_not_a_key_reaches_no_store(blobs: BlobStore, text: str) -> None:
    key = BlobKey(text)
    for attempt in (blobs.put_bytes(key, b"x"), blobs.put(key, each([b"x"])), content(blobs, key), blobs.find(key)):
        with pytest.raises(ValueError, match="not a key"):
            await attempt
    with pytest.raises(ValueError, match="not a key"):
        await blobs.delete_many([new_key("asset"), key])


class SourceBroke(Exception):
    pass


@pytest.mark.parametrize("failure", [SourceBroke(), ConnectionResetError(), FileNotFoundError("theirs")], ids=repr)
@pytest.mark.parametrize("size", [0, 100, len(LARGE)])
async def test_a_source_that_fails_leaves_nothing_behind(blobs: BlobStore, size: int, failure: Exception) -> None:
    async def breaks() -> AsyncIterator[bytes]:
        async for chunk in chunks_of(LARGE[:size]):
            yield chunk
        raise failure

    with pytest.raises(type(failure)) as raised:
        await blobs.put(new_key("asset"), breaks())
    assert raised.value is failure
    await assert_nothing_is_left(blobs)


@pytest.mark.parametrize("size", [0, 100, len(LARGE)])
async def test_a_put_that_is_cancelled_leaves_nothing_behind(blobs: BlobStore, size: int) -> None:
    stalled = asyncio.Event()

    async def stalls() -> AsyncIterator[bytes]:
        async for chunk in chunks_of(LARGE[:size]):
            yield chunk
        stalled.set()
        await asyncio.Event().wait()

    put = asyncio.create_task(blobs.put(new_key("asset"), stalls()))
    await asyncio.wait_for(stalled.wait(), 120)
    put.cancel()
    with pytest.raises(asyncio.CancelledError):
        await put
    await assert_nothing_is_left(blobs)


async def test_a_put_that_is_cancelled_at_any_moment_leaves_a_whole_blob_or_nothing(blobs: BlobStore) -> None:
    for delay_ms in (0, 1, 2, 4, 8, 16, 32, 64, 128, 256):
        key = new_key("asset")
        put = asyncio.create_task(blobs.put(key, chunks_of(LARGE)))
        await asyncio.sleep(delay_ms / 1000)
        put.cancel()
        await asyncio.wait([put])
        if await blobs.find(key) is not None:
            assert await content(blobs, key) == LARGE
    await assert_no_drafts(blobs)


async def test_writers_of_the_same_blob_do_not_disturb_each_other(blobs: BlobStore) -> None:
    key = new_key("asset")
    written = await asyncio.gather(*(blobs.put(key, chunks_of(LARGE)) for _ in range(4)))
    assert set(written) == {WrittenBlob(len(LARGE), hashlib.sha256(LARGE).hexdigest())}
    assert await content(blobs, key) == LARGE
    assert await blobs.discard_unfinished(in_an_hour()) == 0


async def test_deleting_takes_what_is_there_and_does_not_mind_what_is_not(blobs: BlobStore) -> None:
    kept, *doomed = [await put_small(blobs) for _ in range(4)]
    await blobs.delete_many([*doomed, new_key("asset")])
    await blobs.delete_many(doomed)
    await blobs.delete_many([])
    assert await walked(blobs) == [kept]


async def test_a_walk_goes_through_all_blobs_in_order(blobs: BlobStore) -> None:
    assets = sorted([await put_small(blobs) for _ in range(40)])
    posters = sorted([await put_small(blobs, "poster") for _ in range(10)])
    assert await walked(blobs) == [*assets, *posters]
    assert await walked(blobs, "poster") == posters
    assert await walked(blobs, "asset", assets[16]) == assets[17:]
    assert await walked(blobs, None, assets[-1]) == posters
    assert await walked(blobs, "nothing") == []


async def test_a_check_leaves_nothing_behind(blobs: BlobStore) -> None:
    await blobs.check()
    await assert_nothing_is_left(blobs)


async def test_after_kill_9_all_that_was_acknowledged_is_there_and_the_rest_can_be_discarded(
    blobs: BlobStore, blob_settings: BlobSettings
) -> None:
    acknowledged = await asyncio.to_thread(write_and_kill, blob_settings)
    assert len(acknowledged) >= 30
    for key, written in acknowledged.items():
        data = await content(blobs, key)
        assert WrittenBlob(len(data), hashlib.sha256(data).hexdigest()) == written
    assert set(acknowledged) <= set(await walked(blobs))
    assert await blobs.discard_unfinished(before_ms=0) == 0
    assert await blobs.discard_unfinished(in_an_hour()) >= 1
    await assert_no_drafts(blobs)
    assert set(acknowledged) <= set(await walked(blobs))


def test_a_large_blob_does_not_need_much_memory(blob_settings: BlobSettings) -> None:
    put_mib, read_mib = map(int, run_program("weigh_a_large_blob", blob_settings).split())
    assert put_mib < 64
    assert read_mib < 64


def write_and_kill(settings: BlobSettings) -> dict[BlobKey, WrittenBlob]:
    """The blobs that a writer said it had written before it was killed, one upload being under way."""
    acknowledged: dict[BlobKey, WrittenBlob] = {}
    with start_program("write_until_killed", settings) as writer:
        assert writer.stdout
        stalled = False
        for line in writer.stdout:
            words = line.split()
            if len(words) == 3:
                acknowledged[BlobKey(words[0])] = WrittenBlob(int(words[1]), words[2])
            stalled = stalled or words == ["stalled"]
            if stalled and len(acknowledged) >= 30 and writer.poll() is None:
                writer.send_signal(signal.SIGKILL)
    assert writer.returncode == -signal.SIGKILL
    return acknowledged


async def assert_nothing_is_left(blobs: BlobStore) -> None:
    assert await walked(blobs) == []
    await assert_no_drafts(blobs)


async def assert_no_drafts(blobs: BlobStore) -> None:
    assert await blobs.discard_unfinished(in_an_hour()) == 0


def in_an_hour() -> int:
    return clock.now_ms() + 3_600_000


async def get(blobs: BlobStore, key: BlobKey) -> StoredBlob:
    found = await blobs.find(key)
    assert found is not None
    return found


async def put_small(blobs: BlobStore, kind: str = "asset") -> BlobKey:
    key = new_key(kind)
    await blobs.put_bytes(key, b"small")
    return key


async def content(blobs: BlobStore, key: BlobKey, start: int = 0, end: int | None = None) -> bytes:
    return b"".join([chunk async for chunk in blobs.read(key, start, end)])


async def walked(blobs: BlobStore, kind: str | None = None, after: BlobKey | None = None) -> list[BlobKey]:
    return [blob.key async for blob in blobs.walk(kind, after)]


async def chunks_of(data: bytes, size: int = 64 * 1024) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def each(chunks: list[bytes]) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk
