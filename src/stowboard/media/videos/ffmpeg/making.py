"""The job that makes a video playable, from one copy of its file.

First come the poster and the smallest rendition, with the sound alone and the storyboard; then the video is `ready`.
All other renditions are made in one run of ffmpeg. Measured on a minute of 1080p, the second reading costs less than
scaling from rendition to rendition saves (docs/decisions/0013-videos.md).

Each rendition is stored under a fresh key as soon as it is there, and written down in a transaction that locks the
video. A worker that is killed loses only the run it was at; the next attempt looks at what is missing. If the video was
deleted or has failed meanwhile, the job notices at its next progress (within two seconds) or heartbeat, and stops.

Hopeless bytes make the video `failed` at once, or leave it with the renditions it has if it could be played already.
Everything else (a full disk, a store that is away, a kill) is tried again for about half an hour. A video without a
poster or a storyboard has not failed.
"""

import asyncio
import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from stowboard.blobs.hashing import hashed
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore, WrittenBlob
from stowboard.core.errors import ServiceUnavailable
from stowboard.db.database import Tx
from stowboard.jobs.registry import Job
from stowboard.media.base import stat_store
from stowboard.media.base.ends import WHOLE_BYTES, digest_of_ends
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos import rendition_store, video_store
from stowboard.media.videos.ffmpeg.clip import VideoClip, read_clip
from stowboard.media.videos.ffmpeg.endings import complete_if_last, ready_if_playable
from stowboard.media.videos.ffmpeg.ladder import RenditionPlan, plan_renditions
from stowboard.media.videos.ffmpeg.poster import make_poster
from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from stowboard.media.videos.ffmpeg.storyboard import storyboard_of
from stowboard.media.videos.ffmpeg.transcode import STORYBOARD, MadeRendition, make_renditions
from stowboard.media.videos.ffmpeg.unplayable import Unplayable
from stowboard.media.videos.ffmpeg.workplace import VideoAbandoned, stored, workplace
from stowboard.media.videos.video import Rendition, Storyboard, Video, VideoId, VideoStatus

PROGRESS_S = 2.0

log = logging.getLogger("stowboard.video")


async def make_all(job: Job, video_id: VideoId) -> None:
    """Raises Unplayable, VideoAbandoned, VideoNotFound; and what another attempt may not meet."""
    ffmpeg = await asyncio.to_thread(get_ffmpeg, job.use(MediaSettings).ffmpeg)
    async with workplace(job, video_id) as (folder, source):
        clip = await read_clip(source)
        video = await job.db.transact(_plan, video_id, clip, await _digests(job, video_id))
        maker = _Maker(job, ffmpeg, folder, source, clip, video)
        await maker.make_poster()
        while plans := await job.db.read(_next_plans, video_id, clip):
            await maker.make(plans)
        await job.db.transact(job.complete)


class _Maker:
    def __init__(self, job: Job, ffmpeg: str, folder: Path, source: Path, clip: VideoClip, video: Video) -> None:
        self._job, self._ffmpeg, self._folder, self._source = job, ffmpeg, folder, source
        self._clip, self._video = clip, video
        self._told = time.monotonic()

    async def make_poster(self) -> None:
        if self._video.poster_key is not None:
            return
        try:
            file = await make_poster(self._ffmpeg, self._source, self._clip, self._folder)
        except Unplayable as why:
            log.warning("video %s has no poster: %s", self._video.id, why)
            return
        if file is not None:
            with suppress(VideoAbandoned):  # another was chosen meanwhile
                async with stored(self._job, file, "poster") as (key, written):
                    await self._job.db.transact(_keep_poster, self._video.id, key, written)

    async def make(self, plans: list[RenditionPlan]) -> None:
        board = self._missing_board(plans)
        names = [plan.name for plan in plans]

        async def report(percent: int) -> None:
            await self._report(names, percent)

        made = await make_renditions(self._ffmpeg, self._source, self._clip, plans, self._folder, report, board)
        if board is not None:
            await self._keep_board(board)
        for name in set(names) - {each.plan.name for each in made}:
            await self._job.db.transact(rendition_store.remove, self._video.id, name)
        for each in made:
            async with stored(self._job, each.file, "rendition") as (key, written):
                ends = await digest_of_ends(self._job.use(BlobStore), key, written.size)
                await self._job.db.transact(_keep_rendition, self._video.id, each, key, written, ends)
            await asyncio.to_thread(each.file.unlink)

    def _missing_board(self, plans: Sequence[RenditionPlan]) -> Storyboard | None:
        """The storyboard, made with the first run that has pictures."""
        if self._video.storyboard is not None or not any(plan.has_pictures for plan in plans):
            return None
        return storyboard_of(self._clip)

    async def _keep_board(self, board: Storyboard) -> None:
        file = self._folder / STORYBOARD
        self._video = msgspec.structs.replace(self._video, storyboard=board)
        if await asyncio.to_thread(file.exists):
            async with stored(self._job, file, "storyboard") as (key, written):
                await self._job.db.transact(_keep_board, self._video.id, board, key, written)

    async def _report(self, names: list[str], percent: int) -> None:
        """Write progress down, at most every two seconds, and notice that the renditions are no more."""
        if time.monotonic() - self._told < PROGRESS_S:
            return
        self._told = time.monotonic()
        with suppress(ServiceUnavailable):  # the work goes on without the database, for a while
            if not await self._job.db.transact(rendition_store.set_progress, self._video.id, names, percent):
                raise VideoAbandoned


