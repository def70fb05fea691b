"""Changes of a video while its bytes arrive.

All of this happens in the upload's own transactions, which lock the upload's row first and the video's second; so does
every verb that needs both.
"""

from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.upload import Upload
from stowboard.media.videos import video_store
from stowboard.media.videos.events import announce_video
from stowboard.media.videos.video import Video, VideoStatus


class VideoReceiver:
    """Bytes alone never finalize a video: that is the client's to say."""

    async def started(self, tx: Tx, upload: Upload) -> None:
        await _change(tx, upload, status=VideoStatus.UPLOADING, size=None)

    async def completed(self, tx: Tx, upload: Upload) -> None:
        video = await _change(tx, upload, status=VideoStatus.UPLOADING, size=upload.received)
        await announce_video(tx, kinds.VIDEO_UPLOADED, video)

    async def has_taken(self, tx: Tx, upload: Upload) -> bool:
        return _is_settled(await video_store.lock(tx, upload.subject))

    async def gone(self, tx: Tx, upload: Upload) -> None:
        video = await _change(tx, upload, status=VideoStatus.EXPIRED, size=None)
        if video.status is VideoStatus.EXPIRED:
            await announce_video(tx, kinds.VIDEO_EXPIRED, video)


async def lock_with_upload(tx: Tx, video_id: str) -> tuple[Video, Upload | None]:
    """Both, locked against other writers; the upload is None once it is forgotten. Raises VideoNotFound."""
    upload_id = (await video_store.get(tx, video_id)).upload_id
    upload = await upload_store.find_and_lock(tx, upload_id)
    return await video_store.lock(tx, video_id), upload


async def _change(tx: Tx, upload: Upload, status: VideoStatus, size: int | None) -> Video:
    video = await video_store.lock(tx, upload.subject)
    if _is_settled(video):
        return video
    after = video.changed(status=status, size=size)
    await video_store.put(tx, video, after)
    return after


def _is_settled(video: Video) -> bool:
    """Finalized or failed: its upload is but a memory."""
    return video.finalized_at is not None or video.status is VideoStatus.FAILED
