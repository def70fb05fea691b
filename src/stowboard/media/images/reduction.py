"""Reductions: large JPEGs at an eighth of their size, kept with their content, of which small classes are made.

To decode twelve megapixels takes 35 ms, at an eighth of the size as well. An upload does it for the placeholder anyway,
so what it saw is kept; the first request for a thumbnail then takes a fifth of the time. A reduction is an image that
was made like any other, under a recipe that no class has. Without one, or if it is gone from the store, the original
does.
"""

from stowboard.blobs.store import BlobStore
from stowboard.db.database import Tx
from stowboard.media.base.classes import ORIGINAL
from stowboard.media.images import derived_files, derived_store
from stowboard.media.images.derived_store import DerivedFile, DerivedOrder
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import CENTRE, PIPELINE_VERSION, TransformRecipe

#: The filter that makes a picture smaller wants to see half as much again.
_ROOM = 1.5


class _Eighth(TransformRecipe, frozen=True):
    def __str__(self) -> str:
        return f"{PIPELINE_VERSION}:eighth"


_RECIPE = _Eighth(ORIGINAL, CENTRE)


async def put(blobs: BlobStore, image: DerivedImage) -> DerivedFile:
    """To be followed by `keep`, in the transaction in which its content is claimed."""
    return await derived_files.put(blobs, image, ImageFormat.JPEG)


async def keep(tx: Tx, sha256: str, file: DerivedFile) -> None:
    """The content is claimed by this transaction."""
    await derived_files.keep(tx, order_of(sha256), file)


async def find(tx: Tx, sha256: str, width: int) -> DerivedFile | None:
    """One of which a picture of this width can be made."""
    found = await derived_store.find(tx, order_of(sha256))
    return found if found is not None and found.width >= _ROOM * width else None


def order_of(sha256: str) -> DerivedOrder:
    return DerivedOrder(sha256, _RECIPE, ImageFormat.JPEG)
