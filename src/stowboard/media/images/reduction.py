"""Reductions: large JPEGs at an eighth of their size, kept with their content, of which small classes are made.

To decode twelve megapixels takes 35 ms, at an eighth of the size as well. An upload does it anyway, to see whether the
picture is whole, so what it saw is kept; the first request for a thumbnail then takes a fifth of the time. A reduction
is an image that was made like any other, under a recipe that no class has. Without one, or if it is gone from the
store, the original does.
"""

from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobStore
from stowboard.db.database import Tx
from stowboard.media.base.classes import ORIGINAL
from stowboard.media.base.discard import discard_later
from stowboard.media.images import derived_store
from stowboard.media.images.derived_store import BLOB_KIND, DerivedFile, Order
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.transforms.formats import Format
from stowboard.media.images.transforms.recipe import CENTRE, PIPELINE_VERSION, Recipe

#: The filter that makes a picture smaller wants to see half as much again.
_ROOM = 1.5


class _Eighth(Recipe):
    def __str__(self) -> str:
        return f"{PIPELINE_VERSION}:eighth"


_RECIPE = _Eighth(ORIGINAL, CENTRE)


async def put(blobs: BlobStore, image: DerivedImage) -> DerivedFile:
    """To be followed by `keep`, in the transaction in which its content is claimed."""
    key = new_key(BLOB_KIND)
    written = await blobs.put_bytes(key, image.data)
    return DerivedFile(key, written.size, Format.JPEG.mime_type, image.width, image.height, written.sha256)


async def keep(tx: Tx, sha256: str, file: DerivedFile) -> None:
    """The content is claimed by this transaction. If it has one already, this one goes."""
    await derived_store.add(tx, _order(sha256), file)
    if await derived_store.find(tx, _order(sha256)) != file:
        await discard_later(tx, [file.key])


async def find(tx: Tx, sha256: str, width: int) -> DerivedFile | None:
    """One of which a picture of this width can be made."""
    found = await derived_store.find(tx, _order(sha256))
    return found if found is not None and found.width >= _ROOM * width else None


def _order(sha256: str) -> Order:
    return Order(sha256, _RECIPE, Format.JPEG)
