"""Check edits of assets, and store them: rows, times and events together."""

import msgspec

from stowboard.core.caller import Access
from stowboard.db.database import Tx
from stowboard.media.assets import asset_store
from stowboard.media.assets.events import announce_edit
from stowboard.media.base.asset import Asset
from stowboard.media.base.errors import VisibilityBound
from stowboard.media.base.signed_urls import ends_signed_urls


def check_visibility(access: Access, before: Asset, after: Asset) -> None:
    """Raises VisibilityBound."""
    if after.visibility is not before.visibility and before.allowed_namespaces is not None and not access.caller.admin:
        raise VisibilityBound


async def keep_many(tx: Tx, changes: list[tuple[Asset, Asset]]) -> list[Asset]:
    """Store edits of assets that this transaction has locked. Assets that did not change are not written."""
    stamped = [(before, _stamped(before, after)) for before, after in changes]
    written = [(before, after) for before, after in stamped if after != before]
    for before, after in written:
        await announce_edit(tx, before, after)
    await asset_store.put_many(tx, written)
    return [after for _, after in stamped]


def _stamped(before: Asset, after: Asset) -> Asset:
    if after == before:
        return before
    return msgspec.structs.replace(
        after,
        focus=before.focus + (after.focal_point != before.focal_point),
        epoch=before.epoch + ends_signed_urls(before, after),
        updated_at=before.next_stamp(),
    )
