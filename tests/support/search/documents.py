"""The whole index of search, and how to fill it in again from what there is."""

from typing import Any

from stowboard.db.database import Database, Tx
from stowboard.finding import FILLED_BY
from stowboard.search.filling import begin_again, fill_some


async def documents(tx: Tx) -> dict[str, tuple[Any, ...]]:
    """By their ids: the title first, then the rest."""
    terms = "''" if tx.dialect == "sqlite" else "terms::text"
    rows = await tx.all(f"SELECT id, title, rest, {terms} FROM search_document")
    return {row[0]: tuple(row[1:]) for row in rows}


async def forget(tx: Tx) -> None:
    """As a database is that comes from an earlier release."""
    await tx.run("DELETE FROM search_document")
    await begin_again(tx)


async def fill(database: Database) -> int:
    """How many batches it took."""
    batches = 0
    for type_, read_batch in FILLED_BY.items():
        batches += 1
        while await database.transact(fill_some, type_, read_batch):
            batches += 1
    return batches
