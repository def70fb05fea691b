"""The database of a running server, through a connection that is not the server's."""

import asyncio
from collections.abc import Sequence
from typing import Any

import apsw
import asyncpg

from support.servers.stowboard import Server

_LOCK_WAIT_MS = 10_000


def rows(server: Server, sql: str) -> list[tuple[Any, ...]]:
    """The result of a statement that both databases understand; a change is committed."""
    return rows_of_all(server, [sql])[0]


def rows_of_all(server: Server, statements: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    """The same for several, through one connection."""
    url = server.environment.get("STOWBOARD_DATABASE_URL")
    return _from_sqlite(server, statements) if url is None else asyncio.run(_from_postgres(url, statements))


def issued(server: Server, name: str) -> int:
    """How many access tokens of this name were ever made: the effects of requests that made them."""
    return int(rows(server, f"SELECT count(*) FROM access_token WHERE name = '{name}'")[0][0])


def registered(server: Server, name: str) -> int:
    """How many OAuth clients of this name were ever made."""
    return int(rows(server, f"SELECT count(*) FROM oauth_client WHERE name = '{name}'")[0][0])


def kept_replies(server: Server, owner: str) -> int:
    """How many replies are kept for callers of this owner."""
    found = rows(server, f"SELECT count(*) FROM idempotency WHERE scope LIKE '[\"{owner}\"%'")
    return int(found[0][0])


def _from_sqlite(server: Server, statements: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    connection = apsw.Connection(str(server.data_dir / "stowboard.db"))
    try:
        connection.set_busy_timeout(_LOCK_WAIT_MS)
        return [[tuple(row) for row in connection.execute(sql).fetchall()] for sql in statements]
    finally:
        connection.close()


async def _from_postgres(url: str, statements: Sequence[str]) -> list[list[tuple[Any, ...]]]:
    connection = await asyncpg.connect(url)  # type: ignore[no-untyped-call]
    try:
        return [[tuple(row) for row in await connection.fetch(sql)] for sql in statements]
    finally:
        await connection.close()
