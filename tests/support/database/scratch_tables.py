"""Two small tables, and the work that tests of the database do on them."""

from typing import Any

from stowboard.db.database import Database, Tx, Value


class Refused(Exception):
    """Raised by a work that does not want its own effects."""


async def create_tables(tx: Tx) -> None:
    await tx.run("CREATE TABLE counter (id BIGINT PRIMARY KEY, value BIGINT NOT NULL)")
    await tx.run("CREATE TABLE thing (kind TEXT NOT NULL, name TEXT NOT NULL, body BYTEA, live BIGINT)")
    await tx.run("CREATE UNIQUE INDEX thing_name ON thing (kind, name) WHERE live = 1")
    await tx.run("INSERT INTO counter (id, value) VALUES (1, 0)")


async def query(tx: Tx, sql: str, *args: Value) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in await tx.all(sql, *args)]


async def execute(tx: Tx, sql: str, *args: Value) -> int:
    return await tx.run(sql, *args)


async def add(tx: Tx, number: int) -> None:
    await tx.run("INSERT INTO counter (id, value) VALUES ($1, 0)", number)


async def increment(tx: Tx) -> None:
    row = await tx.one("SELECT value FROM counter WHERE id = 1 FOR UPDATE")
    assert row is not None
    await tx.run("UPDATE counter SET value = $1 WHERE id = 1", row[0] + 1)


async def counters(database: Database) -> list[int]:
    return [number for (number,) in await database.read(query, "SELECT id FROM counter ORDER BY id")]
