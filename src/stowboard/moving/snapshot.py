"""One moment of a database, read in flat memory through a connection of its own, while others go on writing."""

from collections.abc import AsyncGenerator, Sequence
from typing import Protocol

from stowboard.db.database import Row
from stowboard.moving.catalogue import Dialect

#: Rows that are in memory at once. A row may have a megabyte.
BATCH = 100


class Snapshot(Protocol):
    """An open snapshot has a price: on SQLite the log grows, on PostgreSQL vacuum keeps old rows."""

    dialect: Dialect

    async def all(self, sql: str) -> Sequence[Row]:
        """Every row; for short answers."""

    def batches(self, sql: str) -> AsyncGenerator[Sequence[Row]]:
        """The rows in their order, some at a time."""
