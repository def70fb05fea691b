"""The mark of an unfinished import or restore: a table in the target, until everything is written and checked.

It says how many rows of each table are written, and is updated in the transaction that writes them. So a killed import
continues where it stopped. No process serves an installation that has this mark.
"""

from collections.abc import Iterable
from typing import NamedTuple

from stowboard.db.database import Tx
from stowboard.moving.catalogue import Dialect
from stowboard.moving.refusal import MovingRefusal

ADVICE = (
    "an import or a restore into this installation was begun and is not finished. Run the same command again: it goes"
    " on where it was."
)
_EXISTS = {
    "sqlite": "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'unfinished_import'",
    "postgres": "SELECT 1 WHERE to_regclass('unfinished_import') IS NOT NULL",
}


class UnfinishedImport(NamedTuple):
    """The run of the export or backup, and how many rows of each table are written."""

    run: str
    rows: dict[str, int]


async def is_unfinished(tx: Tx, dialect: Dialect) -> bool:
    return await tx.one(_EXISTS[dialect]) is not None


async def find_unfinished(tx: Tx, dialect: Dialect) -> UnfinishedImport | None:
    if not await is_unfinished(tx, dialect):
        return None
    rows = await tx.all("SELECT run, name, imported FROM unfinished_import")
    return UnfinishedImport(rows[0][0], {name: imported for _, name, imported in rows})


async def begin(tx: Tx, run: str, tables: Iterable[str]) -> None:
    await tx.run("CREATE TABLE unfinished_import (name TEXT PRIMARY KEY, run TEXT NOT NULL, imported BIGINT NOT NULL)")
    sql = "INSERT INTO unfinished_import (name, run, imported) VALUES ($1, $2, 0)"
    await tx.run_many(sql, [(name, run) for name in tables])


async def advance(tx: Tx, table: str, before: int, count: int) -> None:
    """Call this in the transaction that writes the rows. Raises MovingRefusal if another import was faster."""
    sql = "UPDATE unfinished_import SET imported = imported + $3 WHERE name = $1 AND imported = $2"
    if await tx.run(sql, table, before, count) == 0:
        raise MovingRefusal("another import into the same installation is running. Let one of them finish.")


async def finish(tx: Tx) -> None:
    await tx.run("DROP TABLE unfinished_import")
