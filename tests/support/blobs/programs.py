"""Programs for tests that need a process of their own: to be killed, limited or weighed.

python -m support.blobs.programs <program> <BlobSettings as JSON> <more words>
"""

import asyncio
import dataclasses
import json
import os
import random
import resource
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

from stowboard.blobs.keys import new_key
from stowboard.blobs.open import open_blobs
from stowboard.blobs.settings import BlobSettings
from stowboard.blobs.store import BlobStore
from stowboard.core.errors import InsufficientStorage
from support.blobs.upload_row import Row

MIB = 1 << 20
#: What `append_until_killed` appends at each step.
PATTERN = random.Random(3).randbytes(2 * MIB + 3)


def run_program(name: str, settings: BlobSettings, *words: str) -> str:
    """The program's output."""
    with start_program(name, settings, *words) as process:
        printed, complained = process.communicate(timeout=120)
    assert process.returncode == 0, f"it ended with {process.returncode}: {complained}"
    return printed


def start_program(name: str, settings: BlobSettings, *words: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", __name__, name, json.dumps(dataclasses.asdict(settings)), *words]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    return subprocess.Popen(command, env=paths, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


async def write_until_killed(blobs: BlobStore) -> None:
    """Print `key size sha256` of every blob that is acknowledged, while one upload stalls halfway."""

    async def stalls() -> AsyncIterator[bytes]:
        for _ in range(20):
            yield bytes(MIB)
        print("stalled", flush=True)
        await asyncio.Event().wait()

    async def keeps_writing(seed: int) -> None:
        chance = random.Random(seed)
        while True:
            key = new_key("asset")
            written = await blobs.put(key, _chunks(chance.randbytes(chance.randrange(300_000)), 50_000))
            print(key, written.size, written.sha256, flush=True)

    await asyncio.gather(blobs.put(new_key("asset"), stalls()), *(keeps_writing(seed) for seed in range(3)))


async def append_until_killed(blobs: BlobStore, file: str) -> None:
    """Append the pattern again and again to the upload whose row is in the file, and print after each step."""
    while True:
        row = Row.load(Path(file))
        writer = row.writer(blobs)
        await writer.open()
        kept = await writer.keep([PATTERN[:MIB], PATTERN[MIB:]])
        obsolete = row.commit(kept)
        row.save(Path(file))
        await writer.close()
        await blobs.delete_many(obsolete)
        print(row.received, flush=True)


async def weigh_appending(blobs: BlobStore) -> None:
    """Print how many MiB the peak of memory grew while 128 MiB were appended."""
    before = 0
    for total in (24 * MIB, 128 * MIB):
        row, before = Row.new(), _peak_mib()
        writer = row.writer(blobs)
        await writer.open()
        for number in range(total // MIB):
            await writer.write([bytes(MIB // 2), bytes(MIB // 2)])
            if number % 16 == 15:
                row.commit(await writer.keep([]))
        await writer.finish([])
        await writer.close()
    print(_peak_mib() - before)


async def weigh_a_large_blob(blobs: BlobStore) -> None:
    """Print how many MiB the peak of memory grew while 128 MiB were written, and again while they were read."""
    small = new_key("asset")
    await blobs.put(small, _chunks(bytes(20 * MIB), MIB))
    async for _ in blobs.read(small):
        pass
    before, large = _peak_mib(), new_key("asset")
    await blobs.put(large, _zeros(128 * MIB, 64 * 1024))
    after_put = _peak_mib()
    size = 0
    async for chunk in blobs.read(large):
        size += len(chunk)
    assert size == 128 * MIB
    print(after_put - before, _peak_mib() - after_put)


async def fill_the_disk(blobs: BlobStore) -> None:
    """Print how each of three large puts ended: with room, with a limit on the size of files, with room again."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    for limit in (limits[0], MIB, limits[0]):
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limits[1]))
        for put in (
            blobs.put(new_key("asset"), _zeros(3 * MIB, 64 * 1024)),
            blobs.put_bytes(new_key("asset"), bytes(3 * MIB)),
        ):
            try:
                await put
                print("written", end=" ")
            except InsufficientStorage:
                print("full", end=" ")


def _peak_mib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


async def _chunks(data: bytes, size: int) -> AsyncIterator[bytes]:
    for start in range(0, len(data), size):
        yield data[start : start + size]


async def _zeros(total: int, size: int) -> AsyncIterator[bytes]:
    for _ in range(total // size):
        yield bytes(size)


async def _run(program: str, settings: BlobSettings, *words: str) -> None:
    blobs = open_blobs(settings)
    await globals()[program](blobs, *words)
    await blobs.close()


if __name__ == "__main__":
    asyncio.run(_run(sys.argv[1], BlobSettings(**json.loads(sys.argv[2])), *sys.argv[3:]))
