"""A listener is woken from any node and process: both databases promise it, in one body."""

import asyncio

import pytest

from stowboard.db.database import Database, Tx
from support.database.program import finish, program
from support.database.scratch_tables import Refused, add, create_tables
from support.waiting import until


@pytest.fixture(autouse=True)
async def scratch(database: Database) -> None:
    await database.transact(create_tables)


async def test_a_notification_reaches_every_node(database: Database, other_node: Database) -> None:
    here, there = asyncio.Event(), asyncio.Event()
    database.listen("news", here.set)
    other_node.listen("news", there.set)
    await _settle(database, [here, there])

    async def work(tx: Tx) -> None:
        await add(tx, 2)
        tx.notify("news")
        tx.notify("news")

    await database.transact(work)
    await until(lambda: here.is_set() and there.is_set())


async def test_a_notification_comes_from_another_process(database: Database, database_url: str) -> None:
    woken = asyncio.Event()
    database.listen("news", woken.set)
    await _settle(database, [woken])
    with program("notify", database_url, "news") as process:
        await finish(process)
        await until(woken.is_set)


async def test_a_rolled_back_transaction_notifies_nobody(database: Database) -> None:
    woken = asyncio.Event()
    database.listen("news", woken.set)
    await _settle(database, [woken])

    async def work(tx: Tx) -> None:
        tx.notify("news")
        raise Refused

    with pytest.raises(Refused):
        await database.transact(work)
    await asyncio.sleep(0.2)
    assert not woken.is_set()


async def _settle(database: Database, wakes: list[asyncio.Event]) -> None:
    """PostgreSQL wakes everybody once when it begins to listen; SQLite once after a commit, whatever was written."""
    if database.dialect == "sqlite":
        await database.transact(add, 1000)
    await until(lambda: all(wake.is_set() for wake in wakes))
    for wake in wakes:
        wake.clear()
