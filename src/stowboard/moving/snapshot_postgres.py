"""A moment of a PostgreSQL database: one REPEATABLE READ transaction, read through cursors of the server."""

from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from stowboard.db.database import Row
from stowboard.db.postgres_connect import PostgresServers
from stowboard.db.postgres_errors import DRIVER_ERRORS, translated
from stowboard.moving.catalogue import Dialect
from stowboard.moving.snapshot import BATCH

_CONNECT_SECONDS = 10.0
#: Long, since a large table takes time, and files are copied while the snapshot is open.
_PATIENT = {"statement_timeout": "0", "idle_in_transaction_session_timeout": "0"}


class PostgresSnapshot:
    dialect: Dialect = "postgres"

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    async def all(self, sql: str) -> Sequence[Row]:
        with _translated():
            rows: Sequence[Row] = await self._connection.fetch(sql)
            return rows

    async def batches(self, sql: str) -> AsyncGenerator[Sequence[Row]]:
        with _translated():
            cursor = await self._connection.cursor(sql)
        while batch := await self._next(cursor):
            yield batch

    async def _next(self, cursor: Any) -> Sequence[Row]:
        with _translated():
            rows: Sequence[Row] = await cursor.fetch(BATCH)
            return rows


@asynccontextmanager
async def open_postgres_snapshot(url: str) -> AsyncIterator[PostgresSnapshot]:
    with _translated():
        connection = await PostgresServers(url, _CONNECT_SECONDS).connect(_PATIENT)
    try:
        with _translated():
            await connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        yield PostgresSnapshot(connection)
    finally:
        connection.terminate()


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except DRIVER_ERRORS as error:
        raise translated(error, closed=True) from error
