"""Transfer assets to another space, or copy one into it.

No reference crosses spaces. An asset that leaves the Library becomes protected, and its signed URLs end. Its earlier
versions stay behind and end, unless they are asked for: the new space sees only what it was given. An asset that
a task outside of the new space has attached is not transferred; a copy of it can be made. A copy is a row of its own
with the same bytes.
"""

from collections.abc import Sequence

import msgspec

from stowboard.core.caller import Access
from stowboard.core.errors import Conflict
from stowboard.core.ids import new_id, time_of
from stowboard.core.reach import LIBRARY
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.media.assets import asset_store, content_store, version_store
from stowboard.media.assets.bulk import checked_ids
from stowboard.media.assets.describing import describe_later
from stowboard.media.assets.events import announce_asset, announce_transfer
from stowboard.media.assets.keep import check_visibility
from stowboard.media.assets.remove import end_uploads
from stowboard.media.base.asset import Asset, AssetId, AssetStatus, MediaVisibility
from stowboard.media.base.errors import AssetNotFound, AssetNotReady, ContentDamaged
from stowboard.media.base.signed_urls import require_minting
from stowboard.media.base.stat_store import StatChange
from stowboard.media.base.uses import MediaUses


async def transfer_assets(
    tx: Tx, access: Access, ids: Sequence[str], space: str, uses: MediaUses, *, keep_versions: bool = False
) -> list[Asset]:
    """Transfer all of them, or none. The caller is editor of the new space. Versions that do not go along end.

    Raises AssetNotFound, AssetNotReady, NamespaceNotAllowed, VisibilityBound, Conflict or TooManyItems.
    """
    wanted = checked_ids(ids)
    await end_uploads(tx, access, wanted)
    assets = await asset_store.find_and_lock_many(tx, access, wanted)
    if len(assets) < len(wanted):
        raise AssetNotFound
    changes = [(asset, _transferred(access, asset, space)) for asset in assets if asset.space != space]
    for asset_id in await uses.find_used_outside(tx, [asset.id for asset, _ in changes], space):
        raise Conflict(f"A task outside of that space has {asset_id} attached. Copy the asset, or detach it first.")
    for before, after in changes:
        await announce_transfer(tx, before, after)
    versions = await version_store.of_assets(tx, [before for before, _ in changes])
    ended = [] if keep_versions else [each.sha256 for some in versions.values() for each in some]
    await content_store.find_and_lock_many(tx, ended)
    stats: list[StatChange] = []
    for before, after in changes:
        some = versions.get(before.id, ())
        if keep_versions:
            stats += [(version_store.stat_of(before, each), version_store.stat_of(after, each)) for each in some]
        else:
            stats += await version_store.remove(tx, before, some)
    await asset_store.put_many(tx, changes, stats)
    await content_store.release(tx, set(ended))
    known = {asset.id: asset for asset in [*assets, *(after for _, after in changes)]}
    return [known[AssetId(asset_id)] for asset_id in wanted]


async def copy_asset(tx: Tx, access: Access, asset_id: str, space: str) -> Asset:
    """The caller is editor of the space. Raises AssetNotFound, AssetNotReady, NamespaceNotAllowed or ContentDamaged."""
    asset = await asset_store.get_usable(tx, access, asset_id)
    require_minting(access.caller, asset)
    return await _copy(tx, asset, space, access.caller.owner)


async def copy_into(tx: Tx, ids: Sequence[str], space: str) -> dict[str, str]:
    """Copy the assets that are neither in the space nor in the Library, as attachments of a transferred task.

    Returns the id of each copy, by the id of its original. Raises AssetNotReady or ContentDamaged.
    """
    assets = await asset_store.find_and_lock_known(tx, ids)
    maker = (tx.author.person if tx.author is not None else None) or space
    return {
        asset.id: (await _copy(tx, asset, space, maker)).id for asset in assets if asset.space not in (space, LIBRARY)
    }


def _transferred(access: Access, asset: Asset, space: str) -> Asset:
    if asset.status is AssetStatus.PENDING:
        raise AssetNotReady
    require_minting(access.caller, asset)
    visibility = MediaVisibility.PROTECTED if asset.space == LIBRARY else asset.visibility
    after = msgspec.structs.replace(
        asset, space=space, visibility=visibility, epoch=asset.epoch + 1, updated_at=asset.next_stamp()
    )
    check_visibility(access, asset, after)
    return after


async def _copy(tx: Tx, asset: Asset, space: str, created_by: str) -> Asset:
    if asset.sha256 is None:
        raise AssetNotReady
    if asset.damaged_at is not None:
        raise ContentDamaged
    asset_id, ready = AssetId(new_id("ast")), asset.status is AssetStatus.READY
    copy = msgspec.structs.replace(
        asset,
        id=asset_id,
        space=space,
        status=AssetStatus.READY,
        error_code=asset.error_code if ready else None,
        error_message=asset.error_message if ready else None,
        blob_key=await content_store.share(tx, asset.sha256),
        incoming=None,
        version=1,
        focus=0,
        epoch=0,
        created_by=created_by,
        sent_by=created_by,
        updated_at=time_of(asset_id),
        replaced_at=None,
    )
    await asset_store.put(tx, None, copy)
    await announce_asset(tx, kinds.ASSET_CREATED, copy)
    await announce_asset(tx, kinds.ASSET_READY, copy)
    if copy.placeholder is None and copy.error_code is None:
        await describe_later(tx, copy)
    return copy
