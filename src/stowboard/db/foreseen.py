"""Foresees the work of pending migrations without running them: the tables that they go through, and the time.

A statement that makes a table or adds a column is done at once, however much is stored. One that makes an index on a
table, or changes its rows, goes through all of them; the time is worked out from how many there are.
"""

import re
from collections.abc import Sequence

import msgspec

from stowboard.db.database import Tx
from stowboard.db.migrate import HAS_TABLE, Migration

#: The speed of a small machine with a slow disk.
ROWS_A_SECOND = 20_000
_GOES_THROUGH = re.compile(
    r"^\s*(?:CREATE (?:UNIQUE )?INDEX [^;]*? ON|UPDATE|DELETE FROM|INSERT INTO [^;]*?\bSELECT\b[^;]*?\bFROM)\s+(\w+)",
    re.MULTILINE | re.IGNORECASE,
)


class ForeseenWork(msgspec.Struct, frozen=True):
    """The rows that a migration goes through, by table; none if it is done at once."""

    migration: Migration
    rows: dict[str, int]

    @property
    def seconds(self) -> int:
        return -(-sum(self.rows.values()) // ROWS_A_SECOND)


async def foresee(tx: Tx, migrations: Sequence[Migration]) -> list[ForeseenWork]:
    found = []
    for migration in migrations:
        rows = {table: await _count(tx, table) for table in _GOES_THROUGH.findall(migration.script)}
        found.append(ForeseenWork(migration, {table: count for table, count in rows.items() if count}))
    return found


async def _count(tx: Tx, table: str) -> int:
    """The rows of the table; none if one of these migrations makes it."""
    if await tx.one(HAS_TABLE[tx.dialect], table) is None:
        return 0
    row = await tx.one(f"SELECT count(*) FROM {table}")  # a word of our own files
    return int(row[0]) if row else 0
