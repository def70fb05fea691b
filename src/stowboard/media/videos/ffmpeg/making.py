"""The job that makes a video playable: one copy of its file, and from that all there is to make.

First come the poster and the smallest step of the ladder, with the sound alone and the storyboard; with that step the
video is `ready`. All other steps are then made in one run of ffmpeg. Measured on a minute of 1080p, the second reading
costs less than scaling from step to step saves (docs/decisions/0013-videos.md).

Each step is stored under a fresh key as soon as it is there, and written down in a transaction that locks the video. A
worker that is killed costs the run it was at; the next attempt looks at what is missing. If the video was deleted or
has failed meanwhile, the job finds that out at its next progress (within two seconds) or heartbeat, and ends ffmpeg.

Bytes that are hopeless make the video `failed` at once, or, if it could be played already, leave it with the steps it
has. Everything else (a full disk, a store that is away, a kill) is tried again for about half an hour. A poster or a
storyboard that cannot be made is no failure of the video.
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
from stowboard.blobs.store import BlobStore, Written
from stowboard.core.errors import ServiceUnavailable
from stowboard.db.database import Tx
from stowboard.jobs.registry import Job
from stowboard.media.base.ends import WHOLE_BYTES, digest_of_ends
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos import rung_store, video_store
from stowboard.media.videos.ffmpeg.clip import Clip, read_clip
from stowboard.media.videos.ffmpeg.endings import complete_if_last, ready_if_playable
from stowboard.media.videos.ffmpeg.ladder import Step, steps_of
from stowboard.media.videos.ffmpeg.poster import make_poster
from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from stowboard.media.videos.ffmpeg.storyboard import storyboard_of
from stowboard.media.videos.ffmpeg.transcode import STORYBOARD, Made, make_steps
from stowboard.media.videos.ffmpeg.unplayable import Unplayable
from stowboard.media.videos.ffmpeg.workplace import Abandoned, stored, workplace
from stowboard.media.videos.video import Rung, Storyboard, Video, VideoId, VideoStatus

PROGRESS_S = 2.0

log = logging.getLogger("stowboard.video")


async def make_all(job: Job, video_id: VideoId) -> None:
    """Raises Unplayable, Abandoned, VideoNotFound; and what another attempt may not meet."""
    ffmpeg = await asyncio.to_thread(get_ffmpeg, job.use(MediaSettings).ffmpeg)
    async with workplace(job, video_id) as (folder, source):
        clip = await read_clip(source)
        video = await job.db.transact(_plan, video_id, clip, await _digests(job, video_id))
        maker = _Maker(job, ffmpeg, folder, source, clip, video)
        await maker.make_poster()
        while steps := await job.db.read(_next_steps, video_id, clip):
            await maker.make(steps)
        await job.db.transact(job.complete)


class _Maker:
    def __init__(self, job: Job, ffmpeg: str, folder: Path, source: Path, clip: Clip, video: Video) -> None:
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
            with suppress(Abandoned):  # another was chosen meanwhile
                async with stored(self._job, file, "poster") as (key, written):
                    await self._job.db.transact(_keep_poster, self._video.id, key, written)

    async def make(self, steps: list[Step]) -> None:
        board = self._missing_board(steps)
        names = [step.name for step in steps]

        async def report(percent: int) -> None:
            await self._report(names, percent)

        made = await make_steps(self._ffmpeg, self._source, self._clip, steps, self._folder, report, board)
        if board is not None:
            await self._keep_board(board)
        for name in set(names) - {each.step.name for each in made}:
            await self._job.db.transact(rung_store.remove, self._video.id, name)
        for each in made:
            async with stored(self._job, each.file, "rung") as (key, written):
                ends = await digest_of_ends(self._job.use(BlobStore), key, written.size)
                await self._job.db.transact(_keep_rung, self._video.id, each, key, written, ends)
            await asyncio.to_thread(each.file.unlink)

    def _missing_board(self, steps: Sequence[Step]) -> Storyboard | None:
        """With the first run that has pictures, if there is none yet."""
        if self._video.storyboard is not None or not any(step.has_pictures for step in steps):
            return None
        return storyboard_of(self._clip)

    async def _keep_board(self, board: Storyboard) -> None:
        file = self._folder / STORYBOARD
        self._video = msgspec.structs.replace(self._video, storyboard=board)
        if await asyncio.to_thread(file.exists):
            async with stored(self._job, file, "storyboard") as (key, written):
                await self._job.db.transact(_keep_board, self._video.id, board, key, written)

    async def _report(self, names: list[str], percent: int) -> None:
        """Write progress down, at most every two seconds, and notice that the steps are no more."""
        if time.monotonic() - self._told < PROGRESS_S:
            return
        self._told = time.monotonic()
        with suppress(ServiceUnavailable):  # the work goes on without the database, for a while
            if not await self._job.db.transact(rung_store.set_progress, self._video.id, names, percent):
                raise Abandoned


async def _digests(job: Job, video_id: VideoId) -> dict[str, str | None]:
    """By which the uploaded file is known when it is first served: all of a small one, the ends of a large one."""
    video, blobs = await job.db.read(video_store.get, video_id), job.use(BlobStore)
    if video.blob_key is None or video.size is None:
        return {}
    if video.size <= WHOLE_BYTES:
        return {"blob_sha256": (await hashed(blobs.read(video.blob_key))).sha256}
    return {"ends_sha256": await digest_of_ends(blobs, video.blob_key, video.size)}


async def _plan(tx: Tx, video_id: VideoId, clip: Clip, digests: dict[str, str | None]) -> Video:
    """The rows of all that is to be made; an attempt before this one may have written them."""
    video = await _lock_wanted(tx, video_id)
    known = {rung.name for rung in await rung_store.of_video(tx, video_id)}
    await rung_store.insert_many(tx, [_rung(video_id, step) for step in steps_of(clip) if step.name not in known])
    after = video.changed(duration_ms=clip.duration_ms, width=clip.width, height=clip.height, **digests)
    await video_store.put(tx, video, after)
    return after


def _rung(video_id: VideoId, step: Step) -> Rung:
    return Rung(
        video_id=video_id, name=step.name, width=step.width, height=step.height, bandwidth=step.bandwidth,
        frame_rate=step.frame_rate, codecs=step.codecs,
    )  # fmt: skip


async def _next_steps(tx: Tx, video_id: VideoId, clip: Clip) -> list[Step]:
    """Those of the next run: up to the smallest one with pictures, then all that are left."""
    rungs = await rung_store.of_video(tx, video_id)
    if not rungs:
        raise Abandoned
    missing = {rung.name for rung in rungs if rung.playlist is None}
    left = [step for step in steps_of(clip) if step.name in missing]
    if any(rung.height and rung.playlist is not None for rung in rungs):
        return left
    first = next((number for number, step in enumerate(left) if step.has_pictures), len(left))
    return left[: first + 1]


async def _keep_rung(tx: Tx, video_id: VideoId, made: Made, key: BlobKey, written: Written, ends: str | None) -> None:
    video = await _lock_wanted(tx, video_id)
    rung = await rung_store.find(tx, video.id, made.step.name)
    if rung is None:
        raise Abandoned
    kept = msgspec.structs.replace(
        rung, progress=100, playlist=made.playlist.text(f"{rung.name}.mp4"), bandwidth=made.playlist.bandwidth,
        average_bandwidth=made.playlist.average_bandwidth, blob_key=key, size=written.size, blob_sha256=written.sha256,
        ends_sha256=ends,
    )  # fmt: skip
    await rung_store.save(tx, kept)
    video = await ready_if_playable(tx, video, kept)
    await complete_if_last(tx, video)


async def _keep_poster(tx: Tx, video_id: VideoId, key: BlobKey, written: Written) -> None:
    video = await video_store.lock(tx, video_id)
    if video.poster_key is not None:
        raise Abandoned
    after = video.changed(poster_key=key, poster_sha256=written.sha256)
    await video_store.put(tx, video, after)


async def _keep_board(tx: Tx, video_id: VideoId, board: Storyboard, key: BlobKey, written: Written) -> None:
    video = await _lock_wanted(tx, video_id)
    after = video.changed(storyboard=board, storyboard_key=key, storyboard_sha256=written.sha256)
    await video_store.put(tx, video, after)


async def _lock_wanted(tx: Tx, video_id: VideoId) -> Video:
    video = await video_store.lock(tx, video_id)
    if video.status not in (VideoStatus.PROCESSING, VideoStatus.READY):
        raise Abandoned
    return video
