"""Derived images in the database: for each content its images, by recipe and format."""

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.media.base.stat_store import MadeFile
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import TransformRecipe

BLOB_KIND = "derived"


class DerivedOrder(msgspec.Struct, frozen=True):
    """The key of a derived image."""

    sha256: str
    recipe: TransformRecipe
    format: ImageFormat


class DerivedFile(msgspec.Struct, frozen=True):
    key: BlobKey
    size: int
    mime_type: str
    width: int
    height: int
    #: None until the bytes are first read.
    sha256: str | None = None

    @property
    def etag(self) -> str:
        """Strong, in its quotes: a blob never changes, and no name is given twice."""
        return f'"{self.key.rpartition("/")[2]}"'


async def find(tx: Tx, order: DerivedOrder) -> DerivedFile | None:
    row = await tx.one(
        "SELECT blob_key, size, width, height, blob_sha256 FROM derived"
        " WHERE sha256 = $1 AND recipe = $2 AND format = $3",
        order.sha256, str(order.recipe), order.format,
    )  # fmt: skip
    if row is None:
        return None
    key, size, width, height, sha256 = row
    return DerivedFile(BlobKey(key), size, order.format.mime_type, width, height, sha256)


async def add(tx: Tx, order: DerivedOrder, file: DerivedFile) -> list[MadeFile]:
    """Add the row, unless there is one. The caller counts the file."""
    added = await tx.run(
        "INSERT INTO derived (sha256, recipe, format, blob_key, size, width, height, created_at, blob_sha256)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (sha256, recipe, format) DO NOTHING",
        order.sha256, str(order.recipe), order.format, file.key, file.size, file.width, file.height, clock.now_ms(),
        file.sha256,
    )  # fmt: skip
    return [(file.key, file.size)] if added else []


async def forget(tx: Tx, key: BlobKey) -> list[MadeFile]:
    """Remove the row that names this blob, if there is one. The caller counts the file."""
    return [(key, size) for (size,) in await tx.all("DELETE FROM derived WHERE blob_key = $1 RETURNING size", key)]


async def find_and_lock_content(tx: Tx, sha256: str) -> bool:
    """Lock the content until the transaction ends; False if it is gone."""
    return await tx.one("SELECT 1 FROM content WHERE sha256 = $1 FOR UPDATE", sha256) is not None
