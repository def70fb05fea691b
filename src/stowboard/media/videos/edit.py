"""Change a video's title, tags, metadata and visibility, or its space. Omitted members keep their values."""

import msgspec
from msgspec import UNSET

from stowboard.core.caller import Access
from stowboard.core.errors import Conflict
from stowboard.core.metadata import checked_metadata
from stowboard.core.preconditions import check_if_match
from stowboard.core.reach import LIBRARY
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.media.base.asset import MediaVisibility
from stowboard.media.base.errors import UploadIncomplete
from stowboard.media.base.uses import MediaUses
from stowboard.media.uploads import upload_store
from stowboard.media.videos import video_store
from stowboard.media.videos.create import checked_title
from stowboard.media.videos.events import announce_edit, announce_transfer
from stowboard.media.videos.finalize import lock_with_upload
from stowboard.media.videos.video import Video, VideoStatus
from stowboard.media.videos.wire import PatchVideoBody, etag


async def edit_video(tx: Tx, access: Access, video_id: str, body: PatchVideoBody, if_match: str | None = None) -> Video:
    """A change of the visibility ends the signed URLs that are out.

    Raises VideoNotFound, PreconditionFailed, TooManyItems or ValidationFailed.
    """
    video = await video_store.lock(tx, access, video_id)
    check_if_match(if_match, etag(video))
    edited = msgspec.structs.replace(
        video,
        title=video.title if body.title is UNSET else checked_title(body.title),
        tags=video.tags if body.tags is UNSET else checked_tags(body.tags or []),
        visibility=video.visibility if body.visibility is UNSET else body.visibility,
        metadata=video.metadata if body.metadata is UNSET else checked_metadata(body.metadata or {}),
    )
    return await keep_edit(tx, video, edited)


async def keep_edit(tx: Tx, before: Video, edited: Video) -> Video:
    """Store an edit of a video that this transaction has locked, if anything is different."""
    if edited == before:
        return before
    after = edited.changed(epoch=before.epoch + (edited.visibility is not before.visibility))
    await announce_edit(tx, before, after)
    await video_store.put(tx, before, after)
    return after


async def transfer_video(tx: Tx, access: Access, video_id: str, space: str, uses: MediaUses) -> Video:
    """Transfer a video whose bytes are there, or will never come. The caller is editor of the new space.

    Raises VideoNotFound, UploadIncomplete or Conflict.
    """
    video, upload = await lock_with_upload(tx, access, video_id)
    if video.space == space:
        return video
    if video.finalized_at is None and video.status not in (VideoStatus.FAILED, VideoStatus.EXPIRED):
        raise UploadIncomplete("Finalize the video first, then transfer it.")
    if await uses.find_used_outside(tx, [video.id], space):
        raise Conflict("A task outside of that space has the video attached. Detach it first.")
    visibility = MediaVisibility.PROTECTED if video.space == LIBRARY else video.visibility
    after = video.changed(space=space, visibility=visibility, epoch=video.epoch + 1)
    if upload is not None:
        await upload_store.save(tx, msgspec.structs.replace(upload, space=space))
    await announce_transfer(tx, video, after)
    await video_store.put(tx, video, after)
    return after
