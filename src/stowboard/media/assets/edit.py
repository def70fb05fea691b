"""Change the words, tags and visibility of an asset. Omitted members keep their values."""

import msgspec
from msgspec import UNSET

from stowboard.core.caller import Caller
from stowboard.core.metadata import checked_metadata
from stowboard.core.preconditions import check_if_match
from stowboard.core.tags import checked_tags
from stowboard.db.database import Tx
from stowboard.media.assets import asset_store
from stowboard.media.assets.bodies import AssetPatchBody
from stowboard.media.assets.keep import keep_many
from stowboard.media.assets.upload_bodies import check_texts
from stowboard.media.assets.wire import etag
from stowboard.media.base.asset import Asset
from stowboard.media.base.errors import VisibilityBound
from stowboard.media.base.filename import check_filename, clean_filename


async def edit_asset(tx: Tx, caller: Caller, asset_id: str, body: AssetPatchBody, if_match: str | None) -> Asset:
    """Raises AssetNotFound, PreconditionFailed, AdminRequired, TooManyItems or ValidationFailed."""
    asset = await asset_store.lock(tx, asset_id)
    check_if_match(if_match, etag(asset))
    edited = _edited(asset, body)
    if edited.visibility is not asset.visibility and asset.allowed_namespaces is not None and not caller.admin:
        raise VisibilityBound
    (edited,) = await keep_many(tx, [(asset, edited)])
    return edited


def _edited(asset: Asset, body: AssetPatchBody) -> Asset:
    given = {name: value for name, value in msgspec.structs.asdict(body).items() if value is not UNSET}
    if "filename" in given:
        check_filename("filename", given["filename"])
        given["filename"] = clean_filename(given["filename"])
    check_texts(given.get("title"), given.get("alt"))
    if "tags" in given:
        given["tags"] = checked_tags(given["tags"] or [])
    if "metadata" in given:
        given["metadata"] = checked_metadata(given["metadata"] or {})
    return msgspec.structs.replace(asset, **given)
