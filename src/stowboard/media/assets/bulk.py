"""Actions on many assets: on all, or on none if one of them refuses. Ids that no asset
in reach has are not an error."""

from collections.abc import Sequence
from enum import StrEnum

import msgspec

from stowboard.core.caller import Access
from stowboard.core.errors import TooManyItems
from stowboard.core.tags import MAX_TAGS, checked_tags
from stowboard.db.database import Tx
from stowboard.media.assets import asset_store
from stowboard.media.assets.keep import keep_many
from stowboard.media.assets.remove import remove_assets
from stowboard.media.base.asset import Asset
from stowboard.media.base.uses import NO_USES, MediaUses

MAX_IDS = 100


class TagAction(StrEnum):
    ADD = "add"
    REMOVE = "remove"


async def find_assets(tx: Tx, access: Access, ids: Sequence[str]) -> tuple[list[Asset], list[str]]:
    """Assets in the order of the ids, each once, and the ids that no asset has. Raises TooManyItems."""
    wanted = checked_ids(ids)
    found = await asset_store.find_many(tx, access, wanted)
    return sorted(found, key=lambda asset: wanted.index(asset.id)), missing(wanted, found)


async def tag_assets(
    tx: Tx, access: Access, action: TagAction, ids: Sequence[str], tags: list[str]
) -> tuple[list[Asset], list[str]]:
    """The assets, and the ids that no asset has.

    Raises ValidationFailed or TooManyItems, also if an asset would have too many tags.
    """
    wanted = checked_ids(ids)
    tags = checked_tags(tags)
    assets = await asset_store.find_and_lock_many(tx, access, wanted)
    await keep_many(tx, [(asset, _tagged(asset, action, tags)) for asset in assets])
    return assets, missing(wanted, assets)


async def delete_assets(
    tx: Tx, access: Access, ids: Sequence[str], uses: MediaUses = NO_USES
) -> tuple[list[Asset], list[str]]:
    """The assets that were deleted for good, and the ids that no asset has. Raises TooManyItems."""
    wanted = checked_ids(ids)
    removed = await remove_assets(tx, access, wanted, uses)
    return removed, missing(wanted, removed)


def checked_ids(ids: Sequence[str]) -> list[str]:
    if len(ids) > MAX_IDS:
        raise TooManyItems(f"ids: expected at most {MAX_IDS}.")
    return list(dict.fromkeys(ids))


def missing(wanted: list[str], found: list[Asset]) -> list[str]:
    """The ids that none of the assets has."""
    known = {asset.id for asset in found}
    return [asset_id for asset_id in wanted if asset_id not in known]


def _tagged(asset: Asset, action: TagAction, tags: list[str]) -> Asset:
    if action is TagAction.REMOVE:
        return msgspec.structs.replace(asset, tags=[tag for tag in asset.tags if tag not in tags])
    added = list(dict.fromkeys([*asset.tags, *tags]))
    if len(added) > MAX_TAGS:
        raise TooManyItems(f"{asset.id} would have {len(added)} tags; an asset has at most {MAX_TAGS}.")
    return msgspec.structs.replace(asset, tags=added)
