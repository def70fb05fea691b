"""The price of order: ranks stay short, and a move writes little more than the task that is moved."""

import asyncio

import pytest

from stowboard.db.database import Database, Tx
from stowboard.tasks.move import Destination, move_task
from stowboard.tasks.ordering import MAX_RANK
from stowboard.tasks.task import Status
from support.wearing import Wearing, wear

MOVES = 3_000


async def test_many_moves_beside_one_task_keep_ranks_short_and_write_few_rows(database: Database) -> None:
    wearing = await Wearing.begin(database, tasks=40)
    await wearing.move_many(MOVES, seed=1)
    assert await wearing.order() == wearing.model
    assert wearing.longest <= MAX_RANK
    assert wearing.written <= MOVES * 1.15


async def test_a_neighbour_that_leaves_while_ranks_are_spread_anew_is_let_go(database: Database) -> None:
    if database.dialect == "sqlite":
        pytest.skip("SQLite has one writer at a time")
    wearing = await Wearing.begin(database, tasks=6)
    first, second, third, *_ = wearing.model
    await database.transact(wear, wearing.column_id)
    leaving, may_leave = asyncio.Event(), asyncio.Event()

    async def leave(tx: Tx) -> None:
        await move_task(tx, wearing.caller, second, Destination(Status.DONE), None)
        leaving.set()
        await may_leave.wait()

    left = asyncio.create_task(database.transact(leave))
    await leaving.wait()
    to = Destination(Status.TODO, after_task_id=first)
    moved = asyncio.create_task(database.transact(move_task, wearing.caller, wearing.model[5], to, None))
    await asyncio.sleep(0.2)  # until it waits for the one that leaves
    may_leave.set()
    await asyncio.gather(left, moved)
    assert (await wearing.order())[:3] == [first, wearing.model[5], third]
