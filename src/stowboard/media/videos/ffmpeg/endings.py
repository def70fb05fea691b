"""How the work on a video goes and ends, in the transaction that says so: ready, complete, failed, or forgotten.

Each has the video locked. Finished renditions and a deletion or failure of the same video therefore come one after the
other, and the later one sees what the earlier one did.
"""

from stowboard.blobs.keys import BlobKey
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.media.base import stat_store
from stowboard.media.base.discard import discard_later
from stowboard.media.videos import rendition_store, video_store
from stowboard.media.videos.events import announce_failure, announce_video
from stowboard.media.videos.ffmpeg.unplayable import Unplayable, UnplayableReason
from stowboard.media.videos.video import Rendition, Video, VideoStatus


async def ready_if_playable(tx: Tx, video: Video, made: Rendition) -> Video:
    """`made` is saved: with the first rendition that has pictures the video can be played."""
    if video.status is not VideoStatus.PROCESSING or made.height == 0:
        return video
    after = video.changed(status=VideoStatus.READY)
    await video_store.put(tx, video, after)
    await announce_video(tx, kinds.VIDEO_READY, after)
    return after


async def complete_if_last(tx: Tx, video: Video) -> None:
    """A rendition is saved: if none is missing any more, that is told."""
    if any(rendition.playlist is None for rendition in await rendition_store.of_video(tx, video.id)):
        return
    after = video.changed()
    await video_store.put(tx, video, after)
    await announce_video(tx, kinds.VIDEO_COMPLETED, after)


async def fail(tx: Tx, video: Video, why: Unplayable) -> None:
    """Its renditions go; its own file and the poster stay. A video that can be played stays as it is."""
    if video.status is VideoStatus.READY:
        await _leave_incomplete(tx, video, why)
    if video.status is not VideoStatus.PROCESSING:
        return
    after = video.changed(status=VideoStatus.FAILED, error_code=why.reason, error_message=why.message)
    await video_store.put(tx, video, after)
    made = await rendition_store.remove_all(tx, video.id)
    await discard_later(tx, [BlobKey(key) for key, _ in made])
    await announce_failure(tx, after)
    await stat_store.count_made(tx, "rendition", made)


async def _leave_incomplete(tx: Tx, video: Video, why: Unplayable) -> None:
    """The video stays playable in the renditions that are made, and says why there are no more."""
    if not await rendition_store.remove_unmade(tx, video.id):
        return
    after = video.changed(
        error_code=why.reason, error_message=f"It can be played, but not in all renditions. {why.message}"
    )
    await video_store.put(tx, video, after)
    await announce_video(tx, kinds.VIDEO_COMPLETED, after)


GAVE_UP = Unplayable(
    UnplayableReason.GAVE_UP, "Every attempt to process it failed. Upload it again, or ask the operator."
)
