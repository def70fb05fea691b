"""Rename a tag of all assets and videos, or merge it into another: at once, or by a job if many have it."""

import msgspec

from stowboard.core.caller import Caller
from stowboard.core.tags import checked_tag, renamed
from stowboard.db.database import Tx
from stowboard.jobs.progress import JobProgress
from stowboard.jobs.tag_renaming import BATCH, TagRenaming
from stowboard.media.assets import asset_store, tag_store
from stowboard.media.assets.keep import keep_many
from stowboard.media.videos import video_store
from stowboard.media.videos.edit import edit_video
from stowboard.media.videos.wire import PatchVideoBody


async def rename_tag(tx: Tx, caller: Caller, old: str, new: str) -> int | JobProgress:
    """The number of changed assets and videos, or the progress of the job. Raises ValidationFailed."""
    old, new = checked_tag("from", old), checked_tag("to", new)
    if old == new:
        return 0
    total = await tag_store.count_of(tx, old) + await video_store.count_tagged(tx, old)
    return await RENAMING.begin(tx, caller.owner, old, new, total)


async def _rename_some(tx: Tx, _: str, old: str, new: str) -> int | None:
    """The number of changed assets and videos; None if none has the tag."""
    video_ids = await video_store.find_tagged(tx, old, BATCH)
    ids = await asset_store.find_tagged(tx, old, BATCH - len(video_ids))
    if not video_ids and not ids:
        return None
    videos = await video_store.find_and_lock_many(tx, video_ids)
    for video in videos:
        await edit_video(tx, video.id, PatchVideoBody(tags=renamed(video.tags, old, new)))
    assets = [asset for asset in await asset_store.find_and_lock_many(tx, ids) if old in asset.tags]
    await keep_many(tx, [(each, msgspec.structs.replace(each, tags=renamed(each.tags, old, new))) for each in assets])
    return len(videos) + len(assets)


RENAMING = TagRenaming("media.rename_tag", "tags", _rename_some)
