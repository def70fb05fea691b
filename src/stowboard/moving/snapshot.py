"""One moment of a database, read in flat memory through a connection of its own, while others go on writing."""

from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from stowboard.db.database import Row
from stowboard.db.open import DatabaseSettings
from stowboard.moving.catalogue import Dialect

#: Rows that are in memory at once. A row may have a megabyte.
BATCH = 100


class Snapshot(Protocol):
    """What it holds back, while it is open: on SQLite the log grows, on PostgreSQL vacuum keeps old rows."""

    dialect: Dialect

    async def all(self, sql: str) -> Sequence[Row]:
        """Every row; for short answers."""

    def batches(self, sql: str) -> AsyncGenerator[Sequence[Row]]:
        """The rows in their order, some at a time."""


def open_snapshot(settings: DatabaseSettings) -> AbstractAsyncContextManager[Snapshot]:
    """The database must exist. Raises DatabaseUnavailable."""
    if settings.on_sqlite:
        from stowboard.moving.snapshot_sqlite import open_sqlite_snapshot

        return open_sqlite_snapshot(settings.path)
    from stowboard.moving.snapshot_postgres import open_postgres_snapshot

    return open_postgres_snapshot(settings.url)
