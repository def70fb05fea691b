"""Where a job works on a video: a folder, the uploaded file in reach, and a way to store what was made."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.store import BlobStore, WrittenBlob
from stowboard.jobs.lease import LeaseLost
from stowboard.jobs.registry import Job
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.base.local_copy import local_copy
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos import video_store
from stowboard.media.videos.ffmpeg.scratch import scratch_folder
from stowboard.media.videos.video import VideoId, VideoStatus

_CHUNK = 1 << 20


class VideoAbandoned(Exception):
    """Nobody wants the result any more: the video has failed, or has it already."""


@asynccontextmanager
async def workplace(job: Job, video_id: VideoId) -> AsyncIterator[tuple[Path, Path]]:
    """A folder to work in, and the file that was uploaded: from a bucket a copy, in that folder."""
    video = await job.db.read(video_store.get, video_id)
    if video.blob_key is None or video.status is VideoStatus.FAILED:
        raise VideoAbandoned
    async with (
        scratch_folder(job.use(MediaSettings).work_dir) as folder,
        local_copy(job.use(BlobStore), video.blob_key, folder) as source,
    ):
        yield folder, source


@asynccontextmanager
async def stored(job: Job, file: Path, kind: str) -> AsyncIterator[tuple[BlobKey, WrittenBlob]]:
    """The file as a blob, to be named by a transaction inside; taken back if that surely did not happen."""
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
