"""A blob as a file that other programs and libraries can open.

On disk it is the blob's own file, to be read and never written. From a bucket it is a copy that is gone afterwards; a
process that is killed leaves its copies behind, and `remove_old_copies` takes those away.
"""

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress
from pathlib import Path

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobNotFound, BlobStore, LocalFiles, in_blocks

_BLOCK = 4 << 20
_PREFIX = "copy-"
_OLD_S = 24 * 3600


@asynccontextmanager
async def local_copy(blobs: BlobStore, key: BlobKey, work_dir: Path) -> AsyncIterator[Path]:
    """Where the blob's bytes are while this is open. Raises BlobNotFound."""
    if isinstance(blobs, LocalFiles):
        path = blobs.local_path(key)
        if not path.is_file():
            raise BlobNotFound(key)
        yield path
        return
    path = work_dir / f"{_PREFIX}{secrets.token_hex(16)}"
    try:
        await _copy(blobs, key, path)
        yield path
    finally:
        await asyncio.to_thread(path.unlink, missing_ok=True)


def remove_old_copies(work_dir: Path) -> None:
    """Copies of processes that were killed. One that is a day old is in nobody's use."""
    with suppress(FileNotFoundError), os.scandir(work_dir) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # another process, starting as well, was faster
                if entry.name.startswith(_PREFIX) and entry.stat().st_mtime < time.time() - _OLD_S:
                    Path(entry.path).unlink()


def make_work_folder(work_dir: Path) -> None:
    """For what is only needed for a moment. Like the data folder that it is in, it is its owner's alone.

    On a node of a cluster it is the first thing in the data folder, which is then made here as well.
    """
    for folder in (work_dir.parent, work_dir):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


async def _copy(blobs: BlobStore, key: BlobKey, path: Path) -> None:
    await asyncio.to_thread(make_work_folder, path.parent)
    with await asyncio.to_thread(path.open, "xb") as file:
        async with aclosing(blobs.read(key)) as chunks:
            async for block in in_blocks(chunks, _BLOCK):
                await asyncio.to_thread(file.writelines, block)
