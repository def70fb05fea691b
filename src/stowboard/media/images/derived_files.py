"""Store derived images: the bytes first, then the row that names them."""

from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobStore
from stowboard.db.database import Tx
from stowboard.media.base import stat_store
from stowboard.media.base.discard import discard_later
from stowboard.media.images import derived_store
from stowboard.media.images.derived_store import BLOB_KIND, DerivedFile, DerivedOrder
from stowboard.media.images.picture import DerivedImage


async def put(blobs: BlobStore, order: DerivedOrder, image: DerivedImage) -> DerivedFile:
    """Store the bytes under a fresh key. `keep` must follow."""
    key = new_key(BLOB_KIND)
    written = await blobs.put_bytes(key, image.data)
    return DerivedFile(key, written.size, order.format.mime_type, image.width, image.height, written.sha256)


async def keep(tx: Tx, order: DerivedOrder, file: DerivedFile) -> None:
    """Write the row, or discard the file if there is one already. This transaction has locked the content.

    It counts the file: call it last.
    """
    added = await derived_store.add(tx, order, file)
    await stat_store.count_made(tx, "class", [], added)
    if not added:
        await discard_later(tx, [file.key])
