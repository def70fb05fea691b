"""How the work on a video goes on and ends: ready, complete, or failed. Each is a transaction, or a part of one.

Each has locked the video. Finished renditions and a deletion or failure of the same video therefore come one after the
other, and the later one sees what the earlier one did.
"""

from contextlib import suppress

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import WrittenBlob
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.media.base import stat_store
from stowboard.media.base.discard import discard_later
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.videos import rendition_store, video_store
from stowboard.media.videos.events import announce_change, announce_failure, announce_video
from stowboard.media.videos.ffmpeg.ladder import RenditionPlan
from stowboard.media.videos.ffmpeg.transcode import MadeRendition
from stowboard.media.videos.ffmpeg.unplayable import Unplayable, UnplayableReason
from stowboard.media.videos.ffmpeg.workplace import VideoAbandoned
from stowboard.media.videos.video import ORIGINAL, POSTER, Rendition, Video, VideoId, VideoStatus

#: Longer than any video: a person who began to watch the original sees its end.
_WATCHED_MS = 24 * 3600 * 1000


async def lock_wanted(tx: Tx, video_id: VideoId) -> Video:
    """Raises VideoAbandoned."""
    video = await video_store.lock_known(tx, video_id)
    if video.status not in (VideoStatus.PROCESSING, VideoStatus.READY):
        raise VideoAbandoned
    return video


def new_rendition(video_id: VideoId, plan: RenditionPlan) -> Rendition:
    return Rendition(
        video_id=video_id, name=plan.name, width=plan.width, height=plan.height, bandwidth=plan.bandwidth,
        frame_rate=plan.frame_rate, codecs=plan.codecs,
    )  # fmt: skip


async def keep_rendition(
    tx: Tx, video_id: VideoId, made: MadeRendition, key: BlobKey, written: WrittenBlob, ends: str | None
) -> None:
    """Write down that the rendition is made. Raises VideoAbandoned."""
    video = await lock_wanted(tx, video_id)
    rendition = await rendition_store.find(tx, video.id, made.plan.name)
    if rendition is None and made.plan.name == ORIGINAL:
        rendition = new_rendition(video.id, made.plan)
        await rendition_store.insert_many(tx, [rendition])
    if rendition is None:
        raise VideoAbandoned
    kept = msgspec.structs.replace(
        rendition, progress=100, playlist=made.playlist.text(f"{rendition.name}.mp4"),
        bandwidth=made.playlist.bandwidth, average_bandwidth=made.playlist.average_bandwidth, blob_key=key,
        size=written.size, blob_sha256=written.sha256, ends_sha256=ends,
    )  # fmt: skip
    await rendition_store.save(tx, kept)
    if video.status is VideoStatus.PROCESSING and kept.height:
        # With the first rendition that has pictures the video can be played.
        before, video = video, video.changed(status=VideoStatus.READY)
        await video_store.put(tx, before, video)
        await announce_video(tx, kinds.VIDEO_READY, video)
    await _complete_if_last(tx, video)
    await stat_store.count_made(tx, "rendition", [], [(key, written.size)])


async def _complete_if_last(tx: Tx, video: Video) -> None:
    """Announce that the video is complete, if no rendition is missing any more."""
    renditions = await rendition_store.of_video(tx, video.id)
    if any(rendition.playlist is None for rendition in renditions):
        return
    if any(rendition.name == ORIGINAL for rendition in renditions):
        await enqueue(tx, DROP_ORIGINAL, VideoOrder(video.id), wait_ms=_WATCHED_MS, dedup=video.id)
    after = video.changed()
    await video_store.put(tx, video, after)
    await announce_video(tx, kinds.VIDEO_COMPLETED, after)


async def fail(tx: Tx, video: Video, why: Unplayable) -> None:
    """The video has failed: remove its renditions. The uploaded file and the poster stay.

    A video that can be played keeps the renditions that are made, and says why there are no more.
    """
    if video.status is VideoStatus.READY and await rendition_store.remove_unmade(tx, video.id):
        message = f"It can be played, but not in all renditions. {why.message}"
        after = video.changed(error_code=why.reason, error_message=message)
        await video_store.put(tx, video, after)
        await announce_video(tx, kinds.VIDEO_COMPLETED, after)
    elif video.status is VideoStatus.PROCESSING:
        after = video.changed(status=VideoStatus.FAILED, error_code=why.reason, error_message=why.message)
        await video_store.put(tx, video, after)
        made = await rendition_store.remove_all(tx, video.id)
        await discard_later(tx, [BlobKey(key) for key, _ in made])
        await announce_failure(tx, after)
        await stat_store.count_made(tx, "rendition", made)


class VideoOrder(msgspec.Struct, frozen=True):
    """A job that needs nothing but the video."""

    video_id: VideoId


async def drop_original(job: Job, args: VideoOrder) -> None:
    await job.db.transact(_drop_original, job, args.video_id)


async def _drop_original(tx: Tx, job: Job, video_id: VideoId) -> None:
    with suppress(VideoNotFound):
        video = await video_store.lock_known(tx, video_id)
        made = await rendition_store.remove(tx, video_id, ORIGINAL)
        await discard_later(tx, [BlobKey(key) for key, _ in made])
        await stat_store.count_made(tx, "rendition", made)
        if ORIGINAL in video.damaged:
            await video_store.put(tx, video, video.changed(damaged=[x for x in video.damaged if x != ORIGINAL]))
    await job.complete(tx)


DROP_ORIGINAL = JobKind("video.drop_original", "sweep", drop_original, args=VideoOrder, max_attempts=20)

GAVE_UP = Unplayable(
    UnplayableReason.GAVE_UP, "Every attempt to process it failed. Upload it again, or ask the operator."
)


async def put_poster(tx: Tx, video: Video, key: BlobKey, sha256: str) -> Video:
    """Replace the poster; the bytes of the one before go. This transaction has locked the video."""
    if video.poster_key is not None:
        await discard_later(tx, [video.poster_key])
    after = video.changed(
        poster_key=key, poster_sha256=sha256, damaged=[part for part in video.damaged if part != POSTER]
    )
    await video_store.put(tx, video, after)
    await announce_change(tx, after, ["poster"])
    return after
