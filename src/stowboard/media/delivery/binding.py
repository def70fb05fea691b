"""Bind an asset to the namespaces whose tokens may mint signed URLs of it."""

import msgspec

from stowboard.core.caller import Access
from stowboard.db.database import Tx
from stowboard.media.assets import asset_store
from stowboard.media.assets.keep import keep_many
from stowboard.media.base.asset import Asset

MOST_NAMESPACES = 50


async def bind_namespaces(tx: Tx, access: Access, asset_id: str, namespaces: list[str] | None) -> Asset:
    """A narrower binding ends all signed URLs (signed_urls.ends_signed_urls). Raises AssetNotFound."""
    asset = await asset_store.lock(tx, access, asset_id)
    names = list(dict.fromkeys(namespaces)) if namespaces is not None else None
    (bound,) = await keep_many(tx, [(asset, msgspec.structs.replace(asset, allowed_namespaces=names))])
    return bound
