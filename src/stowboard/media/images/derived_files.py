"""Derived images, from bytes that were made to a row that names them."""

from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobStore
from stowboard.db.database import Tx
from stowboard.media.base.discard import discard_later
from stowboard.media.images import derived_store
from stowboard.media.images.derived_store import BLOB_KIND, DerivedFile, DerivedOrder
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.transforms.formats import ImageFormat


async def put(blobs: BlobStore, image: DerivedImage, image_format: ImageFormat) -> DerivedFile:
    """In the store, under a fresh key. To be followed by a row."""
    key = new_key(BLOB_KIND)
    written = await blobs.put_bytes(key, image.data)
    return DerivedFile(key, written.size, image_format.mime_type, image.width, image.height, written.sha256)


async def keep(tx: Tx, order: DerivedOrder, file: DerivedFile) -> None:
    """The content is locked by this transaction. If it has one already, this one goes."""
    await derived_store.add(tx, order, file)
    if await derived_store.find(tx, order) != file:
        await discard_later(tx, [file.key])
