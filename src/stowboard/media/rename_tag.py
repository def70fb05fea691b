"""Rename a tag of all assets and videos, or merge it into another: at once, or by a job if many have it."""

import msgspec

from stowboard.core.caller import Caller
from stowboard.core.tags import checked_tag, renamed
from stowboard.db.database import Tx
from stowboard.jobs import progress
from stowboard.jobs.progress import JobProgress, ProgressStatus
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.media.assets import asset_store, tag_store
from stowboard.media.assets.keep import keep_many
from stowboard.media.videos import video_store
from stowboard.media.videos.edit import edit_video
from stowboard.media.videos.wire import PatchVideoBody

#: Assets and videos of one transaction.
BATCH = 100


class MediaTagRename(msgspec.Struct, frozen=True):
    old: str
    new: str
    progress_id: str


async def rename_tag(tx: Tx, caller: Caller, old: str, new: str) -> int | JobProgress:
    """The number of changed assets and videos, or the progress of the job. Raises ValidationFailed."""
    old, new = checked_tag("from", old), checked_tag("to", new)
    if old == new:
        return 0
    total = await tag_store.count_of(tx, old) + await video_store.count_tagged(tx, old)
    if total <= BATCH:
        return await _rename_now(tx, old, new)
    begun = await progress.begin(tx, KIND, caller.owner, total)
    await enqueue(tx, RENAME_TAG, MediaTagRename(old, new, begun.id), dedup=begun.id)
    return begun


async def find_rename(tx: Tx, caller: Caller, rename_id: str) -> JobProgress | None:
    return await progress.find(tx, KIND, caller.owner, rename_id)


async def _rename_all(job: Job, args: MediaTagRename) -> None:
    while not await job.db.transact(_step, job, args):
        pass


async def _step(tx: Tx, job: Job, args: MediaTagRename) -> bool:
    """True if nothing was left. A step that found fewer than it looked for says nothing: others write meanwhile."""
    done = await _rename_some(tx, args.old, args.new)
    status = ProgressStatus.DONE if done is None else ProgressStatus.RUNNING
    await progress.advance(tx, args.progress_id, done or 0, status)
    if done is None:
        await job.complete(tx)
    return done is None


async def _rename_now(tx: Tx, old: str, new: str) -> int:
    total = 0
    while (done := await _rename_some(tx, old, new)) is not None:
        total += done
    return total


async def _rename_some(tx: Tx, old: str, new: str) -> int | None:
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


async def _gave_up(tx: Tx, args: MediaTagRename) -> None:
    await progress.advance(tx, args.progress_id, 0, ProgressStatus.FAILED)


KIND = "media.rename_tag"
RENAME_TAG = JobKind(KIND, "tags", _rename_all, args=MediaTagRename, gave_up=_gave_up)
