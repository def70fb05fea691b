"""Events about videos."""

from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.kinds import EventKind, VideoEvent, VideoFailed, VideoUpdated
from stowboard.events.outbox import changed_members, emit
from stowboard.media.videos.video import Video

_TOLD = ("title", "tags", "visibility", "metadata", "trashed_at")


async def announce_video(tx: Tx, kind: EventKind[VideoEvent], video: Video) -> None:
    data = VideoEvent(video.id, video.provider_video_id, video.status)
    await emit(tx, kind, video.space, video.id, data)


async def announce_edit(tx: Tx, before: Video, after: Video) -> None:
    await announce_change(tx, after, changed_members(before, after, _TOLD))


async def announce_change(tx: Tx, after: Video, changed: list[str]) -> None:
    data = VideoUpdated(after.id, after.provider_video_id, after.status, changed)
    await emit(tx, kinds.VIDEO_UPDATED, after.space, after.id, data)


async def announce_transfer(tx: Tx, before: Video, after: Video) -> None:
    """Both spaces hear of it: who sees the old one alone finds the video gone."""
    changed = ["spaceId", *changed_members(before, after, ("visibility",))]
    data = VideoUpdated(after.id, after.provider_video_id, after.status, changed)
    for space in (before.space, after.space):
        await emit(tx, kinds.VIDEO_UPDATED, space, after.id, data)


async def announce_failure(tx: Tx, video: Video) -> None:
    data = VideoFailed(video.id, video.provider_video_id, video.status, video.error_code)
    await emit(tx, kinds.VIDEO_FAILED, video.space, video.id, data)
