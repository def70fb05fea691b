"""Which blobs the rows name, and so belong to an installation.

A blob that no row names is garbage that the sweep has not met yet, and stays behind. The bytes of a complete upload may
be gone already, when its asset had the same bytes or was deleted; every other name must have its bytes.
"""

from collections.abc import AsyncGenerator

from stowboard.blobs.keys import parse_key
from stowboard.moving.ledger import Name
from stowboard.moving.snapshot import Snapshot

#: Table, column, size, whether the bytes must be there, which rows. Contents stand for `asset.blob_key`; pieces of
#: uploads are not moved.
NAMES = (
    ("content", "blob_key", "size", 1, ""),
    ("derived", "blob_key", "size", 1, ""),
    ("asset", "incoming_key", "0", 1, " WHERE incoming_key IS NOT NULL"),
    ("video", "blob_key", "COALESCE(size, 0)", 1, " WHERE blob_key IS NOT NULL"),
    ("video", "poster_key", "0", 1, " WHERE poster_key IS NOT NULL"),
    ("video_rung", "blob_key", "COALESCE(size, 0)", 1, " WHERE blob_key IS NOT NULL"),
    ("upload", "blob_key", "received", 0, " WHERE state = 'complete'"),
)


async def read_names(snapshot: Snapshot) -> AsyncGenerator[list[Name]]:
    """Some at a time. The same key may come twice. Sizes are for telling how far one is, 0 where none is kept."""
    for table, column, size, required, condition in NAMES:
        async for batch in snapshot.batches(f"SELECT {column}, {size} FROM {table}{condition}"):
            yield [Name(parse_key(key), size, bool(required)) for key, size in batch]
