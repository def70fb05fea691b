"""Where a task goes: the lane that a status means, and a rank at its end.

Whoever changes an order holds the lane before any task in it. The other way round, one who holds a task and waits for
its lane and one who holds the lane and spreads its tasks anew, or removes the column, would wait for each other.
"""

import contextlib
from collections.abc import Awaitable, Callable

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.db.database import Tx
from stowboard.tasks import task_store
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.board import Column, column_for
from stowboard.tasks.boards.ordering import rank_at_end
from stowboard.tasks.errors import WrongDestination
from stowboard.tasks.task import Status, Task, lane_of
from stowboard.tasks.versions import check_version


async def hold_task(
    tx: Tx, caller: Caller, task_id: str, if_match: str | None, hold_lane: Callable[[Task], Awaitable[Column | None]]
) -> tuple[Task, Column | None]:
    """The task and the column that `hold_lane` has held for it, None for off every board or for no other place.

    Until the task is held it may change and its board may go: `hold_lane` may meet a board without columns, and is then
    asked again, after all that was held has been let go. Raises TaskNotFound, PreconditionFailed, and what it does.
    """
    while True:
        task = await task_store.get_owned(tx, caller.owner, task_id)
        check_version(task, if_match)
        with contextlib.suppress(_Overtaken):
            async with tx.savepoint():
                column = await hold_lane(task)
                held = await task_store.get_owned_for_change(tx, caller.owner, task_id)
                if held.version != task.version:
                    raise _Overtaken
                return held, column


class _Overtaken(Exception):
    """The task was changed while we waited for a lane."""


async def hold_end(tx: Tx, task: Task, status: Status) -> Column | None:
    """The column that a new status means for the task."""
    if task.board_id is None or status is task.status:
        return None
    return await hold_column(tx, task.board_id, lambda columns: _usual(columns, status))


async def hold_entry(tx: Tx, task: Task) -> Column | None:
    """The entry column of the task's board."""
    return await hold_column(tx, task.board_id, _entry) if task.board_id is not None else None


async def hold_terminal(tx: Tx, task: Task) -> Column | None:
    """The terminal column of the task's board."""
    return await hold_column(tx, task.board_id, _terminal) if task.board_id is not None else None


async def append(tx: Tx, task: Task, status: Status, column: Column | None) -> Task:
    """The task at the end of a column, which must be held, or off every board."""
    lane = lane_of(task.owner, status, column.id if column else None)
    rank = rank_at_end(await lane_store.last_rank(tx, lane), clock.now_ms())
    return placed(task, status, column, rank)


async def hold_column(tx: Tx, board_id: str, choose: Callable[[list[Column]], Column | None]) -> Column | None:
    """The chosen column of the board, in which nobody else orders tasks, and which stays until the transaction ends.

    It may have been removed while we waited for it; then another one is chosen, or None.
    """
    column = choose(await board_store.columns_of(tx, board_id))
    while column is not None:
        await lane_store.hold(tx, column.id)
        chosen = choose(await board_store.columns_of(tx, board_id))
        if chosen is not None and chosen.id == column.id:
            return chosen
        column = chosen
    return None


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


def _usual(columns: list[Column], status: Status) -> Column | None:
    return own_or_usual_column(columns, None, status) if columns else None


def _entry(columns: list[Column]) -> Column | None:
    return next((column for column in columns if column.is_entry), None)


def _terminal(columns: list[Column]) -> Column | None:
    return next((column for column in columns if column.is_terminal), None)
