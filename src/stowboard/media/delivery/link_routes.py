"""Addresses of bytes over HTTP: resolve public assets, mint signed URLs, bind assets to namespaces."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.api.endpoint import Answer, AnyCall, Call, Endpoint, ItemRefusal, NoMeta
from stowboard.core.caller import NAMESPACE, NAMESPACE_IN_WORDS, Namespace
from stowboard.core.errors import InTrash, Problem, TooManyItems, ValidationFailed
from stowboard.core.reach import Role
from stowboard.core.scopes import ADMIN
from stowboard.core.signing import Keyring
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.media.assets import asset_store, bulk
from stowboard.media.assets.bodies import Ids
from stowboard.media.assets.keep import keep_many
from stowboard.media.base import signed_urls
from stowboard.media.base.asset import Asset, MediaVisibility
from stowboard.media.base.classes import Fit, TransformClass, TransformClasses, output_size
from stowboard.media.base.disposition import Disposition
from stowboard.media.base.errors import (
    AssetNotReady,
    AssetProtected,
    NamespaceNotAllowed,
    NotTransformable,
    UnknownTransformClass,
)
from stowboard.media.base.links import ORIGINAL, MediaLinks, edition_of, version_edition
from stowboard.media.images.transforms.formats import format_for

DEFAULT_SECONDS = 3600
_MOST_NAMESPACES = 50
ClassName = Annotated[
    str,
    Meta(
        max_length=64,
        description="`original`, or one that `GET /media/transform-classes` lists.",
        extra_json_schema={"format": "transform-class"},
    ),
]


Lifetime = Annotated[
    int,
    Meta(
        ge=signed_urls.SHORTEST_SECONDS, le=signed_urls.LONGEST_SECONDS,
        description="Seconds; it lives up to a twelfth longer.",
    ),
]  # fmt: skip
SavedOrShown = Annotated[Disposition, Meta(description="Types that could run in a page are always saved.")]


class ResolveQuery(msgspec.Struct, frozen=True, rename="camel"):
    """The transform class to resolve."""

    transform_class: ClassName = ORIGINAL


class UrlBody(msgspec.Struct, frozen=True, rename="camel"):
    """Options of a signed URL. Each member may be left out, and so may the body."""

    expires_in: Lifetime | None = DEFAULT_SECONDS
    transform_class: ClassName | None = ORIGINAL
    disposition: SavedOrShown | None = None


class UrlsBody(UrlBody, frozen=True, rename="camel", kw_only=True):
    """Ids of assets, and options of their signed URLs."""

    ids: Ids


class NamespacesBody(msgspec.Struct, frozen=True, rename="camel"):
    """The whole binding; it replaces the old one."""

    allowed_namespaces: Annotated[
        Annotated[list[Namespace], Meta(max_length=_MOST_NAMESPACES)] | None,
        Meta(description="null: any token that reads; a list: tokens of these; an empty one: admins alone."),
    ]


class Resolution(msgspec.Struct, frozen=True, rename="camel"):
    """A public asset's address. `mimeType` is for clients that take neither AVIF nor WebP."""

    url: str
    asset_id: str
    version: int
    transform_class: str
    mime_type: str
    width: int | None
    height: int | None


class SignedUrl(msgspec.Struct, frozen=True, rename="camel"):
    """An address that needs no token until it expires."""

    url: str
    expires_at: int
    asset_id: str
    version: int


class UrlsMeta(NoMeta, frozen=True):
    """`meta` of many signed URLs: ids that no asset has, and assets that were refused."""

    missing: list[str]
    refused: list[ItemRefusal]


class NamespaceBinding(msgspec.Struct, frozen=True, rename="camel"):
    """The namespaces whose tokens may mint signed URLs of an asset."""

    asset_id: str
    allowed_namespaces: list[str] | None


class TransformClassView(msgspec.Struct, frozen=True):
    """A form in which images are delivered, never enlarged. If `height` is null, it follows from the width."""

    name: str
    width: int | None
    height: int | None
    fit: Fit


async def resolve_asset(tx: Tx, call: Call[None, ResolveQuery], asset_id: str) -> Resolution:
    """Resolve a public asset to its delivery URL, as it is or as one of the transform classes."""
    asset = await asset_store.get(tx, call.access, asset_id)
    if asset.visibility is MediaVisibility.PROTECTED:
        raise AssetProtected
    transform = _transform(call, asset, call.query.transform_class)
    url = call.use(MediaLinks).delivery(call.origin, asset, transform.name)
    mime_type, width, height = asset.mime_type, asset.width, asset.height
    if transform.fit is not Fit.NONE and asset.picture_size is not None:
        mime_type = format_for(None, asset).mime_type
        width, height = output_size(transform, *asset.picture_size)
    return Resolution(url, asset.id, asset.version, transform.name, mime_type, width, height)


async def sign_asset_url(tx: Tx, call: Call[UrlBody, None], asset_id: str) -> SignedUrl:
    """Mint a signed URL: anyone who has it gets the bytes until it expires.

    A second request soon after gets the same URL, so that caches work. The URL stops at once when the asset is
    deleted, its visibility changed or its binding narrowed.
    """
    return signed_url(call, await asset_store.get(tx, call.access, asset_id))


async def sign_asset_urls(tx: Tx, call: Call[UrlsBody, None]) -> Answer:
    """Mint signed URLs of up to 100 assets, in the order of the ids, each once.

    `meta.refused` has the assets that were refused, with the reason; the others get their URLs.
    """
    call.use(TransformClasses).get(call.body.transform_class or ORIGINAL)
    assets, missing = await bulk.find_assets(tx, call.access, call.body.ids)
    signed: list[SignedUrl] = []
    refused: list[ItemRefusal] = []
    for asset in assets:
        try:
            signed.append(signed_url(call, asset))
        except Problem as problem:
            refused.append(ItemRefusal(asset.id, problem.code, problem.message))
    return Answer(signed, UrlsMeta(missing=missing, refused=refused))


