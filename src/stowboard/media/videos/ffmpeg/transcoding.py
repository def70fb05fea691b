"""The jobs that make a video playable: look at it, then one job for each step of its ladder and one for the poster.

A worker that is killed costs the step it was at; the finished ones are kept. Each job stores what it made under a fresh
key, and then, in one transaction that locks the video, writes it down. If the video was deleted or has failed
meanwhile, the job finds that out at its next progress (within two seconds) or heartbeat, and ends ffmpeg.

Bytes that are hopeless make the video `failed` at once. Everything else (a full disk, a store that is away, a kill) is
tried again for about half an hour. A poster that cannot be made is no failure of the video.
"""

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.store import BlobStore, Written
from stowboard.core import clock
from stowboard.core.errors import ServiceUnavailable
from stowboard.db.database import Tx
from stowboard.jobs.lease import LeaseLost
from stowboard.jobs.queue import cancel, enqueue
from stowboard.jobs.registry import AnyKind, Job, JobKind
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.base.local_copy import local_copy
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos import rung_store, video_store
from stowboard.media.videos.ffmpeg.clip import Clip, read_clip
from stowboard.media.videos.ffmpeg.endings import GAVE_UP, fail, ready_if_complete
from stowboard.media.videos.ffmpeg.ladder import Step, ladder
from stowboard.media.videos.ffmpeg.playlist import MediaPlaylist
from stowboard.media.videos.ffmpeg.poster import make_poster
from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from stowboard.media.videos.ffmpeg.scratch import scratch_folder
from stowboard.media.videos.ffmpeg.transcode import make_step
from stowboard.media.videos.ffmpeg.unplayable import Unplayable
from stowboard.media.videos.video import Rung, Video, VideoId, VideoStatus

PROGRESS_S = 2.0
_CHUNK = 1 << 20
_ATTEMPTS, _RETRY_MS = 8, 15_000

log = logging.getLogger("stowboard.video")


class Probe(msgspec.Struct, frozen=True):
    video_id: VideoId


class MakeStep(msgspec.Struct, frozen=True):
    video_id: VideoId
    clip: Clip
    step: Step


class MakePoster(msgspec.Struct, frozen=True):
    video_id: VideoId
    clip: Clip


class Abandoned(Exception):
    """Nobody wants the result any more: the video has failed, or is ready already."""


async def look_at_video(job: Job, args: Probe) -> None:
    async with _while_wanted(job, args.video_id), _workplace(job, args.video_id) as (_, source):
        clip = await read_clip(source)
        await job.db.transact(_order_steps, job, args.video_id, clip)


async def make_rung(job: Job, args: MakeStep) -> None:
    ffmpeg = await asyncio.to_thread(get_ffmpeg, job.use(MediaSettings).ffmpeg)
    async with _while_wanted(job, args.video_id), _workplace(job, args.video_id) as (folder, source):
        report = _Reporter(job, args).report
        file, playlist = await make_step(ffmpeg, source, args.clip, args.step, folder, report)
        async with _stored(job, file, "rung") as (key, written):
            await job.db.transact(_keep_rung, job, args, playlist, key, written)


async def make_video_poster(job: Job, args: MakePoster) -> None:
    ffmpeg = await asyncio.to_thread(get_ffmpeg, job.use(MediaSettings).ffmpeg)
    async with _while_wanted(job, args.video_id), _workplace(job, args.video_id) as (folder, source):
        try:
            file = await make_poster(ffmpeg, source, args.clip, folder)
        except Unplayable as why:
            log.warning("video %s has no poster: %s", args.video_id, why)
            return
        if file is not None:
            async with _stored(job, file, "poster") as (key, written):
                await job.db.transact(_keep_poster, job, args.video_id, key, written)


async def cancel_jobs(tx: Tx, video: Video) -> None:
    """The video is locked by this transaction."""
    await cancel(tx, PROBE, video.id)
    await cancel(tx, POSTER, video.id)
    for rung in await rung_store.of_video(tx, video.id):
        await cancel(tx, STEP, _dedup(video.id, rung.name))


def _dedup(video_id: str, name: str) -> str:
    return f"{video_id}/{name}"


@asynccontextmanager
async def _while_wanted(job: Job, video_id: VideoId) -> AsyncIterator[None]:
    """Ends well where the bytes are hopeless, which is written down, and where nobody waits for the result."""
    try:
        yield
    except Unplayable as why:
        log.warning("video %s cannot be played: %s", video_id, why, exc_info=why.__cause__)
        with suppress(VideoNotFound):
            await job.db.transact(_fail_at_once, job, video_id, why)
    except (Abandoned, VideoNotFound):
        log.info("video %s was deleted or has failed meanwhile; nothing more is made of it", video_id)


