"""Reading bytes at rest to see whether they are what they were when they were written.

A row that was written before digests were kept gets its digest here, from the first reading.
"""

import logging
from collections.abc import AsyncGenerator
from enum import StrEnum
from typing import NamedTuple

from stowboard.blobs.hashing import hashed
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.named import BLOB_COLUMNS, BlobColumn
from stowboard.blobs.store import BlobNotFound, BlobStore
from stowboard.db.database import Database, Tx
from stowboard.media.damage.marks import FOUND, is_marked, mark

BATCH = 100
CHECKED = [column for column in BLOB_COLUMNS if column.sha256 is not None]
CONTENT = next(column for column in CHECKED if column.table == "content")

log = logging.getLogger("stowboard.media")


class BlobToCheck(NamedTuple):
    """A blob, and what its row says of it."""

    key: BlobKey
    #: As far as the row knows.
    size: int
    sha256: str | None


class BlobVerdict(StrEnum):
    WHOLE = "whole"
    DAMAGED = "damaged"
    MISSING = "missing"


async def size_of_all(tx: Tx) -> int:
    """The bytes of all checked blobs, as far as the rows know."""
    sizes = [await tx.one(f"SELECT COALESCE(sum({column.size}), 0) FROM {column.table}") for column in CHECKED]
    return sum(int(row[0]) for row in sizes if row is not None)


async def next_named(tx: Tx, column: BlobColumn, after: BlobKey | None, limit: int = BATCH) -> list[BlobToCheck]:
    """The next blobs beyond `after`, in the order of keys."""
    table, key, size, sha256 = column.table, column.column, column.size, column.sha256
    sql = f"SELECT {key}, {size}, {sha256} FROM {table} WHERE {key} > $1 ORDER BY {key} LIMIT $2"
    return [BlobToCheck(BlobKey(row[0]), row[1], row[2]) for row in await tx.all(sql, after or "", limit)]


async def all_named(db: Database, column: BlobColumn) -> AsyncGenerator[BlobToCheck]:
    after: BlobKey | None = None
    while batch := await db.read(next_named, column, after):
        for named in batch:
            yield named
        after = batch[-1].key


async def check(db: Database, blobs: BlobStore, column: BlobColumn, named: BlobToCheck) -> BlobVerdict:
    """Read the blob, and write down if it is damaged, or whole again."""
    try:
        damaged = not await _is_whole(db, blobs, column, named)
    except BlobNotFound:
        # Or was it deleted at this moment?
        return BlobVerdict.MISSING if await db.read(_is_named, column, named.key) else BlobVerdict.WHOLE
    if damaged or await db.read(is_marked, column, named.key):
        await tell(db, column, named.key, damaged=damaged)
    return BlobVerdict.DAMAGED if damaged else BlobVerdict.WHOLE


async def report_damage(db: Database, key: BlobKey) -> None:
    """Write down that the bytes under this key are damaged, whichever row names them."""
    for column in CHECKED:
        if await db.read(_is_named, column, key):
            await tell(db, column, key, damaged=True)


async def tell(db: Database, column: BlobColumn, key: BlobKey, *, damaged: bool) -> list[str]:
    """Write down that bytes are damaged, or whole again, and let the operator know."""
    told = await db.transact(mark, column, key, damaged=damaged)
    if damaged:
        FOUND.add(column.table)
        log.error("%s is damaged: its bytes are not what they were", key, extra={"of": told or column.table})
    elif told:
        log.warning("%s is whole again", key, extra={"of": told})
    return told


async def _is_whole(db: Database, blobs: BlobStore, column: BlobColumn, named: BlobToCheck) -> bool:
    """Raises BlobNotFound. Bytes that seem to be damaged are read again: the error may lie in the transport."""
    found = (await hashed(blobs.read(named.key))).sha256
    if named.sha256 is None:
        await db.transact(_learn, column, named.key, found)
        return True
    return found == named.sha256 or (await hashed(blobs.read(named.key))).sha256 == named.sha256


async def _learn(tx: Tx, column: BlobColumn, key: BlobKey, sha256: str) -> None:
    sql = f"UPDATE {column.table} SET {column.sha256} = $2 WHERE {column.column} = $1 AND {column.sha256} IS NULL"
    await tx.run(sql, key, sha256)


async def _is_named(tx: Tx, column: BlobColumn, key: BlobKey) -> bool:
    return await tx.one(f"SELECT 1 FROM {column.table} WHERE {column.column} = $1", key) is not None