async def bind_namespaces(tx: Tx, call: Call[NamespacesBody, None], asset_id: str) -> NamespaceBinding:
    """Bind an asset to the namespaces whose tokens may mint signed URLs of it. Needs an admin token.

    With an empty list only admins may mint, with null every token that reads. A narrower binding ends all signed URLs.
    """
    names = call.body.allowed_namespaces
    if names is not None and not all(NAMESPACE.fullmatch(name) for name in names):
        raise ValidationFailed(f"allowedNamespaces: expected names of {NAMESPACE_IN_WORDS}.")
    asset = await asset_store.lock(tx, call.access, asset_id)
    names = list(dict.fromkeys(names)) if names is not None else None
    await keep_many(tx, [(asset, msgspec.structs.replace(asset, allowed_namespaces=names))])
    await audit.record_in(tx, call.caller, asset.space, "asset.bind", asset_id, allowedNamespaces=names)
    return NamespaceBinding(asset.id, names)


async def list_transform_classes(_: Tx, call: Call[None, None]) -> list[TransformClassView]:
    """List the transform classes: the built-in ones and the operator's own."""
    classes = call.use(TransformClasses).all()
    return [TransformClassView(each.name, each.width, each.height, each.fit) for each in classes]


def signed_url(call: Call[UrlBody, None], asset: Asset, version: int | None = None) -> SignedUrl:
    """A signed URL of the asset. For an earlier version, `asset` has the bytes of that version.

    Raises InTrash, NamespaceNotAllowed, AssetNotReady, UnknownTransformClass or NotTransformable.
    """
    signed_urls.require_minting(call.caller, asset)
    body = call.body
    name = _transform(call, asset, body.transform_class or ORIGINAL).name
    epoch, seconds = call.caller.reach.epoch_of(asset.space), body.expires_in or DEFAULT_SECONDS
    edition = edition_of(asset, name) if version is None else version_edition(version)
    signed_name = name if version is None else f"{edition}/{name}"
    keyring, through = call.use(Keyring), call.caller.through
    query = signed_urls.sign(keyring, asset, epoch, signed_name, body.disposition, seconds, through=through)
    url = call.use(MediaLinks).delivery(call.origin, asset, name, edition)
    return SignedUrl(f"{url}?{query.text}", query.expires_at * 1000, asset.id, version or asset.version)


def _transform(call: AnyCall, asset: Asset, name: str) -> TransformClass:
    """Raises InTrash, AssetNotReady, UnknownTransformClass or NotTransformable."""
    if asset.trashed_at is not None:
        raise InTrash(f"{asset.id} is in the trash. Restore it first.")
    if asset.served_key is None:
        raise AssetNotReady
    transform = call.use(TransformClasses).get(name)
    if transform.fit is not Fit.NONE and not asset.has_picture:
        raise NotTransformable
    return transform


_ID = "ast_01kbr2x4q8e9w6y3t7n5m1c0vz"
_RESOLUTION = {
    "url": f"https://files.example.com/cdn/{_ID}/v1/small/harbour.jpg", "assetId": _ID, "version": 1,
    "transformClass": "small", "mimeType": "image/jpeg", "width": 320, "height": 240,
}  # fmt: skip
SIGNED_EXAMPLE = {
    "url": f"https://files.example.com/cdn/{_ID}/v1/original/harbour.jpg"
    "?exp=1794704100&kid=k0&sig=5sPW0zlb2dQ1fTt2Rk9wQbJm3vXc7yHuNaG4eLoCpIs",
    "expiresAt": 1794704100000, "assetId": _ID, "version": 1,
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "GET", "/media/assets/{asset_id}/resolve", resolve_asset, Resolution, scope="media:read", query=ResolveQuery,
        errors=[InTrash, AssetProtected, AssetNotReady, UnknownTransformClass, NotTransformable], example=_RESOLUTION,
    ),
    Endpoint(
        "POST", "/media/assets/{asset_id}/url", sign_asset_url, SignedUrl, scope="media:read", body=UrlBody, reads=True,
        secret=True, errors=[InTrash, NamespaceNotAllowed, AssetNotReady, UnknownTransformClass, NotTransformable],
        example=SIGNED_EXAMPLE, example_body={"expiresIn": 3600},
    ),
    Endpoint(
        "POST", "/media/assets/urls", sign_asset_urls, list[SignedUrl], scope="media:read", body=UrlsBody,
        meta=UrlsMeta, reads=True, secret=True, errors=[TooManyItems, UnknownTransformClass], example=[SIGNED_EXAMPLE],
        example_body={"ids": [_ID], "transformClass": "small"},
    ),
    Endpoint(
        "POST", "/media/assets/{asset_id}/namespaces", bind_namespaces, NamespaceBinding, scope=ADMIN, role=Role.EDITOR,
        body=NamespacesBody, errors=[InTrash], example={"assetId": _ID, "allowedNamespaces": ["blog", "shop"]},
        example_body={"allowedNamespaces": ["blog", "shop"]},
    ),
    Endpoint(
        "GET", "/media/transform-classes", list_transform_classes, list[TransformClassView], scope="media:read",
        example=[{"name": "thumbnail", "width": 200, "height": 200, "fit": "cover"}],
    ),
]  # fmt: skip
