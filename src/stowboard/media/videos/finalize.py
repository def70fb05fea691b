"""A video while its bytes arrive, and its finalization: they are all there, so the work on it may begin.

Bytes arrive in the upload's own transactions, which lock the upload's row first and the video's second; so does every
verb that needs both.

`examine` looks at the bytes before the transaction, which must not wait for them: it closes an upload of unknown length
where it stands, and reads the first bytes. If these are not a video, a transaction of its own makes the video `failed`:
the transaction that answers 400 leaves nothing behind. `finalize_video` then decides by what the rows say, and uses
what was found only if the upload still has the same bytes.
"""

from typing import NamedTuple

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobNotFound, BlobStore
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.events import kinds
from stowboard.media.base.errors import InvalidMedia, UploadGone, UploadIncomplete
from stowboard.media.base.sniff import SNIFF_BYTES, sniff
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.ending import end_upload
from stowboard.media.uploads.tus.closing import close_at_received, heal
from stowboard.media.uploads.upload import Upload, UploadState
from stowboard.media.videos import video_store
from stowboard.media.videos.events import announce_failure, announce_video
from stowboard.media.videos.ffmpeg.transcoding import prepare_later
from stowboard.media.videos.video import Video, VideoStatus

#: How long the upload's address still tells a client that asks again that all bytes are there.
REMEMBERED_MS = 24 * 3600 * 1000


class VideoReceiver:
    """Bytes alone never finalize a video: the client has to ask for that."""

    async def started(self, tx: Tx, upload: Upload) -> None:
        await _change(tx, upload, status=VideoStatus.UPLOADING, size=None)

    async def completed(self, tx: Tx, upload: Upload) -> None:
        video = await _change(tx, upload, status=VideoStatus.UPLOADING, size=upload.received)
        await announce_video(tx, kinds.VIDEO_UPLOADED, video)

    async def has_taken(self, tx: Tx, upload: Upload) -> bool:
        return _is_settled(await video_store.lock_known(tx, upload.subject))

    async def gone(self, tx: Tx, upload: Upload) -> None:
        video = await _change(tx, upload, status=VideoStatus.EXPIRED, size=None)
        if video.status is VideoStatus.EXPIRED:
            await announce_video(tx, kinds.VIDEO_EXPIRED, video)


async def lock_with_upload(
    tx: Tx, access: Access, video_id: str, *, trashed: bool = False
) -> tuple[Video, Upload | None]:
    """The video and its upload, locked against other writers; the upload is None once it is forgotten.

    Raises VideoNotFound, and InTrash unless `trashed`.
    """
    upload_id = (await video_store.get(tx, access, video_id)).upload_id
    upload = await upload_store.find_and_lock(tx, upload_id)
    return await video_store.lock(tx, access, video_id, trashed=trashed), upload


async def _change(tx: Tx, upload: Upload, status: VideoStatus, size: int | None) -> Video:
    video = await video_store.lock_known(tx, upload.subject)
    if _is_settled(video):
        return video
    after = video.changed(status=status, size=size)
    await video_store.put(tx, video, after)
    return after


def _is_settled(video: Video) -> bool:
    """Finalized or failed: what happens to its upload changes nothing any more."""
    return video.finalized_at is not None or video.status is VideoStatus.FAILED


class ExaminedUpload(NamedTuple):
    """The bytes that were looked at, and the video container that they are."""

    key: BlobKey
    mime_type: str


async def examine(services: Services, access: Access, video_id: str) -> ExaminedUpload | None:
    """Look at the bytes before the handler runs, which decides. None if there is nothing to look at, or no longer.

    Raises VideoNotFound.
    """
    db, blobs = services.use(Database), services.use(BlobStore)
    upload = await db.read(_find_waiting, access, video_id)
    if upload is not None and upload.state is UploadState.OPEN:
        upload = await _completed(services, upload)
    if upload is None or not upload.complete:
        return None
    try:
        mime_type = await _container(blobs, upload)
    except BlobNotFound:  # begun again or terminated at this very moment
        return None
    if mime_type is None:
        await db.transact(_fail, access, video_id, upload.blob_key)
        return None
    return ExaminedUpload(upload.blob_key, mime_type)


async def finalize_video(tx: Tx, access: Access, video_id: str, examined: ExaminedUpload | None) -> Video:
    """Begin the processing. A second time it changes nothing.

    Raises VideoNotFound, InvalidMedia, UploadGone or UploadIncomplete.
    """
    video, upload = await lock_with_upload(tx, access, video_id)
    if video.finalized_at is not None:
        return video
    if video.status is VideoStatus.FAILED:
        raise InvalidMedia(video.error_message)
    if upload is None or upload.state is UploadState.GONE:
        raise UploadGone("The upload has expired or was terminated. Create a new video.")
    if not upload.complete:
        raise UploadIncomplete(_missing(upload))
    if examined is None or examined.key != upload.blob_key:
        raise UploadIncomplete("The upload was changed at this very moment. Finalize again.")
    now = clock.now_ms()
    after = video.changed(
        status=VideoStatus.PROCESSING,
        blob_key=upload.blob_key,
        size=upload.received,
        mime_type=examined.mime_type,
        finalized_at=now,
    )
    await upload_store.save(tx, msgspec.structs.replace(upload, expires_at=now + REMEMBERED_MS))
    await prepare_later(tx, after)
    await video_store.put(tx, video, after)
    await announce_video(tx, kinds.VIDEO_PROCESSING, after)
    return after


async def _find_waiting(tx: Tx, access: Access, video_id: str) -> Upload | None:
    video = await video_store.get_usable(tx, access, video_id)
    return await upload_store.find(tx, video.upload_id) if video.finalized_at is None else None


async def _completed(services: Services, upload: Upload) -> Upload:
    """The upload, completed here if all bytes are there but the row does not know. Raises UploadGone, UploadLocked."""
    upload = await heal(services, upload)
    if upload.state is UploadState.OPEN and upload.received and upload.length in (None, upload.received):
        upload = await close_at_received(services, upload)
    return upload


async def _container(blobs: BlobStore, upload: Upload) -> str | None:
    """The type of the bytes, if they are a video. Playlists and scripts that name other files are not."""
    if not upload.received:
        return None
    chunks = blobs.read(upload.blob_key, 0, min(SNIFF_BYTES, upload.received))
    mime_type = sniff(b"".join([chunk async for chunk in chunks])) or ""
    return mime_type if mime_type.startswith("video/") else None


async def _fail(tx: Tx, access: Access, video_id: str, key: BlobKey) -> None:
    """The bytes are of no use to anybody and go; the video stays, so that its client can read why."""
    video, upload = await lock_with_upload(tx, access, video_id)
    if video.finalized_at is not None or upload is None or upload.blob_key != key or not upload.complete:
        return
    failed = video.changed(status=VideoStatus.FAILED, error_code=InvalidMedia.code, error_message=_NO_VIDEO)
    await end_upload(tx, upload)
    await announce_failure(tx, failed)
    await video_store.put(tx, video, failed)


_NO_VIDEO = (
    "The bytes are not a video file that is known here: MP4, MOV, WebM, Matroska, AVI, MPEG or the like."
    " Create a new video for other bytes."
)


def _missing(upload: Upload) -> str:
    if upload.length is None:
        return "No byte has arrived yet (offset 0, length unknown). Send them to tusUploadUrl, then finalize."
    return (
        f"{upload.received} of {upload.length} bytes have arrived (offset {upload.received}, length {upload.length})."
        " Send the rest to tusUploadUrl, then finalize."
    )
