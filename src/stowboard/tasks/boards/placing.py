"""Where a task goes: the column that a verb aims at, and a rank at its end.

Who changes an order locks the lane first and the task second. Spreading a lane's tasks or removing a
column does the same: in another order the two would wait for each other.
"""

import contextlib
from collections.abc import Awaitable, Callable

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.core.preconditions import check_if_match
from stowboard.db.database import Tx
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import BoardNotFound, WrongDestination
from stowboard.tasks.base.task import BoardId, ColumnId, Status, Task, TaskId, lane_of
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.board import Column, column_for
from stowboard.tasks.boards.ordering import rank_at_end


class LaneAim(msgspec.Struct, frozen=True, kw_only=True):
    """The lane that a task goes to: what a verb knows before it has seen the columns."""

    #: None is off every board.
    board_id: BoardId | None
    status: Status
    #: The board's entry column, whatever its status.
    entry: bool = False
    #: This very column.
    column_id: ColumnId | None = None
    #: This column if it has the status, else the usual one for it.
    preferred: ColumnId | None = None


async def lock_place(
    tx: Tx, caller: Caller, task_id: TaskId, if_match: str | None, aim: Callable[[Task], Awaitable[LaneAim | None]]
) -> tuple[Task, Column | None]:
    """Lock the lane that `aim` names for the task, then the task. The column is None off every board.

    An aim of None locks the task alone. While we wait for a lock, the task may change and the column may go; then all
    locks are let go and we begin again. Raises TaskNotFound, PreconditionFailed, BoardNotFound, WrongDestination, and
    what `aim` raises.
    """
    while True:
        task = await task_store.get_owned(tx, caller.owner, task_id)
        check_if_match(if_match, task.etag)
        aimed = await aim(task)
        with contextlib.suppress(_Overtaken):
            async with tx.savepoint():
                column = await _choose(tx, aimed)
                if aimed is not None:
                    await lane_store.lock(tx, lane_of(task.owner, aimed.status, column.id if column else None))
                locked = await task_store.lock_owned(tx, caller.owner, task_id)
                if locked.version != task.version or await _choose(tx, aimed) != column:
                    raise _Overtaken
                if column is None and aimed is not None and aimed.board_id is not None:
                    raise BoardNotFound  # at this moment
                return locked, column


async def lock_lane(tx: Tx, owner: str, aim: LaneAim) -> Column | None:
    """Lock the lane that a new task goes to; its column, None off every board.

    Raises BoardNotFound if the owner has no such board, WrongDestination.
    """
    if aim.board_id is not None:
        await board_store.get_board(tx, owner, aim.board_id)
    while True:
        with contextlib.suppress(_Overtaken):
            async with tx.savepoint():
                column = await _choose(tx, aim)
                if column is None and aim.board_id is not None:
                    raise BoardNotFound  # at this moment
                await lane_store.lock(tx, lane_of(owner, aim.status, column.id if column else None))
                if await _choose(tx, aim) != column:
                    raise _Overtaken
                return column


async def append(tx: Tx, task: Task, status: Status, column: Column | None) -> Task:
    """The task at the end of a column, whose lane must be locked, or off every board."""
    lane = lane_of(task.owner, status, column.id if column else None)
    rank = rank_at_end(await lane_store.last_rank(tx, lane), clock.now_ms())
    return placed(task, status, column, rank)


def placed(task: Task, status: Status, column: Column | None, rank: str) -> Task:
    return msgspec.structs.replace(
        task,
        status=status,
        board_id=column.board_id if column else None,
        column_id=column.id if column else None,
        lane=lane_of(task.owner, status, column.id if column else None),
        rank=rank,
    )


class _Overtaken(Exception):
    """The task or the column was changed while we waited for a lock."""


async def _choose(tx: Tx, aim: LaneAim | None) -> Column | None:
    """None off every board, and when the board is gone."""
    if aim is None or aim.board_id is None:
        return None
    columns = await board_store.columns_of(tx, aim.board_id)
    return _column(columns, aim) if columns else None


def _column(columns: list[Column], aim: LaneAim) -> Column:
    if aim.entry:
        return next(column for column in columns if column.is_entry)
    if aim.column_id is not None:
        return _named_column(columns, aim)
    preferred = [column for column in columns if column.id == aim.preferred and column.status is aim.status]
    column = preferred[0] if preferred else column_for(columns, aim.status)
    if column is None:
        raise WrongDestination(f"status: the board has no column for {aim.status}.")
    return column


def _named_column(columns: list[Column], aim: LaneAim) -> Column:
    column = next((column for column in columns if column.id == aim.column_id), None)
    if column is None:
        raise WrongDestination("columnId: the board has no such column.")
    if column.status is not aim.status:
        raise WrongDestination(f"columnId: that column has the status {column.status}.")
    return column
