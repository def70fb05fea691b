"""The jobs of videos. They also end if the bytes are hopeless, if nobody waits any more, or if every attempt failed."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.db.database import Tx
from stowboard.jobs.queue import cancel, enqueue
from stowboard.jobs.registry import AnyKind, Job, JobKind
from stowboard.media.base.discard import discard_later
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos import rendition_store, video_store
from stowboard.media.videos.ffmpeg.clip import VideoClip, read_clip
from stowboard.media.videos.ffmpeg.endings import DROP_ORIGINAL, GAVE_UP, VideoOrder, fail, put_poster
from stowboard.media.videos.ffmpeg.making import make_all
from stowboard.media.videos.ffmpeg.poster import make_poster
from stowboard.media.videos.ffmpeg.preparing import prepare
from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from stowboard.media.videos.ffmpeg.unplayable import Unplayable
from stowboard.media.videos.ffmpeg.workplace import VideoAbandoned, stored, workplace
from stowboard.media.videos.video import Video, VideoId

_ATTEMPTS, _RETRY_MS = 8, 15_000

log = logging.getLogger("stowboard.video")


class MakeVideo(msgspec.Struct, frozen=True):
    video_id: VideoId
    clip: VideoClip


class FindPoster(msgspec.Struct, frozen=True):
    video_id: VideoId
    at_ms: int


async def prepare_video(job: Job, args: VideoOrder) -> None:
    async with _while_wanted(job, args.video_id):
        clip = await prepare(job, args.video_id)
        await job.db.transact(_go_on, job, MakeVideo(args.video_id, clip))


async def _go_on(tx: Tx, job: Job, args: MakeVideo) -> None:
    await enqueue(tx, MAKE, args, dedup=args.video_id, owner=job.owner)
    await job.complete(tx)


async def make_first(job: Job, args: MakeVideo) -> None:
    async with _while_wanted(job, args.video_id):
        await make_all(job, args.video_id, args.clip, first_only=True)
        await job.db.transact(_order_rest, job, args)


async def _order_rest(tx: Tx, job: Job, args: MakeVideo) -> None:
    if any(rendition.playlist is None for rendition in await rendition_store.of_video(tx, args.video_id)):
        await enqueue(tx, MAKE_REST, args, dedup=args.video_id, owner=job.owner)
    await job.complete(tx)


async def make_rest(job: Job, args: MakeVideo) -> None:
    async with _while_wanted(job, args.video_id):
        await make_all(job, args.video_id, args.clip)


async def find_poster(job: Job, args: FindPoster) -> None:
    """Make a chosen moment of a video its poster. A moment that cannot be shown leaves the poster as it is."""
    ffmpeg = await asyncio.to_thread(get_ffmpeg, job.use(MediaSettings).ffmpeg)
    try:
        async with workplace(job, args.video_id) as (folder, source, _):
            file = await make_poster(ffmpeg, source, await read_clip(source), folder, args.at_ms)
            if file is not None:
                async with stored(job, file, "poster") as (key, written):
                    await job.db.transact(_keep_poster, job, args.video_id, key, written.sha256)
    except Unplayable as why:
        log.warning("video %s keeps its poster: %s", args.video_id, why)
    except (VideoAbandoned, VideoNotFound):
        pass


async def _keep_poster(tx: Tx, job: Job, video_id: VideoId, key: BlobKey, sha256: str) -> None:
    await put_poster(tx, await video_store.lock_known(tx, video_id), key, sha256)
    await job.complete(tx)


@asynccontextmanager
async def _while_wanted(job: Job, video_id: VideoId) -> AsyncIterator[None]:
    """The job also ends well if the bytes are hopeless (the video then says so), or if nobody waits for the result."""
    try:
        yield
    except Unplayable as why:
        log.warning("video %s cannot be played: %s", video_id, why, exc_info=why.__cause__)
        with suppress(VideoNotFound):
            await job.db.transact(_fail_at_once, job, video_id, why)
    except (VideoAbandoned, VideoNotFound):
        log.info("video %s was deleted or has failed meanwhile; nothing more is made of it", video_id)


async def _fail_at_once(tx: Tx, job: Job, video_id: VideoId, why: Unplayable) -> None:
    await fail(tx, await video_store.lock_known(tx, video_id), why)
    await job.complete(tx)


async def _give_up(tx: Tx, args: VideoOrder | MakeVideo) -> None:
    with suppress(VideoNotFound):
        await fail(tx, await video_store.lock_known(tx, args.video_id), GAVE_UP)


# In queues of their own: a film that takes hours holds up nobody's first picture.
PREPARE = JobKind(
    "video.prepare", "prepare", prepare_video, args=VideoOrder, max_attempts=_ATTEMPTS, retry_ms=_RETRY_MS,
    gave_up=_give_up,
)  # fmt: skip
MAKE = JobKind(
    "video.make", "video", make_first, args=MakeVideo, max_attempts=_ATTEMPTS, retry_ms=_RETRY_MS, gave_up=_give_up
)
MAKE_REST = JobKind(
    "video.make_rest", "rendition", make_rest, args=MakeVideo, max_attempts=_ATTEMPTS, retry_ms=_RETRY_MS,
    gave_up=_give_up,
)  # fmt: skip
POSTER = JobKind("video.poster_at", "poster", find_poster, args=FindPoster, max_attempts=3, retry_ms=_RETRY_MS)
JOBS: list[AnyKind] = [PREPARE, MAKE, MAKE_REST, POSTER, DROP_ORIGINAL]


async def prepare_later(tx: Tx, video: Video) -> None:
    """Order all work on a video that was finalized."""
    await enqueue(tx, PREPARE, VideoOrder(video.id), dedup=video.id, owner=video.created_by)


async def find_poster_later(tx: Tx, video: Video, at_ms: int) -> None:
    await enqueue(tx, POSTER, FindPoster(video.id, at_ms), dedup=video.id, owner=video.created_by)


async def forget_work(tx: Tx, video: Video) -> None:
    """The caller has locked the video, and removes the uploaded file; jobs and all other files go here."""
    for kind in (PREPARE, MAKE, MAKE_REST, POSTER, DROP_ORIGINAL):
        await cancel(tx, kind, video.id)
    renditions = await rendition_store.of_video(tx, video.id)
    keys = [video.poster_key, video.storyboard_key, *(rendition.blob_key for rendition in renditions)]
    await discard_later(tx, [key for key in keys if key is not None])
