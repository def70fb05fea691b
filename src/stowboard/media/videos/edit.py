"""Change what a video is called and who may play it. What is omitted keeps its value."""

import msgspec
from msgspec import UNSET

from stowboard.core.caller import Access
from stowboard.core.metadata import checked_metadata
from stowboard.core.preconditions import check_if_match
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.media.videos import video_store
from stowboard.media.videos.create import checked_title
from stowboard.media.videos.events import announce_edit
from stowboard.media.videos.video import Video
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
    if edited == video:
        return video
    epoch = video.epoch + (edited.visibility is not video.visibility)
    after = edited.changed(epoch=epoch)
    await announce_edit(tx, video, after)
    await video_store.put(tx, video, after)
    return after
