"""Delete assets with their bytes, their versions and their open uploads.

The rows go at once, so every link, signed or not, is 404. A job removes the bytes, unless another asset or version
has the same ones. Rows are locked in the order of an upload: uploads, assets, contents, and the shared counts last. An
upload that is announced meanwhile finds out when its bytes arrive: the asset is gone.
"""

from collections.abc import Sequence

from stowboard.core.caller import Access
from stowboard.core.ids import is_id
from stowboard.core.preconditions import check_if_match
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes import change_store
from stowboard.jobs.queue import cancel
from stowboard.media.assets import asset_store, content_store, version_store
from stowboard.media.assets.events import announce_asset
from stowboard.media.assets.processing import PROCESS
from stowboard.media.assets.wire import etag
from stowboard.media.base.asset import Asset
from stowboard.media.base.discard import discard_later
from stowboard.media.base.uses import NO_USES, MediaUses
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.ending import end_upload


async def remove_asset(tx: Tx, access: Access, asset_id: str, if_match: str | None, uses: MediaUses = NO_USES) -> Asset:
    """The asset that was deleted. Raises AssetNotFound, PreconditionFailed."""
    await end_uploads(tx, access, [asset_id])
    asset = await asset_store.lock(tx, access, asset_id, trashed=True)
    check_if_match(if_match, etag(asset))
    await remove_locked(tx, [asset], uses)
    return asset


async def remove_assets(tx: Tx, access: Access, asset_ids: Sequence[str], uses: MediaUses = NO_USES) -> list[Asset]:
    """Delete the assets in reach, and return them."""
    await end_uploads(tx, access, asset_ids)
    assets = await asset_store.find_and_lock_many(tx, access, asset_ids, trashed=True)
    await remove_locked(tx, assets, uses)
    return assets


async def remove_locked(tx: Tx, assets: Sequence[Asset], uses: MediaUses) -> None:
    """This transaction has locked the assets, and ended their uploads before."""
    versions = await version_store.of_assets(tx, assets)
    hashes = {asset.sha256 for asset in assets if asset.sha256 is not None}
    hashes |= {version.sha256 for some in versions.values() for version in some}
    await content_store.find_and_lock_many(tx, hashes)
    await discard_later(tx, [asset.incoming.key for asset in assets if asset.incoming is not None])
    for asset in assets:
        await cancel(tx, PROCESS, asset.id)
        await announce_asset(tx, kinds.ASSET_DELETED, asset)
    await uses.end_later(tx, [asset.id for asset in assets])
    stats = [(version_store.stat_of(asset, each), None) for asset in assets for each in versions.get(asset.id, ())]
    await change_store.forget_subjects(tx, [asset.id for asset in assets])
    await asset_store.remove_many(tx, assets, stats)
    await content_store.release(tx, hashes)


async def end_uploads(tx: Tx, access: Access, asset_ids: Sequence[str]) -> None:
    """Ids of other things are ignored: uploads of videos must not end here."""
    known = [asset_id for asset_id in asset_ids if is_id("ast", asset_id)]
    for upload in await upload_store.find_and_lock_open(tx, access, known):
        await end_upload(tx, upload)
