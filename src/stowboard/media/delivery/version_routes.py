"""Earlier versions of an asset over HTTP: listed, signed, restored and deleted.

The asset's namespace binding holds for its versions too. Bytes of a version are delivered by signed URLs alone, even
if the asset is public.
"""

import msgspec

from stowboard.api.endpoint import Answer, Call, Deleted, Endpoint
from stowboard.core.errors import InTrash
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.media.assets import asset_store, version_store
from stowboard.media.assets.versions import remove_versions, restore_version
from stowboard.media.assets.wire import EXAMPLE, AssetView, etag, view
from stowboard.media.base.errors import (
    AssetVersionNotFound,
    ContentDamaged,
    NamespaceNotAllowed,
    NotTransformable,
    ReplaceInProgress,
    UnknownTransformClass,
)
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.delivery.link_routes import SIGNED_EXAMPLE, SignedUrl, UrlBody, signed_url


class AssetVersionView(msgspec.Struct, frozen=True, rename="camel"):
    """Bytes that an asset had before. `replacedBy` is null if no person replaced them."""

    version: int
    size: int
    mime_type: str
    width: int | None
    height: int | None
    checksum: str
    original_name: str | None
    replaced_at: int
    replaced_by: str | None


async def list_asset_versions(tx: Tx, call: Call[None, None], asset_id: str) -> list[AssetVersionView]:
    """List the earlier versions of an asset that are kept, the last first."""
    asset = await asset_store.get(tx, call.access, asset_id)
    versions = (await version_store.of_assets(tx, [asset])).get(asset.id, ())
    return [
        AssetVersionView(
            each.version, each.size, each.facts.mime_type, each.facts.width, each.facts.height,
            f"sha256:{each.sha256}", each.original_name, each.replaced_at, each.replaced_by,
        )
        for each in versions
    ]  # fmt: skip


async def sign_asset_version_url(tx: Tx, call: Call[UrlBody, None], asset_id: str, version: str) -> SignedUrl:
    """Mint a signed URL of an earlier version. Whoever may mint one of the asset may mint this one too."""
    asset = await asset_store.get_usable(tx, call.access, asset_id)
    number = _number(version)
    _, then = await version_store.get(tx, asset, number)
    return signed_url(call, then, number)


async def restore_asset_version(tx: Tx, call: Call[None, None], asset_id: str, version: str) -> Answer:
    """Make the bytes of an earlier version the asset's again, as its next version.

    It is `ready` at once. The bytes that it had until then are a version too; words, tags and bindings stay.
    """
    keep = call.use(MediaSettings).version_keep
    asset = await restore_version(tx, call.access, asset_id, _number(version), keep, call.use(Storage))
    return Answer(view(call, asset), headers=(("etag", etag(asset)),))


async def delete_asset_version(tx: Tx, call: Call[None, None], asset_id: str, version: str) -> Deleted:
    """Delete an earlier version for good."""
    asset = await asset_store.lock(tx, call.access, asset_id)
    found, _ = await version_store.get(tx, asset, _number(version))
    await remove_versions(tx, [(asset, [found])])
    await audit.record_in(tx, call.caller, asset.space, "asset.version.delete", asset_id, version=found.version)
    return Deleted(str(found.version))


def _number(text: str) -> int:
    """Raises AssetVersionNotFound."""
    if not text.isascii() or not text.isdigit() or len(text) > 12:
        raise AssetVersionNotFound
    return int(text)


_PATH = "/media/assets/{asset_id}/versions"
_ONE = _PATH + "/{version}"
_EXAMPLE = {
    "version": 1, "size": 482133, "mimeType": "image/jpeg", "width": 4000, "height": 3000,
    "checksum": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "originalName": "IMG_2041.jpg", "replacedAt": 1794700000000, "replacedBy": "alice",
}  # fmt: skip

ENDPOINTS = [
    Endpoint("GET", _PATH, list_asset_versions, list[AssetVersionView], scope="media:read", example=[_EXAMPLE]),
    Endpoint(
        "POST", _ONE + "/url", sign_asset_version_url, SignedUrl, scope="media:read", body=UrlBody, reads=True,
        secret=True, errors=[InTrash, NamespaceNotAllowed, UnknownTransformClass, NotTransformable],
        example=SIGNED_EXAMPLE, example_body={"expiresIn": 3600},
    ),
    Endpoint(
        "POST", _ONE + "/restore", restore_asset_version, AssetView, scope="media:write",
        headers={"ETag": "The state of the asset, for If-Match."}, errors=[InTrash, ReplaceInProgress, ContentDamaged],
        example=EXAMPLE | {"version": 3},
    ),
    Endpoint(
        "DELETE", _ONE, delete_asset_version, Deleted, scope="media:delete",
        errors=[InTrash], example={"id": "1", "deleted": True},
    ),
]  # fmt: skip
