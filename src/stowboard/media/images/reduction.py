"""Reductions: large JPEGs at an eighth of their size, kept with their content. Small classes are made of them.

To decode twelve megapixels takes 35 ms, at an eighth of the size too. The placeholder needs that once anyway, so the
result is kept; the first request for a thumbnail then takes a fifth of the time. A reduction is a derived image with a
recipe that no class has. Without one the original is used.
"""

from stowboard.blobs.store import BlobStore
from stowboard.db.database import Tx
from stowboard.media.base.classes import ORIGINAL
from stowboard.media.images import derived_files, derived_store
from stowboard.media.images.derived_store import DerivedFile, DerivedOrder
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import CENTRE, PIPELINE_VERSION, TransformRecipe

#: The filter that scales a picture down needs half as many pixels again.
_ROOM = 1.5


class _Eighth(TransformRecipe, frozen=True):
    def __str__(self) -> str:
        return f"{PIPELINE_VERSION}:eighth"


_RECIPE = _Eighth(ORIGINAL, CENTRE)


async def put(blobs: BlobStore, image: DerivedImage) -> DerivedFile:
    """Store the bytes. `keep` must follow, in the transaction that claims the content."""
    return await derived_files.put(blobs, image, ImageFormat.JPEG)


async def keep(tx: Tx, sha256: str, file: DerivedFile) -> None:
    """Write the row, in the transaction that claims the content."""
    await derived_files.keep(tx, order_of(sha256), file)


async def find(tx: Tx, sha256: str, width: int) -> DerivedFile | None:
    """The reduction, if a picture of this width can be made of it."""
    found = await derived_store.find(tx, order_of(sha256))
    return found if found is not None and found.width >= _ROOM * width else None


def order_of(sha256: str) -> DerivedOrder:
    return DerivedOrder(sha256, _RECIPE, ImageFormat.JPEG)
