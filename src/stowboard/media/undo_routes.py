"""Undo changes of assets and videos: their members get the values that they had.

Undoing a replacement restores the version before it, and undoing a creation puts the thing into the trash. What is in
the trash has to be restored first.
"""

from typing import Any, TypeVar

import msgspec

from stowboard.api.endpoint import AnyCall
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import Conflict, InTrash
from stowboard.db.database import Tx
from stowboard.events.changes.change_store import Change
from stowboard.events.changes.undo import check_undoable
from stowboard.media.assets import asset_store
from stowboard.media.assets.events import KEPT as ASSET_MEMBERS
from stowboard.media.assets.keep import check_visibility, keep_many
from stowboard.media.assets.versions import restore_version
from stowboard.media.assets.wire import AssetView, view
from stowboard.media.base.asset import Asset
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.videos import video_store
from stowboard.media.videos.edit import keep_edit
from stowboard.media.videos.events import KEPT as VIDEO_MEMBERS
from stowboard.media.videos.progress import progress_of
from stowboard.media.videos.video import Video
from stowboard.media.videos.wire import VideoView, show

M = TypeVar("M", Asset, Video)


class AssetUndo:
    read_scope, write_scope = "media:read", "media:write"

    async def undo(self, tx: Tx, access: Access, change: Change, call: AnyCall) -> AssetView:
        """Raises AssetNotFound, AssetVersionNotFound, InTrash, VisibilityBound or Conflict."""
        asset = await asset_store.lock(tx, access, change.subject, trashed=True)
        earlier = await _earlier(tx, asset, change)
        if "version" in earlier:
            keep, storage = call.use(MediaSettings).version_keep, call.use(Storage)
            return view(call, await restore_version(tx, access, asset.id, earlier["version"], keep, storage))
        after = _with(asset, earlier, ASSET_MEMBERS)
        check_visibility(access, asset, after)
        (kept,) = await keep_many(tx, [(asset, after)])
        return view(call, kept)


class VideoUndo:
    read_scope, write_scope = "media:read", "media:write"

    async def undo(self, tx: Tx, access: Access, change: Change, call: AnyCall) -> VideoView:
        """Raises VideoNotFound, InTrash or Conflict."""
        video = await video_store.lock(tx, access, change.subject, trashed=True)
        after = _with(video, await _earlier(tx, video, change), VIDEO_MEMBERS)
        kept = await keep_edit(tx, video, after)
        return show(call, kept, (await progress_of(tx, [kept]))[kept.id])


async def _earlier(tx: Tx, media: Asset | Video, change: Change) -> dict[str, Any]:
    """The values to bring back, by members."""
    earlier = await check_undoable(tx, change)
    if not change.changed or earlier.get("trashedAt") is not None:
        return {"trashedAt": clock.now_ms()}
    if media.trashed_at is not None and "trashedAt" not in earlier:
        raise InTrash(f"{media.id} is in the trash. Restore it first.")
    return earlier


def _with(media: M, earlier: dict[str, Any], names: dict[str, str]) -> M:
    types = {field.name: field.type for field in msgspec.structs.fields(media)}
    values = {names[member]: msgspec.convert(value, types[names[member]]) for member, value in earlier.items()}
    after = msgspec.structs.replace(media, **values)
    if after == media:
        raise Conflict("It is as it was before this change already.")
    return after
