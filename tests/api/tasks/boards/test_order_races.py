"""Races for a column, played step by step: what the second one does while the first has not committed.

On PostgreSQL only: SQLite has one writer at a time, so there is nothing to race for.
"""

import asyncio
from collections.abc import AsyncIterator

import pytest

from stowboard.db.database import Database
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.tasks.archive import delete_task
from stowboard.tasks.base.errors import BoardNotFound, WrongDestination
from stowboard.tasks.base.task import Status, Task, TaskId
from stowboard.tasks.boards import board_store, boards
from stowboard.tasks.boards.board import Column
from stowboard.tasks.boards.move import MoveDestination, move_task
from stowboard.tasks.complete import complete_task
from support.database.paused_transactions import paused, until_one_waits
from support.database.statements import rows
from support.servers.postgres import PostgresServer
from support.tasks.worn_lanes import WornLane, wear_out

TODO = Status.TODO


@pytest.fixture
async def database(postgres: PostgresServer, migrated_template: str) -> AsyncIterator[Database]:
    database = await open_database(DatabaseSettings(postgres.create_database(template=migrated_template)))
    yield database
    await database.close()


@pytest.fixture
async def worn(database: Database) -> WornLane:
    """A column in which no rank fits between any two."""
    worn_lane = await WornLane.begin(database, tasks=6)
    await database.transact(wear_out, worn_lane.column_id)
    return worn_lane


@pytest.fixture
async def review(worn: WornLane, database: Database) -> Column:
    """Another column of the board, to be removed."""
    added = await database.transact(boards.add_column, worn.access, worn.board_id, "Review", Status.IN_PROGRESS, 1)
    return added[1]


async def test_a_neighbour_that_leaves_while_ranks_are_spread_anew_is_let_go(
    database: Database, worn: WornLane
) -> None:
    first, second, third, *_, last = worn.model
    async with paused(database, move_task, worn.access, second, MoveDestination(Status.DONE), None):
        moved = asyncio.create_task(move(database, worn, last, MoveDestination(TODO, after_task_id=first)))
        await until_one_waits(database)
    await moved
    assert (await worn.order())[:3] == [first, last, third]


async def test_a_neighbour_that_is_deleted_while_ranks_are_spread_anew_is_let_go(
    database: Database, worn: WornLane
) -> None:
    first, second, third, *_, last = worn.model
    async with paused(database, delete_task, worn.access, second, None):
        moved = asyncio.create_task(move(database, worn, last, MoveDestination(TODO, after_task_id=first)))
        await until_one_waits(database)
    await moved
    assert (await worn.order())[:3] == [first, last, third]


async def test_a_task_that_moves_into_a_column_goes_on_to_its_heir(
    database: Database, worn: WornLane, review: Column
) -> None:
    task_id = worn.model[0]
    to = MoveDestination(Status.IN_PROGRESS, column_id=review.id)
    async with paused(database, move_task, worn.access, task_id, to, None):
        removal = database.transact(boards.remove_column, worn.access, worn.board_id, review.id)
        removed = asyncio.create_task(removal)
        await until_one_waits(database)
    await removed
    [(status, column_id)] = await rows(database, "SELECT status, column_id FROM task WHERE id = $1", task_id)
    assert status == Status.IN_PROGRESS
    assert column_id in [column.id for column in await columns(database, worn)]


async def test_a_column_that_has_gone_is_not_moved_into(database: Database, worn: WornLane, review: Column) -> None:
    named, unnamed = worn.model[:2]
    async with paused(database, boards.remove_column, worn.access, worn.board_id, review.id):
        wanted = MoveDestination(Status.IN_PROGRESS, column_id=review.id)
        moves = asyncio.gather(
            move(database, worn, named, wanted),
            move(database, worn, unnamed, MoveDestination(Status.IN_PROGRESS)),
            return_exceptions=True,
        )
        await until_one_waits(database)
    refused, moved = await moves
    assert isinstance(refused, WrongDestination)
    assert isinstance(moved, Task)
    assert moved.column_id in [column.id for column in await columns(database, worn)]


async def test_what_waits_for_a_board_that_is_deleted_finds_it_gone(database: Database, worn: WornLane) -> None:
    moved_id, completed_id = worn.model[:2]
    async with paused(database, boards.delete_board, worn.access, worn.board_id):
        waiting = asyncio.gather(
            move(database, worn, moved_id, MoveDestination(Status.DONE, worn.board_id)),
            database.transact(complete_task, worn.access, completed_id, None),
            return_exceptions=True,
        )
        await until_one_waits(database)
    refused, completed = await waiting
    assert isinstance(refused, BoardNotFound)
    assert isinstance(completed, Task)
    assert (completed.status, completed.board_id, completed.column_id) == (Status.DONE, None, None)
    assert completed.lane == f"u:done:{worn.access.caller.owner}"


async def move(database: Database, worn_lane: WornLane, task_id: TaskId, to: MoveDestination) -> Task:
    return await database.transact(move_task, worn_lane.access, task_id, to, None)


async def columns(database: Database, worn_lane: WornLane) -> list[Column]:

    return await database.read(board_store.columns_of, worn_lane.access.caller.owner, worn_lane.board_id)
