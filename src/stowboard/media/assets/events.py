"""Events of assets."""

from collections.abc import Sequence

from stowboard.db.database import Tx, Write
from stowboard.events import kinds
from stowboard.events.changes import change_store
from stowboard.events.kinds import AssetEvent, AssetFailed, AssetUpdated, EventKind
from stowboard.events.outbox import camel, changed_members, emit
from stowboard.media.base.asset import Asset

_TOLD = (
    "filename", "tags", "alt", "title", "focal_point", "visibility", "allowed_namespaces", "metadata", "trashed_at",
)  # fmt: skip
#: Members of an asset, with their names on the wire.
_FOUND = {
    "pages": "pages", "duration_ms": "duration", "placeholder": "placeholder", "poster": "thumbnailUrl",
    "error_code": "processingError",
}  # fmt: skip


#: Members that history brings back, by their names on the wire. Only an admin changes a binding.
KEPT = {camel(name): name for name in _TOLD if name != "allowed_namespaces"}


async def announce_asset(tx: Tx, kind: EventKind[AssetEvent], asset: Asset, changes: Sequence[Write] = ()) -> None:
    if kind is kinds.ASSET_CREATED:
        changes = change_store.added_by_program(tx, kind, asset.space, asset.id)
    await emit(tx, kind, asset.space, asset.id, AssetEvent(asset.id, asset.version, asset.status), changes)


async def announce_edit(tx: Tx, before: Asset, after: Asset) -> None:
    changed = changed_members(before, after, _TOLD)
    kept = {member: getattr(before, KEPT[member]) for member in changed if member in KEPT}
    change = change_store.added(tx, kinds.ASSET_UPDATED, after.space, after.id, changed, kept)
    data = AssetUpdated(after.id, after.version, after.status, changed)
    await emit(tx, kinds.ASSET_UPDATED, after.space, after.id, data, [change])


async def announce_replacement(tx: Tx, before: Asset, after: Asset, *, kept: bool) -> None:
    """It can be undone if the version before is `kept`."""
    earlier = {"version": before.version} if kept else {}
    change = change_store.added(tx, kinds.ASSET_REPLACED, after.space, after.id, ["version"], earlier)
    await announce_asset(tx, kinds.ASSET_REPLACED, after, [change])
    await announce_asset(tx, kinds.ASSET_READY, after)


async def announce_description(tx: Tx, before: Asset, after: Asset) -> None:
    """The asset was described, or cannot be."""
    changed = [name for field, name in _FOUND.items() if getattr(before, field) != getattr(after, field)]
    data = AssetUpdated(after.id, after.version, after.status, changed)
    await emit(tx, kinds.ASSET_UPDATED, after.space, after.id, data)


async def announce_transfer(tx: Tx, before: Asset, after: Asset) -> None:
    """Tell both spaces: for those who are members of the old one only, the asset is gone."""
    changed = ["spaceId", *changed_members(before, after, ("visibility",))]
    data = AssetUpdated(after.id, after.version, after.status, changed)
    change = change_store.added(tx, "media.asset.transferred", after.space, after.id, changed, {})
    await emit(tx, kinds.ASSET_UPDATED, before.space, after.id, data)
    await emit(tx, kinds.ASSET_UPDATED, after.space, after.id, data, [change])


async def announce_failure(tx: Tx, asset: Asset) -> None:
    data = AssetFailed(asset.id, asset.version, asset.status, asset.error_code)
    await emit(tx, kinds.ASSET_FAILED, asset.space, asset.id, data)
