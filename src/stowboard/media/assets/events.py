"""What happens to assets, as events."""

from stowboard.db.database import Tx
from stowboard.events.outbox import emit
from stowboard.media.base.asset import Asset


async def announce_asset(tx: Tx, what: str, asset: Asset) -> None:
    """`created` (there are bytes for it), `ready`, `replaced`, `failed`, `updated`, `deleted`."""
    data = {"assetId": asset.id, "version": asset.version, "processingStatus": asset.status}
    await emit(tx, f"media.asset.{what}", asset.created_by, asset.id, data)
