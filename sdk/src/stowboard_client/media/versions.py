"""Earlier versions of assets: bytes that were replaced, and are kept for a while."""

from msgspec import UNSET

from stowboard_client.media.assets import Asset
from stowboard_client.media.delivery import Disposition, SignedUrl
from stowboard_client.transport.call import Call, Deleted, Maybe, Model, data, members, path
from stowboard_client.transport.resource import D, Operation, Resource


class AssetVersion(Model, frozen=True, kw_only=True):
    """`replaced_by` is None if no person replaced it."""

    version: int
    size: int
    mime_type: str
    width: int | None
    height: int | None
    checksum: str
    original_name: str | None
    replaced_at: int
    replaced_by: str | None


def list_asset_versions(asset_id: str) -> Call[list[AssetVersion]]:
    """The earlier versions that are kept, the last first. The asset's present bytes are not among them."""
    return Call("GET", path("/media/assets/{}/versions", asset_id), data(list[AssetVersion]))


def sign_asset_version_url(
    asset_id: str,
    version: int,
    *,
    expires_in: Maybe[int | None] = UNSET,
    transform_class: Maybe[str | None] = UNSET,
    disposition: Maybe[Disposition | None] = UNSET,
) -> Call[SignedUrl]:
    """Make a URL of an earlier version that needs no token."""
    body = members(expires_in=expires_in, transform_class=transform_class, disposition=disposition)
    return Call("POST", path("/media/assets/{}/versions/{}/url", asset_id, str(version)), data(SignedUrl), body=body)


def restore_asset_version(asset_id: str, version: int, *, idempotency_key: str | None = None) -> Call[Asset]:
    """Make the bytes of an earlier version the asset's again, as its next version."""
    address = path("/media/assets/{}/versions/{}/restore", asset_id, str(version))
    return Call("POST", address, data(Asset), idempotency_key=idempotency_key)


def delete_asset_version(asset_id: str, version: int, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Delete an earlier version for good."""
    address = path("/media/assets/{}/versions/{}", asset_id, str(version))
    return Call("DELETE", address, data(Deleted), idempotency_key=idempotency_key)


class Versions(Resource[D]):
    list = Operation("listAssetVersions", list_asset_versions)
    url = Operation("signAssetVersionUrl", sign_asset_version_url)
    restore = Operation("restoreAssetVersion", restore_asset_version)
    delete = Operation("deleteAssetVersion", delete_asset_version)
