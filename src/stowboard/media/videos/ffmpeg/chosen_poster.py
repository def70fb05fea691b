"""The job that makes a chosen moment of a video its poster."""

import asyncio

from stowboard.blobs.keys import BlobKey
from stowboard.db.database import Tx
from stowboard.jobs.registry import Job
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos.ffmpeg.clip import read_clip
from stowboard.media.videos.ffmpeg.poster import make_poster
from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from stowboard.media.videos.ffmpeg.workplace import stored, workplace
from stowboard.media.videos.poster import put_poster
from stowboard.media.videos.video import VideoId


async def make_chosen_poster(job: Job, video_id: VideoId, at_ms: int) -> None:
    """Raises Unplayable, Abandoned, VideoNotFound."""
    ffmpeg = await asyncio.to_thread(get_ffmpeg, job.use(MediaSettings).ffmpeg)
    async with workplace(job, video_id) as (folder, source):
        file = await make_poster(ffmpeg, source, await read_clip(source), folder, at_ms)
        if file is not None:
            async with stored(job, file, "poster") as (key, written):
                await job.db.transact(_keep, job, video_id, key, written.sha256)


async def _keep(tx: Tx, job: Job, video_id: VideoId, key: BlobKey, sha256: str) -> None:
    await put_poster(tx, video_id, key, sha256)
    await job.complete(tx)
