"""The two jobs that make the ladder of a video.

The first makes the smallest rendition, with the sound alone and the storyboard; then the video is `ready`, if it was
not before (`preparing.py`). The second makes all other renditions in one run of ffmpeg, in a queue of its own: somebody
waits for the first picture of every film, and nobody for the rest of any. Measured on a minute of 1080p, the second
reading costs less than scaling from rendition to rendition saves (docs/decisions/0013-videos.md).

Each rendition is stored under a fresh key as soon as it is there, and written down in a transaction that locks the
video. A worker that is killed loses only the run it was at; the next attempt looks at what is missing. If the video was
deleted or has failed meanwhile, the job notices at its next progress (within two seconds) or heartbeat, and stops.

Hopeless bytes make the video `failed` at once, or leave it with the renditions it has if it could be played already.
Everything else (a full disk, a store that is away, a kill) is tried again for about half an hour. A video without a
poster or a storyboard has not failed.
"""

import asyncio
import time
from contextlib import suppress
from pathlib import Path

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore, WrittenBlob
from stowboard.core.errors import ServiceUnavailable
from stowboard.db.database import Tx
from stowboard.jobs.registry import Job
from stowboard.media.base.ends import digest_of_ends
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos import rendition_store, video_store
from stowboard.media.videos.ffmpeg.clip import VideoClip
from stowboard.media.videos.ffmpeg.endings import keep_rendition, lock_wanted
from stowboard.media.videos.ffmpeg.ladder import RenditionPlan, plan_renditions
from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from stowboard.media.videos.ffmpeg.storyboard import storyboard_of
from stowboard.media.videos.ffmpeg.transcode import STORYBOARD, MadeRendition, make_renditions
from stowboard.media.videos.ffmpeg.workplace import VideoAbandoned, stored, workplace
from stowboard.media.videos.video import ORIGINAL, Storyboard, VideoId

PROGRESS_S = 2.0


async def make_all(job: Job, video_id: VideoId, clip: VideoClip, *, first_only: bool = False) -> None:
    """Make all renditions that are missing, or those of the first run alone.

    Raises Unplayable, VideoAbandoned, VideoNotFound; and trouble that may be over at the next attempt."""
    settings = job.use(MediaSettings)
    ffmpeg = await asyncio.to_thread(get_ffmpeg, settings.ffmpeg)
    report = _ProgressReport(job, video_id)
    async with workplace(job, video_id) as (folder, source, video):
        board = storyboard_of(clip) if video.storyboard is None else None
        while plans := await job.db.read(_next_plans, video_id, clip, first_only):
            report.names = [plan.name for plan in plans]
            # The storyboard is made with the first run that has pictures.
            wanted = board if any(plan.has_pictures for plan in plans) else None
            made = await make_renditions(
                ffmpeg, source, clip, plans, folder, report.hear, wanted, settings.video_encoder
            )
            if wanted is not None:
                await _store_board(job, video_id, wanted, folder / STORYBOARD)
                board = None
            for name in set(report.names) - {each.plan.name for each in made}:
                await job.db.transact(rendition_store.remove, video_id, name)
            for each in made:
                await store_rendition(job, video_id, each)


async def store_rendition(job: Job, video_id: VideoId, made: MadeRendition) -> None:
    async with stored(job, made.file, "rendition") as (key, written):
        ends = await digest_of_ends(job.use(BlobStore), key, written.size)
        await job.db.transact(keep_rendition, video_id, made, key, written, ends)
    await asyncio.to_thread(made.file.unlink)


class _ProgressReport:
    """Writes the progress of a run down, at most every two seconds, and notices if its renditions are gone."""

    def __init__(self, job: Job, video_id: VideoId) -> None:
        self._job, self._video_id = job, video_id
        self._told = time.monotonic()
        self.names: list[str] = []

    async def hear(self, percent: int) -> None:
        if time.monotonic() - self._told < PROGRESS_S:
            return
        self._told = time.monotonic()
        with suppress(ServiceUnavailable):  # the work goes on without the database, for a while
            if not await self._job.db.transact(rendition_store.set_progress, self._video_id, self.names, percent):
                raise VideoAbandoned


async def _store_board(job: Job, video_id: VideoId, board: Storyboard, file: Path) -> None:
    if await asyncio.to_thread(file.exists):
        async with stored(job, file, "storyboard") as (key, written):
            await job.db.transact(_keep_board, video_id, board, key, written)


async def _next_plans(tx: Tx, video_id: VideoId, clip: VideoClip, first_only: bool) -> list[RenditionPlan]:
    """The renditions of the next run: first up to the smallest one with pictures, then all that are left."""
    renditions = await rendition_store.of_video(tx, video_id)
    if not renditions:
        raise VideoAbandoned
    missing = {rendition.name for rendition in renditions if rendition.playlist is None}
    left = [plan for plan in plan_renditions(clip) if plan.name in missing]
    if any(each.height and each.playlist is not None and each.name != ORIGINAL for each in renditions):
        return [] if first_only else left
    first = next((number for number, plan in enumerate(left) if plan.has_pictures), len(left))
    return left[: first + 1]


async def _keep_board(tx: Tx, video_id: VideoId, board: Storyboard, key: BlobKey, written: WrittenBlob) -> None:
    video = await lock_wanted(tx, video_id)
    after = video.changed(storyboard=board, storyboard_key=key, storyboard_sha256=written.sha256)
    await video_store.put(tx, video, after)
