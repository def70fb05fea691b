"""The blobs that rows name: these belong to the installation.

A blob that no row names is garbage that the sweep has not removed yet, and is not moved.
"""

from collections.abc import AsyncGenerator

from stowboard.blobs.keys import parse_key
from stowboard.blobs.named import BLOB_COLUMNS
from stowboard.moving.ledger import NeededBlob
from stowboard.moving.snapshot import Snapshot


async def read_names(snapshot: Snapshot) -> AsyncGenerator[list[NeededBlob]]:
    """Yields lists of them. The same key may come twice. Sizes are for showing progress; 0 if the row has none."""
    for table, column, size, sha256, moved_if, required in BLOB_COLUMNS:
        if moved_if is None:
            continue
        condition = moved_if or f"{column} IS NOT NULL"
        sql = f"SELECT {column}, {size}, {sha256 or 'NULL'} FROM {table} WHERE {condition}"
        async for batch in snapshot.batches(sql):
            yield [NeededBlob(parse_key(key), known_size, required, digest) for key, known_size, digest in batch]
