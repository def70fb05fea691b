"""Events about videos."""

from collections.abc import Mapping
from typing import Any

from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes import change_store
from stowboard.events.kinds import EventKind, VideoEvent, VideoFailed, VideoUpdated
from stowboard.events.outbox import camel, changed_members, emit
from stowboard.media.videos.video import Video

_TOLD = ("title", "tags", "visibility", "metadata", "trashed_at")


#: Members that history brings back, by their names on the wire.
KEPT = {camel(name): name for name in _TOLD}


async def announce_video(tx: Tx, kind: EventKind[VideoEvent], video: Video) -> None:
    data = VideoEvent(video.id, video.provider_video_id, video.status)
    created = kind is kinds.VIDEO_CREATED
    changes = change_store.added_by_program(tx, kind, video.space, video.id) if created else ()
    await emit(tx, kind, video.space, video.id, data, changes)


async def announce_edit(tx: Tx, before: Video, after: Video) -> None:
    changed = changed_members(before, after, _TOLD)
    await announce_change(tx, after, changed, {member: getattr(before, KEPT[member]) for member in changed})


async def announce_change(tx: Tx, after: Video, changed: list[str], earlier: Mapping[str, Any] | None = None) -> None:
    """`earlier` has the values that history can bring back."""
    data = VideoUpdated(after.id, after.provider_video_id, after.status, changed)
    change = change_store.added(tx, kinds.VIDEO_UPDATED, after.space, after.id, changed, earlier or {})
    await emit(tx, kinds.VIDEO_UPDATED, after.space, after.id, data, [change])


async def announce_transfer(tx: Tx, before: Video, after: Video) -> None:
    """Both spaces hear of it: for members of the old one alone the video is gone."""
    changed = ["spaceId", *changed_members(before, after, ("visibility",))]
    data = VideoUpdated(after.id, after.provider_video_id, after.status, changed)
    change = change_store.added(tx, "media.video.transferred", after.space, after.id, changed, {})
    await emit(tx, kinds.VIDEO_UPDATED, before.space, after.id, data)
    await emit(tx, kinds.VIDEO_UPDATED, after.space, after.id, data, [change])


async def announce_failure(tx: Tx, video: Video) -> None:
    data = VideoFailed(video.id, video.provider_video_id, video.status, video.error_code)
    await emit(tx, kinds.VIDEO_FAILED, video.space, video.id, data)
