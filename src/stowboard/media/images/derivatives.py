"""Images of a transform class, each made once.

If many requests want the same image at once, it is made once and all wait for it, even if one of them goes away. The
bytes are in the store before the row that names them. If two processes make the same image, the first row stays and the
other's bytes are removed. Nothing here checks that the bytes are still in the store: a caller that finds them gone,
because an operator made room, calls `make_again`. A failure fails all requests that wait, and is not remembered.

The original is hashed before anything is made of it: an image of damaged bytes could look well, and be kept for ever.
"""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias, TypeVar

from msgspec.structs import replace

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobNotFound, BlobStore
from stowboard.db.database import Database, Tx
from stowboard.media.base import stat_store
from stowboard.media.base.asset import Asset, AssetKind
from stowboard.media.base.classes import TransformClass, whole_size
from stowboard.media.base.discard import discard_later
from stowboard.media.base.errors import AssetNotFound, AssetNotReady, ContentDamaged, InvalidMedia, NotTransformable
from stowboard.media.base.local_copy import local_copy
from stowboard.media.images import derived_files, derived_store
from stowboard.media.images.derived_store import DerivedFile, DerivedOrder
from stowboard.media.images.kept_pictures import TOP_OF_PAGE, find_reduction, is_poster, poster_order
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.transforms.formats import MOVING, ImageFormat
from stowboard.media.images.transforms.recipe import recipe_for
from stowboard.media.images.works import ImageWorks

T = TypeVar("T")

TellOfDamage: TypeAlias = Callable[[BlobKey], Awaitable[object]]


class OriginalFile(NamedTuple):
    """An image, or a file with a poster of this size."""

    key: BlobKey
    width: int
    height: int
    mime_type: str
    is_image: bool


