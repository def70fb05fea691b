"""Where a job works on a video: a folder, the uploaded file in reach, and a way to store what was made.

The folder is removed when its files are stored. The process that works in it has locked it, and the kernel releases the
lock when that process ends in any way. So a folder without a lock was left by a process that was killed; it is removed
at the next start, or when a new folder is made.
"""

import asyncio
import fcntl
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.store import BlobStore, WrittenBlob
from stowboard.jobs.lease import LeaseLost
from stowboard.jobs.registry import Job
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.base.local_copy import local_copy, make_work_folder
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos import video_store
from stowboard.media.videos.video import Video, VideoId, VideoStatus

_PREFIX = "video-"
_CHUNK = 1 << 20


@asynccontextmanager
async def scratch_folder(work_dir: Path) -> AsyncIterator[Path]:
    folder, lock = await asyncio.to_thread(_make, work_dir)
    try:
        yield folder
    finally:
        await asyncio.to_thread(_remove, folder, lock)


def remove_stale_folders(work_dir: Path) -> None:
    """Remove the folders of processes that were killed."""
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


class VideoAbandoned(Exception):
    """Nobody wants the result any more: the video was deleted, has failed, or has such a result already."""


@asynccontextmanager
async def workplace(job: Job, video_id: VideoId) -> AsyncIterator[tuple[Path, Path, Video]]:
    """A folder to work in, the file that was uploaded (from a bucket a copy, in that folder), and the video."""
    video = await job.db.read(video_store.find, video_id)
    if video is None or video.blob_key is None or video.status is VideoStatus.FAILED:
        raise VideoAbandoned
    async with (
        scratch_folder(job.use(MediaSettings).work_dir) as folder,
        local_copy(job.use(BlobStore), video.blob_key, folder) as source,
    ):
        yield folder, source, video


@asynccontextmanager
async def stored(job: Job, file: Path, kind: str) -> AsyncIterator[tuple[BlobKey, WrittenBlob]]:
    """Store the file as a blob, which a transaction inside names. It is removed if that surely did not happen."""
    blobs, key = job.use(BlobStore), new_key(kind)
    written = await blobs.put(key, _chunks(file))
    try:
        yield key, written
    except (VideoNotFound, VideoAbandoned, LeaseLost):
        await blobs.delete_many([key])
        raise


async def _chunks(file: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(file.open, "rb") as source:
        while chunk := await asyncio.to_thread(source.read, _CHUNK):
            yield chunk
