"""Transactions that stop before they commit, so that a race can be played step by step. PostgreSQL only."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from stowboard.db.database import Database, Tx
from support.database.statements import rows
from support.waiting import until

_WAITING = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"


@asynccontextmanager
async def paused(database: Database, verb: Callable[..., Awaitable[Any]], *args: Any) -> AsyncIterator[None]:
    """The verb is done and not yet committed inside of the block, at whose end it is."""
    done, go_on = asyncio.Event(), asyncio.Event()

    async def work(tx: Tx) -> None:
        await verb(tx, *args)
        done.set()
        await go_on.wait()

    transaction = asyncio.create_task(database.transact(work))
    reached = asyncio.create_task(done.wait())
    await asyncio.wait([transaction, reached], return_when=asyncio.FIRST_COMPLETED)
    if transaction.done():
        reached.cancel()
        await transaction  # it failed before
    try:
        yield
    finally:
        go_on.set()
        await transaction


async def until_one_waits(database: Database) -> None:
    async def someone_waits() -> bool:
        return await rows(database, _WAITING) != []

    await until(someone_waits)