async def _digests(job: Job, video_id: VideoId) -> dict[str, str | None]:
    """By which the uploaded file is known when it is first served: all of a small one, the ends of a large one."""
    video, blobs = await job.db.read(video_store.find, video_id), job.use(BlobStore)
    if video is None:
        raise VideoAbandoned
    if video.blob_key is None or video.size is None:
        return {}
    if video.size <= WHOLE_BYTES:
        return {"blob_sha256": (await hashed(blobs.read(video.blob_key))).sha256}
    return {"ends_sha256": await digest_of_ends(blobs, video.blob_key, video.size)}


async def _plan(tx: Tx, video_id: VideoId, clip: VideoClip, digests: dict[str, str | None]) -> Video:
    """The rows of all that is to be made; an attempt before this one may have written them."""
    video = await _lock_wanted(tx, video_id)
    known = {rendition.name for rendition in await rendition_store.of_video(tx, video_id)}
    missing = [plan for plan in plan_renditions(clip) if plan.name not in known]
    await rendition_store.insert_many(tx, [_rendition(video_id, plan) for plan in missing])
    after = video.changed(duration_ms=clip.duration_ms, width=clip.width, height=clip.height, **digests)
    await video_store.put(tx, video, after)
    return after


def _rendition(video_id: VideoId, plan: RenditionPlan) -> Rendition:
    return Rendition(
        video_id=video_id, name=plan.name, width=plan.width, height=plan.height, bandwidth=plan.bandwidth,
        frame_rate=plan.frame_rate, codecs=plan.codecs,
    )  # fmt: skip


async def _next_plans(tx: Tx, video_id: VideoId, clip: VideoClip) -> list[RenditionPlan]:
    """Those of the next run: up to the smallest one with pictures, then all that are left."""
    renditions = await rendition_store.of_video(tx, video_id)
    if not renditions:
        raise VideoAbandoned
    missing = {rendition.name for rendition in renditions if rendition.playlist is None}
    left = [plan for plan in plan_renditions(clip) if plan.name in missing]
    if any(rendition.height and rendition.playlist is not None for rendition in renditions):
        return left
    first = next((number for number, plan in enumerate(left) if plan.has_pictures), len(left))
    return left[: first + 1]


async def _keep_rendition(
    tx: Tx, video_id: VideoId, made: MadeRendition, key: BlobKey, written: WrittenBlob, ends: str | None
) -> None:
    video = await _lock_wanted(tx, video_id)
    rendition = await rendition_store.find(tx, video.id, made.plan.name)
    if rendition is None:
        raise VideoAbandoned
    kept = msgspec.structs.replace(
        rendition, progress=100, playlist=made.playlist.text(f"{rendition.name}.mp4"),
        bandwidth=made.playlist.bandwidth, average_bandwidth=made.playlist.average_bandwidth, blob_key=key,
        size=written.size, blob_sha256=written.sha256, ends_sha256=ends,
    )  # fmt: skip
    await rendition_store.save(tx, kept)
    video = await ready_if_playable(tx, video, kept)
    await complete_if_last(tx, video)
    await stat_store.count_made(tx, "rendition", [], [(key, written.size)])


async def _keep_poster(tx: Tx, video_id: VideoId, key: BlobKey, written: WrittenBlob) -> None:
    video = await video_store.lock_known(tx, video_id)
    if video.poster_key is not None:
        raise VideoAbandoned
    after = video.changed(poster_key=key, poster_sha256=written.sha256)
    await video_store.put(tx, video, after)


async def _keep_board(tx: Tx, video_id: VideoId, board: Storyboard, key: BlobKey, written: WrittenBlob) -> None:
    video = await _lock_wanted(tx, video_id)
    after = video.changed(storyboard=board, storyboard_key=key, storyboard_sha256=written.sha256)
    await video_store.put(tx, video, after)


async def _lock_wanted(tx: Tx, video_id: VideoId) -> Video:
    video = await video_store.lock_known(tx, video_id)
    if video.status not in (VideoStatus.PROCESSING, VideoStatus.READY):
        raise VideoAbandoned
    return video
