"""Delivery of assets and of their transform classes, at addresses that carry their own proof.

The path names an edition, so the bytes at the current one never change and may be cached for ever. An older edition,
from a link that somebody wrote down, answers the current bytes without caching. A future one is 404. The name at the
end is for people, and is ignored. Bytes that were replaced have an edition of their own, such as `r3`, which is signed.

No delivered file can run in a page of this origin: only inert types are shown, all others are saved. If a browser shows
one all the same, the policy of every answer allows no script, no request and no origin.
"""

import re

from stowboard.core.errors import NotFound, Problem
from stowboard.core.ids import is_id
from stowboard.core.services import Services
from stowboard.core.signing import Keyring
from stowboard.db.database import Database, Tx
from stowboard.http.exchange import Exchange, Headers, Route
from stowboard.media.assets import asset_store, version_store
from stowboard.media.base import signed_urls
from stowboard.media.base.asset import Asset, AssetStatus, MediaVisibility
from stowboard.media.base.classes import Fit, TransformClass, TransformClasses
from stowboard.media.base.disposition import Disposition, content_disposition, content_type
from stowboard.media.base.errors import AssetNotFound, ContentDamaged, SignatureInvalid
from stowboard.media.base.filename import fitting_filename
from stowboard.media.base.links import edition_of
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.signed_urls import DeliveryGrant
from stowboard.media.delivery.serving import BlobServing
from stowboard.media.delivery.store_links import StoreLink, store_link
from stowboard.media.images.derivatives import Derivatives
from stowboard.media.images.derived_store import DerivedFile
from stowboard.media.images.transforms.formats import format_for

DELIVERY = "/cdn/"
#: The longest time that a browser caches a signed answer.
_MOST_SECONDS = 3600
_EDITION = re.compile(r"v(?P<version>[0-9]{1,12})(?:-(?P<focus>[0-9]{1,12}))?")
_REPLACED = re.compile(r"r(?P<version>[1-9][0-9]{0,11})")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox"
_ON_ALL: Headers = [("content-security-policy", _POLICY), ("cross-origin-resource-policy", "cross-origin")]
_ON_SIGNED: Headers = [("referrer-policy", "no-referrer"), ("x-robots-tag", "none")]


def routes(services: Services) -> list[Route]:
    delivery = CdnDelivery(services)
    return [Route("GET", DELIVERY + "{asset_id}/{edition}/{transform_class}/{filename...}", delivery.answer)]


