"""Every store's promises for bytes that arrive over many requests, on disk and on S3."""

import asyncio
import hashlib
import os
import random
import signal
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from stowboard.blobs.disk import DiskBlobs
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.resumable import BlobAppender, BytesLost, UploadBusy, UploadFinished
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from support.blobs.programs import PATTERN, run_program, start_program
from support.blobs.upload_row import Row

MIB = 1 << 20
DAY_MS = 24 * 3600 * 1000
#: More than two parts of a multipart upload, and no multiple of anything.
LARGE = random.Random(2).randbytes(19 * MIB + 77)


async def test_what_was_appended_in_any_sizes_becomes_one_blob(blobs: BlobStore) -> None:
    for seed in range(4):
        chance, row = random.Random(seed), Row.new()
        data = LARGE[: chance.choice([700, 3 * MIB, len(LARGE), len(LARGE)])]
        while row.received < len(data):
            end = min(len(data), row.received + chance.choice([1, 4000, 300_000, 6 * MIB, 12 * MIB]))
            await append(blobs, row, data[row.received : end], chance)
        await finish(blobs, row)
        assert await digest(blobs, row.key) == hashlib.sha256(data).hexdigest(), seed


async def test_the_last_bytes_may_come_with_the_finish(blobs: BlobStore) -> None:
    for first in (0, 100, 9 * MIB):
        row = Row.new()
        if first:
            await append(blobs, row, LARGE[:first])
        writer = await opened(blobs, row)
        await writer.finish([LARGE[first:-5], LARGE[-5:]])
        await writer.close()
        assert await digest(blobs, row.key) == hashlib.sha256(LARGE).hexdigest()


async def test_no_bytes_are_an_empty_blob(blobs: BlobStore) -> None:
    row = Row.new()
    await finish(blobs, row)
    found = await blobs.find(row.key)
    assert found is not None
    assert found.size == 0


@pytest.mark.parametrize("size", [1000, 9 * MIB])
async def test_what_was_not_acknowledged_is_written_over(blobs: BlobStore, size: int) -> None:
    row = Row.new()
    await append(blobs, row, LARGE[:500])
    for forgotten in (b"x" * (size + 4000), b"y" * size):
        writer = await opened(blobs, row)
        await writer.keep([forgotten])
        await writer.close()
    await append(blobs, row, LARGE[500:1000])
    await finish(blobs, row)
    assert await digest(blobs, row.key) == hashlib.sha256(LARGE[:1000]).hexdigest()


async def test_a_writer_that_lost_its_turn_changes_nothing(blobs: BlobStore) -> None:
    """On disk it cannot even begin; in a bucket it writes beside, whatever it sends and whenever."""
    row = Row.new()
    await append(blobs, row, LARGE[: 6 * MIB])
    slow = await opened(blobs, row)
    fast = row.writer(blobs)
    with suppress(UploadBusy):
        await fast.open()
        kept = await fast.keep([LARGE[6 * MIB : 15 * MIB]])
        await slow.keep([b"x" * (9 * MIB)])
        row.commit(kept)
    await fast.close()
    await slow.close()
    await append(blobs, row, LARGE[row.received :])
    await finish(blobs, row)
    assert await digest(blobs, row.key) == hashlib.sha256(LARGE).hexdigest()


