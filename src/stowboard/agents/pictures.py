"""The bytes of assets for models: images of a class that fit a model's context, and the text of short files.

Images are WebP, which every model with vision reads. The original is never given: it may be large, and may say where it
was taken.
"""

import base64
from contextlib import aclosing

from stowboard.agents.protocol.tool import ImageContent
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobNotFound, BlobStore
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.media.assets import asset_store
from stowboard.media.base.asset import Asset, AssetKind
from stowboard.media.base.classes import TransformClasses
from stowboard.media.base.errors import AssetNotFound, ContentDamaged
from stowboard.media.images.derivatives import Derivatives
from stowboard.media.images.transforms.formats import ImageFormat

#: The most bytes of an image, before base64.
LARGEST_IMAGE = 200 * 1024
#: The most bytes of a text.
LARGEST_TEXT = 64 * 1024
#: Classes to try in turn, from the requested one, until the image is small enough.
_SMALLER = ("large", "medium", "small", "thumbnail")


class Pictures:
    """The caller has to be allowed to see the bytes; check that before."""

    def __init__(self, services: Services) -> None:
        self._db, self._blobs = services.use(Database), services.use(BlobStore)
        self._classes, self._derivatives = services.use(TransformClasses), services.use(Derivatives)

    async def find_image(self, asset_id: str, size: str) -> ImageContent | None:
        """The image in this class, or in a smaller one. None if the asset has no image. Raises Problem."""
        asset = await self._get(asset_id)
        if asset.kind is not AssetKind.IMAGE or asset.blob_key is None or asset.damaged_at is not None:
            return None
        for name in _SMALLER[_SMALLER.index(size) :]:
            data = await self._derived(asset, name)
            if len(data) <= LARGEST_IMAGE:
                return ImageContent(base64.b64encode(data).decode(), ImageFormat.WEBP.mime_type)
        return None

    async def find_text(self, asset_id: str) -> str | None:
        """The text of a short text file. Raises Problem."""
        asset = await self._get(asset_id)
        if asset.blob_key is None or not _is_text(asset.mime_type) or asset.size > LARGEST_TEXT:
            return None
        if asset.damaged_at is not None:
            raise ContentDamaged
        try:
            return (await self._read(asset.blob_key)).decode()
        except (UnicodeDecodeError, BlobNotFound):
            return None

    async def _get(self, asset_id: str) -> Asset:
        asset = await self._db.read(asset_store.find, asset_id)
        if asset is None or asset.trashed_at is not None:
            raise AssetNotFound
        return asset

    async def _derived(self, asset: Asset, name: str) -> bytes:
        transform = self._classes.get(name)
        file = await self._derivatives.get(asset, transform, ImageFormat.WEBP)
        try:
            return await self._read(file.key)
        except BlobNotFound:
            file = await self._derivatives.make_again(asset, transform, ImageFormat.WEBP, file)
        try:
            return await self._read(file.key)
        except BlobNotFound:  # deleted meanwhile
            raise AssetNotFound from None

    async def _read(self, key: BlobKey) -> bytes:
        async with aclosing(self._blobs.read(key)) as chunks:
            return b"".join([chunk async for chunk in chunks])


def _is_text(mime_type: str) -> bool:
    return mime_type.startswith("text/") or mime_type in ("application/json", "application/yaml", "application/xml")
