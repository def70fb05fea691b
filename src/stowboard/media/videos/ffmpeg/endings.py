"""How the work on a video ends, in the transaction that says so: ready, failed, or forgotten.

Each locks the video first. Finished steps and a deletion or failure of the same video therefore come one after the
other, and the later one sees what the earlier one did.
"""

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.media.base.discard import discard_later
from stowboard.media.videos import rung_store, video_store
from stowboard.media.videos.events import announce_failure, announce_video
from stowboard.media.videos.ffmpeg.unplayable import Reason, Unplayable
from stowboard.media.videos.video import Video, VideoStatus


async def ready_if_complete(tx: Tx, video: Video) -> None:
    """`video` is locked, and its steps are saved: it is ready when the last of them is there."""
    rungs = await rung_store.of_video(tx, video.id)
    if video.status is not VideoStatus.PROCESSING or any(rung.playlist is None for rung in rungs):
        return
    after = msgspec.structs.replace(video, status=VideoStatus.READY, updated_at=clock.now_ms())
    await video_store.put(tx, video, after)
    await announce_video(tx, kinds.VIDEO_READY, after)


async def fail(tx: Tx, video: Video, why: Unplayable) -> None:
    """`video` is locked. What was made of it goes; its own file stays, and so does the poster."""
    if video.status is not VideoStatus.PROCESSING:
        return
    after = msgspec.structs.replace(
        video,
        status=VideoStatus.FAILED,
        error_code=why.reason,
        error_message=why.message,
        updated_at=clock.now_ms(),
    )
    await video_store.put(tx, video, after)
    await discard_later(tx, await remove_rungs(tx, video))
    await announce_failure(tx, after)


async def remove_rungs(tx: Tx, video: Video) -> list[BlobKey]:
    """The keys of what they were, to be discarded."""
    keys = [rung.blob_key for rung in await rung_store.of_video(tx, video.id) if rung.blob_key is not None]
    await rung_store.remove_all(tx, video.id)
    return keys


GAVE_UP = Unplayable(Reason.GAVE_UP, "Every attempt to process it failed. Upload it again, or ask the operator.")
