"""Where a task goes: the lane that a status means, and a rank between its neighbours there."""

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.tasks import board_store, lane_store
from stowboard.tasks.board import Column, column_for
from stowboard.tasks.errors import WrongDestination
from stowboard.tasks.ordering import rank_at_end
from stowboard.tasks.task import Status, Task, lane_of


async def at_end(tx: Tx, task: Task, status: Status) -> Task:
    """The task with this status, at the end of where it then belongs; unmoved if it is there already."""
    if task.board_id is None:
        return await at_end_of_lane(tx, task, status, None)
    columns = await board_store.columns_of(tx, task.board_id)
    column = own_or_usual_column(columns, task.column_id, status)
    return await at_end_of_lane(tx, task, status, column)


async def at_entry(tx: Tx, task: Task) -> Task:
    """The task as one to do, at the end of its board's entry column, also if it is in that column already."""
    columns = await board_store.columns_of(tx, task.board_id) if task.board_id is not None else []
    entry = next((column for column in columns if column.is_entry), None)
    status = entry.status if entry else Status.TODO
    return await append(tx, task, status, entry)


async def at_terminal(tx: Tx, task: Task) -> Task:
    """The task as done, at the end of its board's terminal column."""
    columns = await board_store.columns_of(tx, task.board_id) if task.board_id is not None else []
    terminal = next((column for column in columns if column.is_terminal), None)
    return await append(tx, task, Status.DONE, terminal)


async def at_end_of_lane(tx: Tx, task: Task, status: Status, column: Column | None) -> Task:
    """Unmoved if it is in that lane already."""
    if lane_of(task.owner, status, column.id if column else None) == task.lane:
        return task
    return await append(tx, task, status, column)


async def append(tx: Tx, task: Task, status: Status, column: Column | None) -> Task:
    """The task at the end of a column, or off every board."""
    if column is not None:
        await hold_column(tx, column)
    lane = lane_of(task.owner, status, column.id if column else None)
    rank = rank_at_end(await lane_store.last_rank(tx, lane), clock.now_ms())
    return placed(task, status, column, rank)


def own_or_usual_column(columns: list[Column], current: str | None, status: Status) -> Column:
    """The present column if it has the status, else the usual one for it. Raises WrongDestination if there is none."""
    present = next((column for column in columns if column.id == current and column.status is status), None)
    column = present or column_for(columns, status)
    if column is None:
        raise WrongDestination(f"status: the board has no column for {status}.")
    return column


async def hold_column(tx: Tx, column: Column) -> None:
    """Order this column alone, and make sure that it is still there: it may have been removed while we waited."""
    await lane_store.hold(tx, column.id)
    if column.id not in {found.id for found in await board_store.columns_of(tx, column.board_id)}:
        raise WrongDestination("The column was removed at this moment. Read the board again.")


def placed(task: Task, status: Status, column: Column | None, rank: str) -> Task:
    return msgspec.structs.replace(
        task,
        status=status,
        board_id=column.board_id if column else None,
        column_id=column.id if column else None,
        lane=lane_of(task.owner, status, column.id if column else None),
        rank=rank,
    )
