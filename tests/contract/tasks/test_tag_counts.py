"""The number of tasks with a tag, which is kept in parts."""

import asyncio
from collections import Counter

import pytest

from stowboard.db.database import Database, Tx
from stowboard.tasks.index.index_store import change_counts, count_of


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_who_adds_to_another_part_does_not_wait(database: Database) -> None:
    added, go_on = asyncio.Event(), asyncio.Event()

    async def add_and_wait(tx: Tx) -> None:
        await change_counts(tx, "ann", Counter({("x", 0, False): 1}))
        added.set()
        await go_on.wait()

    first = asyncio.create_task(database.transact(add_and_wait))
    await added.wait()
    await database.transact(change_counts, "ann", Counter({("x", 1, False): 1}))
    assert not first.done()
    go_on.set()
    await first
    assert await database.read(count_of, "ann", "x") == 2
