"""Delete a video with all that was made of it, and its open upload."""

from stowboard.core.caller import Access
from stowboard.core.preconditions import check_if_match
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes import change_store
from stowboard.media.base.discard import discard_later
from stowboard.media.base.uses import NO_USES, MediaUses
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.ending import discard_bytes
from stowboard.media.uploads.upload import Upload, UploadState
from stowboard.media.videos import video_store
from stowboard.media.videos.events import announce_video
from stowboard.media.videos.ffmpeg.transcoding import forget_work
from stowboard.media.videos.finalize import lock_with_upload
from stowboard.media.videos.video import Video
from stowboard.media.videos.wire import etag


async def remove_video(tx: Tx, access: Access, video_id: str, if_match: str | None, uses: MediaUses = NO_USES) -> Video:
    """Delete the video and all that was made of it; returns it. Links that play it stop.

    Raises VideoNotFound, PreconditionFailed.
    """
    video, upload = await lock_with_upload(tx, access, video_id, trashed=True)
    check_if_match(if_match, etag(video))
    await remove_locked(tx, video, upload, uses)
    return video


async def remove_locked(tx: Tx, video: Video, upload: Upload | None, uses: MediaUses) -> None:
    """This transaction has locked the video and its upload."""
    await forget_work(tx, video)
    if video.blob_key is not None:
        await discard_later(tx, [video.blob_key])
    elif upload is not None and upload.state is not UploadState.GONE:
        await discard_bytes(tx, upload)
    await upload_store.remove(tx, video.upload_id)
    await announce_video(tx, kinds.VIDEO_DELETED, video)
    await uses.end_later(tx, [video.id])
    await change_store.forget_subjects(tx, [video.id])
    await video_store.remove(tx, video)
