"""Events of assets."""

from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.kinds import AssetEvent, AssetFailed, AssetUpdated, EventKind
from stowboard.events.outbox import changed_members, emit
from stowboard.media.base.asset import Asset

_TOLD = (
    "filename", "tags", "alt", "title", "focal_point", "visibility", "allowed_namespaces", "metadata", "trashed_at",
)  # fmt: skip
#: Members of an asset, with their names on the wire.
_FOUND = {
    "pages": "pages", "duration_ms": "duration", "placeholder": "placeholder", "poster": "thumbnailUrl",
    "error_code": "processingError",
}  # fmt: skip


async def announce_asset(tx: Tx, kind: EventKind[AssetEvent], asset: Asset) -> None:
    await emit(tx, kind, asset.space, asset.id, AssetEvent(asset.id, asset.version, asset.status))


async def announce_edit(tx: Tx, before: Asset, after: Asset) -> None:
    data = AssetUpdated(after.id, after.version, after.status, changed_members(before, after, _TOLD))
    await emit(tx, kinds.ASSET_UPDATED, after.space, after.id, data)


async def announce_description(tx: Tx, before: Asset, after: Asset) -> None:
    """The asset was described, or cannot be."""
    changed = [name for field, name in _FOUND.items() if getattr(before, field) != getattr(after, field)]
    data = AssetUpdated(after.id, after.version, after.status, changed)
    await emit(tx, kinds.ASSET_UPDATED, after.space, after.id, data)


async def announce_transfer(tx: Tx, before: Asset, after: Asset) -> None:
    """Both spaces hear of it: who sees the old one alone finds the asset gone."""
    changed = ["spaceId", *changed_members(before, after, ("visibility",))]
    data = AssetUpdated(after.id, after.version, after.status, changed)
    for space in (before.space, after.space):
        await emit(tx, kinds.ASSET_UPDATED, space, after.id, data)


async def announce_failure(tx: Tx, asset: Asset) -> None:
    data = AssetFailed(asset.id, asset.version, asset.status, asset.error_code)
    await emit(tx, kinds.ASSET_FAILED, asset.space, asset.id, data)
