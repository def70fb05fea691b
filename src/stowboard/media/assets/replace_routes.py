"""Replacing an asset's bytes over HTTP."""

import msgspec

from stowboard.api.endpoint import Call, Endpoint
from stowboard.blobs.store import BlobStore
from stowboard.db.database import Database, Tx
from stowboard.media.assets import replace
from stowboard.media.assets.upload_bodies import ReplaceBody
from stowboard.media.assets.upload_routes import MAX_BODY, PNG
from stowboard.media.base.asset import AssetStatus, IncomingBytes
from stowboard.media.base.errors import AssetNotFound, InvalidBase64, InvalidMedia, ReplaceInProgress, SizeMismatch
from stowboard.media.base.storage import Storage
from stowboard.media.uploads.base64_text import INSTEAD, ways_to_send


class Replacement(msgspec.Struct, frozen=True, rename="camel"):
    """A replacement in progress. `version` is that of the new bytes."""

    asset_id: str
    version: int
    processing_status: AssetStatus


async def replace_asset(tx: Tx, _: Call[ReplaceBody, None], asset_id: str, incoming: IncomingBytes) -> Replacement:
    """Replace the bytes of an asset; its id, words and tags stay.

    The old bytes are served until the new ones are processed: poll the asset until `processingStatus` is `ready`.
    An image is replaced by an image only.
    """
    asset = await replace.replace_bytes(tx, asset_id, incoming)
    return Replacement(asset.id, asset.version + (asset.blob_key is not None), asset.status)


async def _keep(call: Call[ReplaceBody, None], asset_id: str) -> IncomingBytes:
    call.use(Storage).require_space(call.body.size)
    await call.use(Database).read(call.use(Storage).require_room, call.caller.owner, call.body.size)
    return await replace.keep_replacement(call.use(Database), call.use(BlobStore), asset_id, call.body)


ENDPOINTS = [
    Endpoint(
        "POST", "/media/assets/{asset_id}/replace", replace_asset, Replacement, scope="media:write", body=ReplaceBody,
        prepare=_keep, max_body=MAX_BODY,
        if_too_large=f"{INSTEAD.removesuffix('.')} and its assetId.", if_form=ways_to_send("imageData"),
        errors=[AssetNotFound, InvalidBase64, InvalidMedia, SizeMismatch, ReplaceInProgress],
        example={"assetId": "ast_01kbr2x4q8e9w6y3t7n5m1c0vz", "version": 2, "processingStatus": "processing"},
        example_body={
            "mimeType": "image/png", "originalName": "harbour.png", "size": 67, "imageData": PNG,
        },
    ),
]  # fmt: skip
