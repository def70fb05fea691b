"""Single statements on the database under test."""

from typing import Any

from stowboard.db.database import Database, Tx


async def rows(database: Database, sql: str, *args: Any) -> list[tuple[Any, ...]]:
    async def work(tx: Tx) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in await tx.all(sql, *args)]

    return await database.read(work)


async def execute(database: Database, sql: str, *args: Any) -> None:
    async def work(tx: Tx) -> None:
        await tx.run(sql, *args)

    await database.transact(work)
