"""Delete assets with their bytes and their open uploads.

The rows go at once, so every link, signed or not, is 404. A job removes the bytes, unless another asset has the same
ones. Rows are locked in the order of an upload: uploads, assets, contents, and the shared counts last. An upload that
is announced in between finds out when its bytes arrive and the asset is gone.
"""

from collections.abc import Sequence

from stowboard.core.caller import Access
from stowboard.core.ids import is_id
from stowboard.core.preconditions import check_if_match
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.jobs.queue import cancel
from stowboard.media.assets import asset_store, content_store
from stowboard.media.assets.events import announce_asset
from stowboard.media.assets.processing import PROCESS
from stowboard.media.assets.wire import etag
from stowboard.media.base.asset import Asset
from stowboard.media.base.discard import discard_later
from stowboard.media.base.uses import NO_USES, MediaUses
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.ending import end_upload


async def remove_asset(tx: Tx, access: Access, asset_id: str, if_match: str | None, uses: MediaUses = NO_USES) -> None:
    """Raises AssetNotFound, PreconditionFailed."""
    await end_uploads(tx, access, [asset_id])
    asset = await asset_store.lock(tx, access, asset_id)
    check_if_match(if_match, etag(asset))
    await _remove(tx, [asset], uses)


async def remove_assets(tx: Tx, access: Access, asset_ids: Sequence[str], uses: MediaUses = NO_USES) -> list[Asset]:
    """Delete the assets in reach, and return them."""
    await end_uploads(tx, access, asset_ids)
    assets = await asset_store.find_and_lock_many(tx, access, asset_ids)
    await _remove(tx, assets, uses)
    return assets


async def _remove(tx: Tx, assets: Sequence[Asset], uses: MediaUses) -> None:
    hashes = sorted({asset.sha256 for asset in assets if asset.sha256 is not None})
    await content_store.find_and_lock_many(tx, hashes)
    await discard_later(tx, [asset.incoming.key for asset in assets if asset.incoming is not None])
    for asset in assets:
        await cancel(tx, PROCESS, asset.id)
        await announce_asset(tx, kinds.ASSET_DELETED, asset)
    await uses.end_later(tx, [asset.id for asset in assets])
    await asset_store.remove_many(tx, assets)
    for sha256 in hashes:
        await content_store.release(tx, sha256)


async def end_uploads(tx: Tx, access: Access, asset_ids: Sequence[str]) -> None:
    """The ids that are an asset's: uploads of videos must not end here."""
    for upload in await upload_store.find_and_lock_open(
        tx, access, [asset_id for asset_id in asset_ids if is_id("ast", asset_id)]
    ):
        await end_upload(tx, upload)
