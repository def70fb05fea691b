"""Create a video: its row, and the upload that its bytes will come by."""

import uuid

from stowboard.blobs.keys import new_key
from stowboard.core.caller import Access
from stowboard.core.errors import PayloadTooLarge, ValidationFailed
from stowboard.core.ids import new_id, time_of
from stowboard.core.metadata import checked_metadata
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.media.base.asset import MediaVisibility
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.upload import Upload, UploadId, UploadPurpose, new_token
from stowboard.media.videos import video_store
from stowboard.media.videos.events import announce_video
from stowboard.media.videos.video import ProviderVideoId, Video, VideoId
from stowboard.media.videos.wire import CreateVideoBody

#: How long an upload waits for its first byte; later ones prolong it.
WAIT_MS = 24 * 3600 * 1000


async def create_video(
    tx: Tx, access: Access, body: CreateVideoBody, max_bytes: int, url: str | None = None
) -> tuple[Video, Upload, str]:
    """The video, its upload, and the secret of the upload's address. The bytes are fetched from `url` if there is one.

    Raises SpaceNotFound, PayloadTooLarge or ValidationFailed.
    """
    if body.size is not None and body.size > max_bytes:
        raise PayloadTooLarge(f"size: a video may have at most {max_bytes} bytes on this server.")
    video_id, token = VideoId(new_id("vid")), new_token()
    now = time_of(video_id)
    video = Video(
        id=video_id,
        space=access.in_media(body.space_id),
        provider_video_id=ProviderVideoId(uuid.uuid4().hex),
        title=checked_title(body.title),
        tags=checked_tags(body.tags or []),
        visibility=body.visibility or MediaVisibility.PROTECTED,
        metadata=checked_metadata(body.metadata or {}),
        upload_id=new_id("upl"),
        mime_type=body.mime_type,
        created_by=access.caller.owner,
        created_at=now,
        updated_at=now,
    )
    upload = Upload(
        id=UploadId(video.upload_id),
        purpose=UploadPurpose.VIDEO,
        subject=video.id,
        blob_key=new_key("video"),
        length=body.size,
        url=url,
        space=video.space,
        mime_type=body.mime_type,
        created_by=access.caller.owner,
        made_through=access.caller.through,
        created_at=now,
        updated_at=now,
        expires_at=now + WAIT_MS,
    )
    await upload_store.insert(tx, upload, token)
    await announce_video(tx, kinds.VIDEO_CREATED, video)
    await video_store.put(tx, None, video)
    return video, upload, token


def checked_title(text: str) -> str:
    """Trimmed. Raises ValidationFailed."""
    title = text.strip()
    if not title:
        raise ValidationFailed("title: expected at least one character that is not a space.")
    return title
