"""Addresses of the bytes of assets: public ones, signed ones, and which tokens may make signed ones."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import msgspec
from msgspec import UNSET

from stowboard_client.transport.call import Call, Maybe, Model, data, members, path, whole
from stowboard_client.transport.resource import D, Operation, Resource

Disposition: TypeAlias = Literal["inline", "attachment"]


class Resolution(Model, frozen=True, kw_only=True):
    """A public asset's address; width and height are those of the image at it."""

    url: str
    asset_id: str
    version: int
    transform_class: str
    mime_type: str
    width: int | None
    height: int | None


class SignedUrl(Model, frozen=True, kw_only=True):
    """An address that needs no token until `expires_at`, in milliseconds since the epoch."""

    url: str
    expires_at: int
    asset_id: str
    version: int


class RefusedUrl(Model, frozen=True, kw_only=True):
    id: str
    code: str
    message: str


class SignedUrlsMeta(Model, frozen=True, kw_only=True):
    missing: tuple[str, ...]
    refused: tuple[RefusedUrl, ...]


class SignedUrls(Model, frozen=True, kw_only=True):
    """Signed URLs in the order of the request; `meta` has the ids of assets that got none."""

    items: tuple[SignedUrl, ...] = msgspec.field(name="data")
    meta: SignedUrlsMeta


class NamespaceBinding(Model, frozen=True, kw_only=True):
    asset_id: str
    allowed_namespaces: tuple[str, ...] | None


class TransformClass(Model, frozen=True, kw_only=True):
    """A class of derived images. If `height` is None, it follows from the width; `original` has neither."""

    name: str
    width: int | None
    height: int | None
    fit: str


class ListLimits(Model, frozen=True, kw_only=True):
    page: int
    largest_page: int
    ids: int
    tags: int


class SignedUrlLimits(Model, frozen=True, kw_only=True):
    default_seconds: int
    shortest_seconds: int
    longest_seconds: int


class TusSupport(Model, frozen=True, kw_only=True):
    version: str
    extensions: tuple[str, ...]
    checksum_algorithms: tuple[str, ...]


class CdnConfiguration(Model, frozen=True, kw_only=True):
    """How media is delivered and taken by this installation."""

    base_url: str
    transform_classes: tuple[TransformClass, ...]
    #: What counts as an image, by its type or by the extension of its name (`.heic`); anything else is a file.
    image_types: tuple[str, ...]
    image_extensions: tuple[str, ...]
    #: The largest file, by the way that it is uploaded.
    inline_bytes: int
    presigned_bytes: int
    video_bytes: int
    #: After this many days in the trash, things are deleted for good.
    trash_days: int
    lists: ListLimits
    signed_urls: SignedUrlLimits
    tus: TusSupport


def resolve_asset(asset_id: str, *, transform_class: str | None = None) -> Call[Resolution]:
    """The delivery URL of a public asset, as it was uploaded or as a transform class makes it."""
    query = {"transformClass": transform_class}
    return Call("GET", path("/media/assets/{}/resolve", asset_id), data(Resolution), query=query)


def sign_asset_url(
    asset_id: str,
    *,
    expires_in: Maybe[int | None] = UNSET,
    transform_class: Maybe[str | None] = UNSET,
    disposition: Maybe[Disposition | None] = UNSET,
) -> Call[SignedUrl]:
    """Make a URL that needs no token, for 60 seconds to 7 days. A second call soon after gives the same URL."""
    body = members(expires_in=expires_in, transform_class=transform_class, disposition=disposition)
    return Call("POST", path("/media/assets/{}/url", asset_id), data(SignedUrl), body=body)


def sign_asset_urls(
    ids: Sequence[str],
    *,
    expires_in: Maybe[int | None] = UNSET,
    transform_class: Maybe[str | None] = UNSET,
    disposition: Maybe[Disposition | None] = UNSET,
) -> Call[SignedUrls]:
    """Make such URLs for up to 100 assets in one request. If one asset gets none, the others still do."""
    body = members(ids=ids, expires_in=expires_in, transform_class=transform_class, disposition=disposition)
    return Call("POST", "/media/assets/urls", whole(SignedUrls), body=body)


def bind_namespaces(
    asset_id: str, allowed_namespaces: Sequence[str] | None, *, idempotency_key: str | None = None
) -> Call[NamespaceBinding]:
    """Choose whose tokens may make signed URLs: None is every reader, an empty list only admins. Needs an admin
    token.
    """
    body = members(allowed_namespaces=allowed_namespaces)
    address = path("/media/assets/{}/namespaces", asset_id)
    return Call("POST", address, data(NamespaceBinding), body=body, idempotency_key=idempotency_key)


def list_transform_classes() -> Call[tuple[TransformClass, ...]]:
    """The transform classes of this installation."""
    return Call("GET", "/media/transform-classes", data(tuple[TransformClass, ...]))


def get_cdn() -> Call[CdnConfiguration]:
    """Where files are served, which classes there are, and every limit of media."""
    return Call("GET", "/media/cdn", data(CdnConfiguration))


class Delivery(Resource[D]):
    resolve = Operation("resolveAsset", resolve_asset)
    url = Operation("signAssetUrl", sign_asset_url)
    urls = Operation("signAssetUrls", sign_asset_urls)
    bind_namespaces = Operation("bindNamespaces", bind_namespaces)
    transform_classes = Operation("listTransformClasses", list_transform_classes)
    cdn = Operation("getCdn", get_cdn)
