"""Folders for what ffmpeg makes, gone when it is stored.

Each is locked by the process that works in it, and the kernel lets go of the lock when that process ends, however it
does: a folder without a lock was left by one that was killed. Those are removed at each start and whenever a new folder
is made.
"""

import asyncio
import fcntl
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from stowboard.media.base.local_copy import make_work_folder

_PREFIX = "video-"


@asynccontextmanager
async def scratch_folder(work_dir: Path) -> AsyncIterator[Path]:
    folder, lock = await asyncio.to_thread(_make, work_dir)
    try:
        yield folder
    finally:
        await asyncio.to_thread(_remove, folder, lock)


def remove_stale_folders(work_dir: Path) -> None:
    """Those of processes that were killed."""
    if work_dir.exists():
        with _alone(work_dir):
            _remove_stale(work_dir)


def _make(work_dir: Path) -> tuple[Path, int]:
    make_work_folder(work_dir)
    with _alone(work_dir):
        _remove_stale(work_dir)
        folder = work_dir.absolute() / f"{_PREFIX}{secrets.token_hex(8)}"
        folder.mkdir(mode=0o700)
        return folder, _open_locked(folder, fcntl.LOCK_EX)


def _remove_stale(work_dir: Path) -> None:
    for folder in work_dir.glob(f"{_PREFIX}*"):
        try:
            lock = _open_locked(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, FileNotFoundError):  # in use, or just removed by its owner
            continue
        _remove(folder, lock)


def _remove(folder: Path, lock: int) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)


@contextmanager
def _alone(work_dir: Path) -> Iterator[None]:
    """Between the making of a folder and its lock, nobody may take it for a stale one."""
    lock = _open_locked(work_dir, fcntl.LOCK_EX)
    try:
        yield
    finally:
        os.close(lock)


def _open_locked(folder: Path, how: int) -> int:
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(number, how)
    except BlockingIOError:
        os.close(number)
        raise
    return number