@asynccontextmanager
async def _workplace(job: Job, video_id: VideoId) -> AsyncIterator[tuple[Path, Path]]:
    """A folder to work in, and the file that was uploaded: from a bucket a copy, in that folder."""
    video = await job.db.read(video_store.get, video_id)
    if video.blob_key is None or video.status is VideoStatus.FAILED:
        raise Abandoned
    async with (
        scratch_folder(job.use(MediaSettings).work_dir) as folder,
        local_copy(job.use(BlobStore), video.blob_key, folder) as source,
    ):
        yield folder, source


@asynccontextmanager
async def _stored(job: Job, file: Path, kind: str) -> AsyncIterator[tuple[BlobKey, Written]]:
    """The file as a blob, to be named by a transaction inside; taken back if that surely did not happen."""
    blobs, key = job.use(BlobStore), new_key(kind)
    written = await blobs.put(key, _chunks(file))
    try:
        yield key, written
    except (VideoNotFound, Abandoned, LeaseLost):
        await blobs.delete_many([key])
        raise


async def _chunks(file: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(file.open, "rb") as source:
        while chunk := await asyncio.to_thread(source.read, _CHUNK):
            yield chunk


class _Reporter:
    """Writes progress down, at most every two seconds, and notices that the step is no more."""

    def __init__(self, job: Job, args: MakeStep) -> None:
        self._job, self._args = job, args
        self._told = time.monotonic()

    async def report(self, percent: int) -> None:
        if time.monotonic() - self._told < PROGRESS_S:
            return
        self._told = time.monotonic()
        with suppress(ServiceUnavailable):  # the work goes on without the database, for a while
            names = self._args.video_id, self._args.step.name
            if not await self._job.db.transact(rung_store.set_progress, *names, percent):
                raise Abandoned


async def _order_steps(tx: Tx, job: Job, video_id: VideoId, clip: Clip) -> None:
    video = await _lock_wanted(tx, video_id)
    after = msgspec.structs.replace(
        video, duration_ms=clip.duration_ms, width=clip.width, height=clip.height, updated_at=clock.now_ms()
    )
    await video_store.put(tx, video, after)
    steps = ladder(clip)
    await rung_store.insert_many(tx, [_rung(video_id, step) for step in steps])
    await enqueue(tx, POSTER, MakePoster(video_id, clip), dedup=video_id)
    for step in steps:
        await enqueue(tx, STEP, MakeStep(video_id, clip, step), dedup=_dedup(video_id, step.name))
    await job.complete(tx)


def _rung(video_id: VideoId, step: Step) -> Rung:
    return Rung(
        video_id=video_id, name=step.name, width=step.width, height=step.height, bandwidth=step.bandwidth,
        frame_rate=step.frame_rate, codecs=step.codecs,
    )  # fmt: skip


async def _keep_rung(tx: Tx, job: Job, args: MakeStep, playlist: MediaPlaylist, key: BlobKey, written: Written) -> None:
    video = await _lock_wanted(tx, args.video_id)
    rung = await rung_store.find(tx, video.id, args.step.name)
    if rung is None:
        raise Abandoned
    made = msgspec.structs.replace(
        rung, progress=100, playlist=playlist.text(f"{rung.name}.mp4"), bandwidth=playlist.bandwidth,
        average_bandwidth=playlist.average_bandwidth, blob_key=key, size=written.size, blob_sha256=written.sha256,
    )  # fmt: skip
    await rung_store.save(tx, made)
    await ready_if_complete(tx, video)
    await job.complete(tx)


async def _keep_poster(tx: Tx, job: Job, video_id: VideoId, key: BlobKey, written: Written) -> None:
    video = await video_store.lock(tx, video_id)
    after = msgspec.structs.replace(video, poster_key=key, poster_sha256=written.sha256, updated_at=clock.now_ms())
    await video_store.put(tx, video, after)
    await job.complete(tx)


async def _lock_wanted(tx: Tx, video_id: VideoId) -> Video:
    video = await video_store.lock(tx, video_id)
    if video.status is not VideoStatus.PROCESSING:
        raise Abandoned
    return video


async def _fail_at_once(tx: Tx, job: Job, video_id: VideoId, why: Unplayable) -> None:
    video = await video_store.lock(tx, video_id)
    # Before the video's jobs are cancelled: this is one of them.
    await job.complete(tx)
    await cancel_jobs(tx, video)
    await fail(tx, video, why)


async def _give_up(tx: Tx, args: Probe | MakeStep) -> None:
    with suppress(VideoNotFound):
        video = await video_store.lock(tx, args.video_id)
        await cancel_jobs(tx, video)
        await fail(tx, video, GAVE_UP)


PROBE = JobKind(
    "video.probe", "video", look_at_video, args=Probe, max_attempts=_ATTEMPTS, retry_ms=_RETRY_MS, gave_up=_give_up
)
STEP = JobKind(
    "video.rung", "video", make_rung, args=MakeStep, max_attempts=_ATTEMPTS, retry_ms=_RETRY_MS, gave_up=_give_up
)
POSTER = JobKind("video.poster", "video", make_video_poster, args=MakePoster, max_attempts=3, retry_ms=_RETRY_MS)
JOBS: list[AnyKind] = [PROBE, STEP, POSTER]