class CdnDelivery:
    def __init__(self, services: Services) -> None:
        self._db, self._serving = services.use(Database), services.use(BlobServing)
        self._keyring = services.use(Keyring)
        self._classes, self._derivatives = services.use(TransformClasses), services.use(Derivatives)
        settings = services.use(MediaSettings)
        #: The longest life of a link of the store; None if the service delivers all files itself.
        self._link_s = settings.cdn_redirect_seconds if settings.cdn_redirect else None

    async def answer(self, exchange: Exchange, asset_id: str, edition: str, class_name: str, _: str) -> None:
        transform = self._classes.get(class_name)
        if match := _REPLACED.fullmatch(edition):
            then, epoch = await self._db.read(_get_version, asset_id, int(match["version"]))
            signed = await self._check(exchange, then, epoch, f"{edition}/{transform.name}")
            await self._deliver(exchange, then, signed, edition, transform)
            return
        asset, epoch = await self._db.read(_get, asset_id)
        grant = await self._admit(exchange, asset, epoch, transform.name)
        try:
            await self._deliver(exchange, asset, grant, edition, transform)
        except NotFound:
            # The bytes may just have been replaced.
            newer, epoch = await self._db.read(_get, asset_id)
            if newer.blob_key == asset.blob_key:
                raise
            grant = await self._admit(exchange, newer, epoch, transform.name)
            await self._deliver(exchange, newer, grant, edition, transform)

    async def _deliver(
        self, exchange: Exchange, asset: Asset, grant: DeliveryGrant | None, edition: str, transform: TransformClass
    ) -> None:
        key, replaced = asset.served_key, _REPLACED.fullmatch(edition) is not None
        if key is None:
            # With Retry-After, unless the bytes failed.
            raise AssetNotFound(headers=() if asset.status is AssetStatus.FAILED else (("retry-after", "1"),))
        if asset.damaged_at is not None:
            raise ContentDamaged
        current = replaced or _is_current(asset, edition, transform.name)
        headers = _headers(grant, current)
        if transform.fit is Fit.NONE:
            headers.append(("content-disposition", _disposition(asset, asset.mime_type, grant)))
            await self._serving.serve(
                exchange, key, asset.size, content_type(asset.mime_type), f'"{asset.sha256 or key}"', headers,
                sha256=asset.sha256, modified_ms=asset.replaced_at or asset.created_at,
                link=self._link(asset.size, asset.mime_type, grant, current),
            )  # fmt: skip
        else:
            await self._serve_derived(exchange, asset, transform, headers, grant, current)

    async def _check(self, exchange: Exchange, asset: Asset, space_epoch: int, signed_name: str) -> DeliveryGrant:
        """Without a valid signature, a protected asset is not found: nobody is told that it is there.

        Raises AssetNotFound or SignatureExpired; SignatureInvalid for a public asset.
        """
        try:
            grant = signed_urls.check(self._keyring, asset, space_epoch, signed_name, exchange.query)
            if grant.through and not await self._db.read(signed_urls.is_living, grant.through):
                raise SignatureInvalid
        except SignatureInvalid:
            if asset.visibility is MediaVisibility.PUBLIC:
                raise
            raise AssetNotFound from None
        return grant

    async def _admit(
        self, exchange: Exchange, asset: Asset, space_epoch: int, transform_class: str
    ) -> DeliveryGrant | None:
        """None for a public asset without a valid signature. Raises AssetNotFound or SignatureExpired."""
        public = asset.visibility is MediaVisibility.PUBLIC
        if public and not exchange.query:
            return None
        try:
            return await self._check(exchange, asset, space_epoch, transform_class)
        except Problem:
            if public:
                return None
            raise

    async def _serve_derived(
        self,
        exchange: Exchange,
        asset: Asset,
        transform: TransformClass,
        headers: Headers,
        grant: DeliveryGrant | None,
        current: bool,
    ) -> None:
        image_format = format_for(exchange.header("accept"), asset)
        file = await self._derivatives.get(asset, transform, image_format)
        disposition = _disposition(asset, file.mime_type, grant)
        headers = [*headers, ("content-disposition", disposition), ("vary", "Accept")]
        try:
            await self._serve_file(exchange, file, headers, grant, current)
        except (NotFound, ContentDamaged):
            file = await self._derivatives.make_again(asset, transform, image_format, file)
            await self._serve_file(exchange, file, headers, grant, current)

    async def _serve_file(
        self, exchange: Exchange, file: DerivedFile, headers: Headers, grant: DeliveryGrant | None, current: bool
    ) -> None:
        await self._serving.serve(
            exchange, file.key, file.size, content_type(file.mime_type), file.etag, headers, sha256=file.sha256,
            link=self._link(file.size, file.mime_type, grant, current),
        )  # fmt: skip

    def _link(self, size: int, mime_type: str, grant: DeliveryGrant | None, current: bool) -> StoreLink | None:
        return None if self._link_s is None else store_link(size, mime_type, grant, current, self._link_s)


async def _get(tx: Tx, asset_id: str) -> tuple[Asset, int]:
    """The asset, and the epoch of its space. Raises AssetNotFound."""
    found = await asset_store.find_delivered(tx, "id", asset_id) if is_id("ast", asset_id) else None
    if found is None:
        raise AssetNotFound
    return found


async def _get_version(tx: Tx, asset_id: str, number: int) -> tuple[Asset, int]:
    """The asset with the bytes of an earlier version, and the epoch of its space. Raises AssetNotFound."""
    asset, epoch = await _get(tx, asset_id)
    return (await version_store.get(tx, asset, number))[1], epoch


def _is_current(asset: Asset, edition: str, transform_class: str) -> bool:
    """Raises AssetNotFound for an edition that does not exist yet."""
    match = _EDITION.fullmatch(edition)
    if match is not None and (int(match["version"]) > asset.version or int(match["focus"] or 0) > asset.focus):
        raise AssetNotFound
    return edition == edition_of(asset, transform_class)


def _headers(grant: DeliveryGrant | None, current: bool) -> Headers:
    if grant is not None:
        kept = f"private, max-age={min(grant.seconds_left, _MOST_SECONDS)}" if current else "private, no-cache"
        return [("cache-control", kept), *_ON_ALL, *_ON_SIGNED]
    return [("cache-control", "public, max-age=31536000, immutable" if current else "no-cache"), *_ON_ALL]


def _disposition(asset: Asset, mime_type: str, grant: DeliveryGrant | None) -> str:
    wanted = (grant.disposition if grant is not None else None) or Disposition.INLINE
    return content_disposition(mime_type, fitting_filename(asset.filename, mime_type), wanted)
