"""Delete for good what was in the trash for long enough, and versions that are too old.

Each batch is a transaction, and locks the rows that a restoring locks: the later one of the two finds what the earlier
one did. The bytes go as after any deletion, by a job that the same transaction ordered.
"""

from contextlib import suppress

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.db.database import Tx
from stowboard.events.changes.settings import HistorySettings
from stowboard.jobs.registry import AnyKind, Job, JobKind, NoArgs
from stowboard.jobs.schedule import AnyPeriodic, PeriodicJob
from stowboard.media.assets import asset_store, version_store
from stowboard.media.assets.remove import end_uploads, remove_locked
from stowboard.media.assets.versions import remove_versions
from stowboard.media.base.asset import Asset
from stowboard.media.base.errors import VideoNotFound
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.uses import MediaUses
from stowboard.media.videos import video_store
from stowboard.media.videos.finalize import lock_with_upload
from stowboard.media.videos.remove import remove_locked as remove_locked_video
from stowboard.media.videos.video import Video

BATCH = 100
_DAY_MS = 24 * 3600 * 1000


async def purge(job: Job, _: NoArgs) -> None:
    now, uses = clock.now_ms(), job.use(MediaUses)
    trashed_before = now - job.use(HistorySettings).trash_ms
    while await job.db.transact(purge_assets, trashed_before, uses):
        pass
    while await job.db.transact(purge_videos, trashed_before, uses):
        pass
    replaced_before = now - job.use(MediaSettings).version_days * _DAY_MS
    while await job.db.transact(purge_versions, replaced_before):
        pass


async def purge_assets(tx: Tx, trashed_before: int, uses: MediaUses) -> bool:
    """Delete some that were put into the trash before this time, of one space; False if there was none."""
    found = await asset_store.find_purgeable(tx, trashed_before, BATCH)
    for space in {space for _, space in found[:1]}:
        access, ids = Access.of_service(space), [asset_id for asset_id, where in found if where == space]
        await end_uploads(tx, access, ids)
        assets = await asset_store.find_and_lock_many(tx, access, ids, trashed=True)
        await remove_locked(tx, [asset for asset in assets if _is_due(asset, trashed_before)], uses)
    return bool(found)


async def purge_videos(tx: Tx, trashed_before: int, uses: MediaUses) -> bool:
    """Delete one that was put into the trash before this time; False if there was none."""
    for video_id, space in (found := await video_store.find_purgeable(tx, trashed_before, 1)):
        with suppress(VideoNotFound):
            video, upload = await lock_with_upload(tx, Access.of_service(space), video_id, trashed=True)
            if _is_due(video, trashed_before):
                await remove_locked_video(tx, video, upload, uses)
    return bool(found)


async def purge_versions(tx: Tx, replaced_before: int) -> bool:
    """Delete some that were replaced before this time; False if there was none."""
    ids = await version_store.find_old(tx, replaced_before, BATCH)
    assets = await asset_store.find_and_lock_known(tx, ids)
    versions = await version_store.of_assets(tx, assets)
    old = [
        (asset, [version for version in versions.get(asset.id, ()) if version.replaced_at < replaced_before])
        for asset in assets
    ]
    await remove_versions(tx, old)
    return bool(ids)


def _is_due(media: Asset | Video, before: int) -> bool:
    """False if it was restored meanwhile."""
    return media.trashed_at is not None and media.trashed_at < before


PURGE = JobKind("media.purge", "sweep", purge, args=NoArgs)
JOBS: list[AnyKind] = [PURGE]
PERIODICS: list[AnyPeriodic] = [PeriodicJob("media.purge", 3_600_000, PURGE, NoArgs())]
