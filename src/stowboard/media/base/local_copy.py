"""A blob as a file that other programs and libraries can open.

On a disk it is the blob's own file, which must not be written. From a bucket it is a copy that is removed afterwards;
`remove_old_copies` removes those of processes that were killed.
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
    """The path of the blob's bytes while this is open. Raises BlobNotFound."""
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
    """Remove copies that are a day old: nobody uses them any more."""
    with suppress(FileNotFoundError), os.scandir(work_dir) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):  # another process, starting as well, was faster
                if entry.name.startswith(_PREFIX) and entry.stat().st_mtime < time.time() - _OLD_S:
                    Path(entry.path).unlink()


def make_work_folder(work_dir: Path) -> None:
    """Make the folder for temporary files. Like the data folder, it is open to its owner alone.

    On a node of a cluster the data folder may not exist yet; it is made too.
    """
    for folder in (work_dir.parent, work_dir):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)


async def _copy(blobs: BlobStore, key: BlobKey, path: Path) -> None:
    await asyncio.to_thread(make_work_folder, path.parent)
    with await asyncio.to_thread(path.open, "xb") as file:
        async with aclosing(blobs.read(key)) as chunks:
            async for block in in_blocks(chunks, _BLOCK):
                await asyncio.to_thread(file.writelines, block)
