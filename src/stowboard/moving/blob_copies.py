"""Copies blobs into a folder and out of it, a few at a time and in flat memory, and hashes each on the way.

Bytes that differ from what their row says are damaged. They are copied all the same, for they may be all that is left,
and the ledger marks them. A whole copy is never replaced; each run copies a damaged one again.

Into a folder on the same disk a blob is a hard link: blobs never change in place, and deleting one name keeps the
other. Out of a folder a blob is always copied, so that the new store shares no file. Under a key is a whole blob or
nothing, so blobs that were copied before a kill are not copied again.
"""

import asyncio
import errno
import os
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from stowboard.blobs.disk import DiskBlobs
from stowboard.blobs.hashing import hashed
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobNotFound, BlobStore, LocalFiles, WrittenBlob
from stowboard.core.folders import fsync_folder, make_durable_folder
from stowboard.moving.ledger import BlobLedger, HeldBlob, NeededBlob
from stowboard.moving.progress import MovingProgress
from stowboard.moving.refusal import MovingRefusal

T = TypeVar("T")

FOLDER = "blobs"
#: An upload to a bucket holds about four parts of 8 MiB.
_AT_ONCE = 4


async def fetch_lacking(
    store: BlobStore, folder: DiskBlobs, ledger: BlobLedger, run: str, progress: MovingProgress
) -> None:
    """Copy the blobs that the run needs. A blob that the store does not have (just deleted, or lost) stays lacking."""
    progress.begin("files", ledger.size_of_lacking(run), "bytes")

    async def fetch(name: NeededBlob) -> None:
        with suppress(BlobNotFound):
            ledger.add_blob(name.key, await _fetch(store, folder, name.key))
        progress.advance(name.size)

    async def fetch_anew(name: NeededBlob) -> None:
        with suppress(BlobNotFound):
            ledger.add_blob(name.key, await folder.put(name.key, store.read(name.key)))

    await _some_at_once(ledger.damaged(run), fetch_anew)
    await _some_at_once(ledger.lacking(run), fetch)


async def put_held(folder: Path, store: BlobStore, ledger: BlobLedger, run: str, progress: MovingProgress) -> None:
    """Raises MovingRefusal, naming the file, if one is missing or has changed."""
    progress.begin("files", ledger.size_of_held(run)[1], "bytes")
    copies = DiskBlobs(folder / FOLDER)

    async def put(blob: HeldBlob) -> None:
        there = await store.find(blob.key)
        if there is None or there.size != blob.written.size:
            await _put(copies, store, blob)
        progress.advance(blob.written.size)

    try:
        await _some_at_once(ledger.held(run), put)
    finally:
        await copies.close()


async def check_held(store: BlobStore, ledger: BlobLedger, run: str, progress: MovingProgress) -> None:
    """Read every blob back. Raises MovingRefusal."""
    progress.begin("checking files", ledger.size_of_held(run)[1], "bytes")

    async def check(blob: HeldBlob) -> None:
        try:
            written = await hashed(store.read(blob.key))
        except BlobNotFound:
            raise MovingRefusal(
                f"the store does not have {blob.key} after it was put there; run the command again."
            ) from None
        if written != blob.written:
            await store.delete_many([blob.key])
            raise MovingRefusal(
                f"the store gave other bytes for {blob.key} than were put there; run the command again."
            )
        progress.advance(blob.written.size)

    await _some_at_once(ledger.held(run), check)


async def _fetch(store: BlobStore, folder: DiskBlobs, key: BlobKey) -> WrittenBlob:
    if await folder.find(key) is not None:  # a file of a run that was killed before the ledger had it
        return await hashed(folder.read(key))
    if isinstance(store, LocalFiles) and await asyncio.to_thread(_link, store.local_path(key), folder.local_path(key)):
        return await hashed(folder.read(key))
    return await folder.put(key, store.read(key))


def _link(source: Path, target: Path) -> bool:
    """True if the blob is in the folder now; otherwise it has to be copied, or is not in the store."""
    make_durable_folder(target.parent)
    try:
        os.link(source, target)
    except OSError as error:
        if error.errno in (errno.EXDEV, errno.EPERM, errno.EACCES, errno.EMLINK, errno.ENOENT, errno.EOPNOTSUPP):
            return False
        raise
    fsync_folder(target.parent)
    return True


async def _put(folder: DiskBlobs, store: BlobStore, blob: HeldBlob) -> None:
    path = folder.local_path(blob.key)
    try:
        written = await store.put(blob.key, folder.read(blob.key))
    except BlobNotFound:
        raise MovingRefusal(f"{path} is missing: the folder is not whole.") from None
    if written != blob.written:
        await store.delete_many([blob.key])
        raise MovingRefusal(f"{path} is damaged: it is not what was written.")


async def _some_at_once(items: Iterator[T], work: Callable[[T], Awaitable[None]]) -> None:
    """Do the work for each item, a few at a time. The first failure ends all."""

    async def take_turns() -> None:
        for item in items:
            await work(item)

    tasks = [asyncio.create_task(take_turns()) for _ in range(_AT_ONCE)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
