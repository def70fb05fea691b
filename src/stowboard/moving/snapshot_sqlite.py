"""A moment of an SQLite file: one read transaction, which does not see what is written meanwhile."""

import os
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from itertools import islice
from pathlib import Path

import apsw

from stowboard.db.database import Row
from stowboard.db.sqlite_tx import translated
from stowboard.moving.catalogue import Dialect
from stowboard.moving.progress import MovingProgress
from stowboard.moving.snapshot import BATCH

_LOCK_WAIT_MS = 10_000
_PAGES_AT_ONCE = 1024


class SqliteSnapshot:
    dialect: Dialect = "sqlite"

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    async def all(self, sql: str) -> Sequence[Row]:
        with _translated(self._connection):
            return self._connection.execute(sql).fetchall()

    async def batches(self, sql: str) -> AsyncGenerator[Sequence[Row]]:
        with _translated(self._connection):
            cursor = self._connection.execute(sql)
        while batch := self._next(cursor):
            yield batch

    def copy_to(self, path: Path, progress: MovingProgress) -> None:
        """Copy this moment into a new database file, page by page. The file is not fsynced yet."""
        copy = apsw.Connection(os.fspath(path))
        try:
            copy.execute("PRAGMA synchronous = OFF")  # the caller makes the whole file durable at once
            with _translated(copy):
                self._copy_pages(copy, progress)
        finally:
            copy.close()

    def _next(self, cursor: apsw.Cursor) -> list[Row]:
        with _translated(self._connection):
            return list(islice(cursor, BATCH))

    def _copy_pages(self, copy: apsw.Connection, progress: MovingProgress) -> None:
        size, pages = (int(self._connection.execute(f"PRAGMA {name}").get) for name in ("page_size", "page_count"))
        progress.begin("database", pages * size, "bytes")
        # The copy is of the transaction that is open here, not of a newer one.
        with copy.backup("main", self._connection, "main") as backup:
            left = pages
            while not backup.done:
                backup.step(_PAGES_AT_ONCE)
                progress.advance((left - backup.remaining) * size)
                left = backup.remaining


@asynccontextmanager
async def open_sqlite_snapshot(path: Path) -> AsyncIterator[SqliteSnapshot]:
    connection = apsw.Connection(os.fspath(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        with _translated(connection):
            connection.set_busy_timeout(_LOCK_WAIT_MS)
            connection.execute("PRAGMA query_only = ON; BEGIN; SELECT 1 FROM sqlite_schema").fetchall()
        yield SqliteSnapshot(connection)
    finally:
        connection.close()


@contextmanager
def _translated(connection: apsw.Connection) -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        raise translated(error, connection) from error
