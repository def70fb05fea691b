"""The job that begins a video: it looks at the file, writes down what is to be made, and makes the poster.

A file whose pictures and sound browsers play already (H.264 and AAC, see `probe.py`) also becomes the rendition
`original`, by copying its streams: the video is `ready` in the time that its bytes take to be read and written. This
job has a queue of its own, so that a film that takes hours holds up nobody. The ladder is another job's (`making.py`).
Nothing has failed if a file cannot be copied: then the first rendition of the ladder makes the video `ready`.
"""

import asyncio
import logging
from contextlib import suppress
from pathlib import Path

import msgspec

from stowboard.blobs.hashing import hashed
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore, WrittenBlob
from stowboard.core.errors import InsufficientStorage
from stowboard.db.database import Tx
from stowboard.jobs.registry import Job
from stowboard.media.base.ends import WHOLE_BYTES, digest_of_ends
from stowboard.media.base.settings import MediaSettings
from stowboard.media.videos import rendition_store, video_store
from stowboard.media.videos.ffmpeg.clip import VideoClip, read_clip
from stowboard.media.videos.ffmpeg.endings import lock_wanted, new_rendition
from stowboard.media.videos.ffmpeg.ladder import RenditionPlan, ladder, plan_renditions
from stowboard.media.videos.ffmpeg.making import store_rendition
from stowboard.media.videos.ffmpeg.playlist import UnexpectedPlaylist
from stowboard.media.videos.ffmpeg.poster import make_poster
from stowboard.media.videos.ffmpeg.program import get_ffmpeg
from stowboard.media.videos.ffmpeg.transcode import copy_streams
from stowboard.media.videos.ffmpeg.unplayable import Unplayable
from stowboard.media.videos.ffmpeg.workplace import VideoAbandoned, stored, workplace
from stowboard.media.videos.video import ORIGINAL, Video, VideoId

#: A file that has more than this many times the bits of its top rendition is too much for most connections.
_MOST_TIMES = 6

log = logging.getLogger("stowboard.video")


async def prepare(job: Job, video_id: VideoId) -> VideoClip:
    """Raises Unplayable, VideoAbandoned, VideoNotFound; and trouble that may be over at the next attempt."""
    ffmpeg = await asyncio.to_thread(get_ffmpeg, job.use(MediaSettings).ffmpeg)
    async with workplace(job, video_id) as (folder, source, video):
        clip = await read_clip(source)
        video = await job.db.transact(_plan, video_id, clip, await _digests(job.use(BlobStore), video))
        if video.poster_key is None:
            await _make_poster(job, ffmpeg, folder, source, clip, video_id)
        if await job.db.read(rendition_store.find, video_id, ORIGINAL) is None:
            await _make_original(job, ffmpeg, folder, source, clip, video)
    return clip


async def _digests(blobs: BlobStore, video: Video) -> dict[str, str | None]:
    """The digest to check when the uploaded file is first served: all of a small file, the ends of a large one."""
    if video.blob_key is None or video.size is None:
        return {}
    if video.size <= WHOLE_BYTES:
        return {"blob_sha256": (await hashed(blobs.read(video.blob_key))).sha256}
    return {"ends_sha256": await digest_of_ends(blobs, video.blob_key, video.size)}


async def _plan(tx: Tx, video_id: VideoId, clip: VideoClip, digests: dict[str, str | None]) -> Video:
    """Write the rows of the ladder, except those that an earlier attempt has written."""
    video = await lock_wanted(tx, video_id)
    known = {rendition.name for rendition in await rendition_store.of_video(tx, video_id)}
    missing = [plan for plan in plan_renditions(clip) if plan.name not in known]
    await rendition_store.insert_many(tx, [new_rendition(video_id, plan) for plan in missing])
    after = video.changed(duration_ms=clip.duration_ms, width=clip.width, height=clip.height, **digests)
    await video_store.put(tx, video, after)
    return after


async def _make_poster(job: Job, ffmpeg: str, folder: Path, source: Path, clip: VideoClip, video_id: VideoId) -> None:
    try:
        file = await make_poster(ffmpeg, source, clip, folder)
    except Unplayable as why:
        log.warning("video %s has no poster: %s", video_id, why)
        return
    if file is not None:
        with suppress(VideoAbandoned):  # another was chosen meanwhile
            async with stored(job, file, "poster") as (key, written):
                await job.db.transact(_keep_poster, video_id, key, written)


async def _keep_poster(tx: Tx, video_id: VideoId, key: BlobKey, written: WrittenBlob) -> None:
    video = await video_store.lock_known(tx, video_id)
    if video.poster_key is not None:
        raise VideoAbandoned
    after = video.changed(poster_key=key, poster_sha256=written.sha256)
    await video_store.put(tx, video, after)


async def _make_original(job: Job, ffmpeg: str, folder: Path, source: Path, clip: VideoClip, video: Video) -> None:
    plan = plan_original(clip, video.size or 0)
    if plan is None:
        return
    try:
        await store_rendition(job, video.id, await copy_streams(ffmpeg, source, clip, plan, folder))
    except (Unplayable, UnexpectedPlaylist, InsufficientStorage) as why:
        log.warning("video %s is not played as it is, only once it is encoded: %s", video.id, why)


def plan_original(clip: VideoClip, size: int) -> RenditionPlan | None:
    """The file's own streams as a rendition, beside the ladder. None if they have to be encoded to be played."""
    top = ladder(clip)[-1]
    if clip.codecs is None or (top.width, top.height) != (clip.width, clip.height):
        return None
    if size * 8000 > _MOST_TIMES * top.bandwidth * clip.duration_ms:
        return None
    return msgspec.structs.replace(top, name=ORIGINAL, codecs=clip.codecs)