class Derivatives:
    def __init__(
        self, db: Database, blobs: BlobStore, works: ImageWorks, work_dir: Path, tell_of_damage: TellOfDamage
    ) -> None:
        """`tell_of_damage` is called with the key of an original that is damaged in the store."""
        self._db, self._blobs, self._works, self._work_dir = db, blobs, works, work_dir
        self._tell_of_damage = tell_of_damage
        self._running: dict[DerivedOrder, asyncio.Task[DerivedFile]] = {}

    async def get(self, asset: Asset, transform_class: TransformClass, image_format: ImageFormat) -> DerivedFile:
        """Raises NotTransformable, AssetNotReady, AssetNotFound if it was deleted meanwhile, InvalidMedia, and
        ContentDamaged."""
        order, original = _order(asset, transform_class, image_format)
        return await self._db.read(derived_store.find, order) or await self._have_made(order, original, None)

    async def make_again(
        self, asset: Asset, transform_class: TransformClass, image_format: ImageFormat, lost: DerivedFile
    ) -> DerivedFile:
        """The same, after the caller found that the bytes of `lost` are gone."""
        order, original = _order(asset, transform_class, image_format)
        return await self._have_made(order, original, lost.key)

    async def close(self) -> None:
        """Cancel what is still being made."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _have_made(self, order: DerivedOrder, original: OriginalFile, lost: BlobKey | None) -> DerivedFile:
        task = self._running.get(order)
        if task is None:
            task = asyncio.create_task(self._fill(order, original, lost))
            self._running[order] = task
            task.add_done_callback(lambda done: self._ended(order, done))
        return await asyncio.shield(task)

    def _ended(self, order: DerivedOrder, task: asyncio.Task[DerivedFile]) -> None:
        del self._running[order]
        if not task.cancelled():
            task.exception()  # marks it as seen: all that waited may have gone away

    async def _fill(self, order: DerivedOrder, original: OriginalFile, lost: BlobKey | None) -> DerivedFile:
        found = await self._db.read(derived_store.find, order)
        if found is not None and found.key != lost:
            return found
        made = await self._make(order, original)
        kept = await self._db.transact(_keep, order, made, lost)
        if kept is None:
            raise AssetNotFound
        return kept

    async def _make(self, order: DerivedOrder, original: OriginalFile) -> DerivedFile:
        if is_poster(order):
            image = await self._make_poster(order, original)
        elif not original.is_image:
            image = await self._make_of_poster(order, original)
        else:
            image = await self._make_of_reduction(order, original) or await self._make_of_original(order, original)
        if image is None:
            raise AssetNotFound
        return await derived_files.put(self._blobs, order, image)

    async def _make_poster(self, order: DerivedOrder, original: OriginalFile) -> DerivedImage | None:
        """None if there is no such blob. Raises ContentDamaged, InvalidMedia."""
        describe = partial(self._works.describe, mime_type=original.mime_type)
        found = await self._with_original(original, self._with(original.key, order.sha256, describe))
        return found.picture if found is not None else None

    async def _make_of_poster(self, order: DerivedOrder, original: OriginalFile) -> DerivedImage | None:
        """A poster that is lost or damaged is made again first."""
        first = poster_order(order.sha256)
        made = await self._have_made(first, original, None)
        try:
            image = await self._make_of(order, made.key, made.sha256, None)
        except (ContentDamaged, InvalidMedia):
            image = None
        if image is not None:
            return image
        made = await self._have_made(first, original, made.key)
        return await self._make_of(order, made.key, made.sha256, None)

    async def _make_of_original(self, order: DerivedOrder, original: OriginalFile) -> DerivedImage | None:
        try:
            return await self._with_original(original, self._make_of(order, original.key, order.sha256, None))
        except InvalidMedia:
            if not order.recipe.animated:
                raise
            # The animation is too much for a decoder, or damaged behind its first picture.
            still = replace(order, recipe=replace(order.recipe, animated=False))
            return await self._make_of(still, original.key, order.sha256, None)

    async def _make_of_reduction(self, order: DerivedOrder, original: OriginalFile) -> DerivedImage | None:
        width, _ = whole_size(order.recipe.transform_class, original.width, original.height)
        reduced = await self._db.read(find_reduction, order.sha256, width)
        if reduced is None:
            return None
        try:
            return await self._make_of(order, reduced.key, reduced.sha256, (original.width, original.height))
        except (ContentDamaged, InvalidMedia):  # the original may be whole
            return None

    async def _make_of(
        self, order: DerivedOrder, key: BlobKey, sha256: str | None, full_size: tuple[int, int] | None
    ) -> DerivedImage | None:
        """None if there is no such blob. Raises ContentDamaged, InvalidMedia."""
        derive = partial(self._works.derive, recipe=order.recipe, image_format=order.format, full_size=full_size)
        return await self._with(key, sha256, derive)

    async def _with(self, key: BlobKey, sha256: str | None, work: Callable[[Path], Awaitable[T]]) -> T | None:
        try:
            async with local_copy(self._blobs, key, self._work_dir) as path:
                if sha256 is not None and await asyncio.to_thread(_sha256, path) != sha256:
                    raise ContentDamaged
                return await work(path)
        except BlobNotFound:
            return None

    async def _with_original(self, original: OriginalFile, work: Awaitable[T]) -> T:
        try:
            return await work
        except ContentDamaged:
            await self._tell_of_damage(original.key)
            raise


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _order(
    asset: Asset, transform_class: TransformClass, image_format: ImageFormat
) -> tuple[DerivedOrder, OriginalFile]:
    if asset.served_key is None:
        raise AssetNotReady
    if not asset.has_picture:
        raise NotTransformable
    if asset.sha256 is None or asset.blob_key is None or (size := asset.picture_size) is None:
        raise AssetNotReady
    focus = asset.focal_point or (TOP_OF_PAGE if asset.pages is not None else None)
    recipe = recipe_for(transform_class, focus, animated=asset.moves and image_format in MOVING)
    order = DerivedOrder(asset.sha256, recipe, image_format)
    return order, OriginalFile(asset.blob_key, *size, asset.mime_type, asset.kind is AssetKind.IMAGE)


async def _keep(tx: Tx, order: DerivedOrder, made: DerivedFile, lost: BlobKey | None) -> DerivedFile | None:
    """`made`, or the file that another process made before. None if the content is gone."""
    kept = None
    if await derived_store.find_and_lock_content(tx, order.sha256):
        gone = await derived_store.forget(tx, lost) if lost is not None else []
        await stat_store.count_made(tx, "class", gone, await derived_store.add(tx, order, made))
        kept = await derived_store.find(tx, order)
    if kept != made:
        await discard_later(tx, [made.key])
    return kept