@pytest.mark.parametrize("size", [1000, len(LARGE)])
async def test_a_crash_between_the_finish_and_its_row_can_be_healed(blobs: BlobStore, size: int) -> None:
    data, row = LARGE[:size], Row.new()
    await append(blobs, row, data[: size // 2])
    writer = await opened(blobs, row)
    await writer.finish([data[size // 2 :]])
    await writer.close()
    found = await blobs.find(row.key)
    assert found is not None
    assert found.size == size
    again = row.writer(blobs)
    with suppress(UploadFinished):
        await again.open()
        await again.finish([data[size // 2 :]])
    await again.close()
    assert await digest(blobs, row.key) == hashlib.sha256(data).hexdigest()


async def test_who_goes_on_after_a_finish_of_many_bytes_is_told(blobs: BlobStore) -> None:
    row = Row.new()
    await append(blobs, row, LARGE[: 9 * MIB])
    await finish(blobs, row)
    with pytest.raises(UploadFinished) as raised:
        await append(blobs, row, LARGE[9 * MIB :])
    assert raised.value.size == 9 * MIB


@pytest.mark.parametrize("size", [1000, 9 * MIB, 14 * MIB])
@pytest.mark.parametrize("finished", [False, True])
async def test_what_is_discarded_leaves_nothing_behind(
    blobs: BlobStore, blob_settings: BlobSettings, size: int, finished: bool
) -> None:
    row = Row.new()
    await append(blobs, row, LARGE[:size])
    tails = [piece.blob_key for piece in row.pieces if piece.blob_key]
    if finished:
        await finish(blobs, row)
    for _ in range(2):
        await blobs.discard_growing(row.key, row.handle)
        await blobs.delete_many(tails)
    assert [blob.key async for blob in blobs.walk()] == []
    assert await blobs.discard_unfinished(clock.now_ms() + DAY_MS) == 0
    assert not blob_settings.on_s3 or size < 9 * MIB or row.handle
    if not blob_settings.on_s3:
        assert [path for path in blob_settings.folder.rglob("*") if path.is_file()] == []


async def test_many_small_pieces_are_merged_and_the_old_ones_can_go(blobs: BlobStore) -> None:
    row = Row.new()
    for start in range(0, 7 * MIB, MIB // 2):
        writer = await opened(blobs, row)
        await blobs.delete_many(row.commit(await writer.keep([LARGE[start : start + MIB // 2]])))
        await writer.close()
    tails = [piece for piece in row.pieces if piece.blob_key]
    assert len([blob async for blob in blobs.walk("tail")]) == len(tails) <= 1
    await finish(blobs, row)
    assert await digest(blobs, row.key) == hashlib.sha256(LARGE[: 7 * MIB]).hexdigest()


async def test_bytes_on_their_way_are_kept_for_days(blobs: BlobStore, blob_settings: BlobSettings) -> None:
    row, before = Row.new(), clock.now_ms()
    await append(blobs, row, LARGE[: 9 * MIB])
    assert await blobs.discard_unfinished(before - 60_000) == 0
    if not blob_settings.on_s3:
        [draft] = (blob_settings.folder / ".uploading").iterdir()
        for days, discarded in ((7, 0), (9, 1)):
            os.utime(draft, (before / 1000 - days * 86400,) * 2)
            assert await blobs.discard_unfinished(before + DAY_MS) == discarded


async def test_bytes_that_are_gone_are_not_taken_for_nothing(disk_settings: BlobSettings) -> None:
    blobs, row = DiskBlobs(disk_settings.folder), Row.new()
    await append(blobs, row, LARGE[:1000])
    [draft] = (disk_settings.folder / ".uploading").iterdir()
    for harm in (partial(os.truncate, draft, 999), draft.unlink):
        harm()
        with pytest.raises(BytesLost):
            await row.writer(blobs).open()
    await blobs.close()


@pytest.mark.parametrize("kills", [3])
async def test_after_kill_9_it_goes_on_where_the_row_stands(
    blobs: BlobStore, blob_settings: BlobSettings, tmp_path: Path, kills: int
) -> None:
    file = tmp_path / "row"
    Row.new().save(file)
    reached = [0]
    for number in range(kills):
        await asyncio.to_thread(kill_after, blob_settings, file, 2 + number)
        reached.append(Row.load(file).received)
        assert reached[-1] > reached[-2]
    row = Row.load(file)
    writer = await opened(blobs, row)
    await writer.finish([PATTERN])
    await writer.close()
    expected = hashlib.sha256()
    left = row.received
    while left:
        expected.update(PATTERN[: min(left, len(PATTERN))])
        left -= min(left, len(PATTERN))
    expected.update(PATTERN)
    assert await digest(blobs, row.key) == expected.hexdigest()


def test_many_bytes_do_not_need_much_memory(blob_settings: BlobSettings) -> None:
    assert int(run_program("weigh_appending", blob_settings)) < 64


def kill_after(settings: BlobSettings, file: Path, steps: int) -> None:
    """Let a process append, and kill it in the middle of the step after so many."""
    with start_program("append_until_killed", settings, str(file)) as writer:
        assert writer.stdout
        for _ in range(steps):
            assert writer.stdout.readline()
        writer.send_signal(signal.SIGKILL)
    assert writer.returncode == -signal.SIGKILL


async def append(blobs: BlobStore, row: Row, data: bytes, chance: random.Random | None = None) -> None:
    writer, start, chance = await opened(blobs, row), 0, chance or random.Random(0)
    while start < len(data):
        size = chance.choice([1, 70_000, MIB])
        await writer.write([data[start : start + size], data[start + size : start + 2 * size]])
        start += 2 * size
    row.commit(await writer.keep([]))
    await writer.close()


async def finish(blobs: BlobStore, row: Row) -> None:
    writer = await opened(blobs, row)
    await writer.finish([])
    await writer.close()


async def opened(blobs: BlobStore, row: Row) -> BlobAppender:
    writer = row.writer(blobs)
    await writer.open()
    return writer


async def digest(blobs: BlobStore, key: BlobKey) -> str:
    found = hashlib.sha256()
    async for chunk in blobs.read(key):
        found.update(chunk)
    return found.hexdigest()
