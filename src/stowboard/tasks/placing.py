"""Where a task goes: the lane that a status means, and a rank at its end."""

from collections.abc import Callable

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.tasks import board_store, lane_store
from stowboard.tasks.board import Column, column_for
from stowboard.tasks.errors import WrongDestination
from stowboard.tasks.ordering import rank_at_end
from stowboard.tasks.task import Status, Task, lane_of


async def at_end(tx: Tx, task: Task, status: Status) -> Task:
    """The task with this status, at the end of where it then belongs; unmoved if it has the status already."""
    if task.status is status:
        return task
    if task.board_id is None:
        return await append(tx, task, status, None)
    column = await hold_column(tx, task.board_id, lambda columns: own_or_usual_column(columns, None, status))
    return await append(tx, task, status, column)


async def at_entry(tx: Tx, task: Task) -> Task:
    """The task as one to do, at the end of its board's entry column, also if it is in that column already."""
    if task.board_id is None:
        return await append(tx, task, Status.TODO, None)
    entry = await hold_column(tx, task.board_id, _entry)
    return await append(tx, task, entry.status, entry)


async def at_terminal(tx: Tx, task: Task) -> Task:
    """The task as done, at the end of its board's terminal column."""
    terminal = await hold_column(tx, task.board_id, _terminal) if task.board_id is not None else None
    return await append(tx, task, Status.DONE, terminal)


async def append(tx: Tx, task: Task, status: Status, column: Column | None) -> Task:
    """The task at the end of a column, which must be held, or off every board."""
    lane = lane_of(task.owner, status, column.id if column else None)
    rank = rank_at_end(await lane_store.last_rank(tx, lane), clock.now_ms())
    return placed(task, status, column, rank)


async def hold_column(tx: Tx, board_id: str, choose: Callable[[list[Column]], Column]) -> Column:
    """One of the board's columns, in which nobody else orders tasks, and which stays until the transaction ends.

    It may have been removed while we waited for it; then another one is chosen.
    """
    column = choose(await board_store.columns_of(tx, board_id))
    while True:
        await lane_store.hold(tx, column.id)
        chosen = choose(await board_store.columns_of(tx, board_id))
        if chosen.id == column.id:
            return chosen
        column = chosen


def own_or_usual_column(columns: list[Column], current: str | None, status: Status) -> Column:
    """The present column if it has the status, else the usual one for it. Raises WrongDestination if there is none."""
    present = next((column for column in columns if column.id == current and column.status is status), None)
    column = present or column_for(columns, status)
    if column is None:
        raise WrongDestination(f"status: the board has no column for {status}.")
    return column


def placed(task: Task, status: Status, column: Column | None, rank: str) -> Task:
    return msgspec.structs.replace(
        task,
        status=status,
        board_id=column.board_id if column else None,
        column_id=column.id if column else None,
        lane=lane_of(task.owner, status, column.id if column else None),
        rank=rank,
    )


def _entry(columns: list[Column]) -> Column:
    return next(column for column in columns if column.is_entry)


def _terminal(columns: list[Column]) -> Column:
    return next(column for column in columns if column.is_terminal)
