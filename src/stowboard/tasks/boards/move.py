"""Move a task to a status, a board and a place among its neighbours.

Every change of an order locks the lane first and the task second; so do spreading a lane's tasks and removing a column.
In the other order two of them would wait for each other. A rank is never too long: where two neighbours are too close,
the tasks around them are spread out again.
"""

import contextlib
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import ValidationFailed
from stowboard.core.preconditions import check_if_match
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import BoardNotFound, WrongDestination
from stowboard.tasks.base.task import BoardId, ColumnId, Status, Task, TaskId, lane_of
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.board import Column, column_for
from stowboard.tasks.boards.ordering import (
    FIRST_REACH,
    MAX_RANK,
    RespreadPlan,
    WiderReach,
    plan_respread,
    rank_at_end,
    rank_between,
)
from stowboard.tasks.keep import keep
from stowboard.tasks.wire import MoveBody

_NEAR = 1000


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
    tx: Tx, access: Access, task_id: TaskId, if_match: str | None, aim: Callable[[Task], Awaitable[LaneAim | None]]
) -> tuple[Task, Column | None]:
    """Lock the lane that `aim` names for the task, then the task. The column is None off every board.

    An aim of None locks the task alone. While we wait for a lock, the task may change and the column may go; then all
    locks are let go and we begin again. Raises TaskNotFound, PreconditionFailed, BoardNotFound, WrongDestination, and
    what `aim` raises.
    """
    while True:
        task = await task_store.get(tx, access, task_id)
        check_if_match(if_match, task.etag)
        aimed = await aim(task)
        with contextlib.suppress(_Overtaken):
            async with tx.savepoint():
                column = await _choose(tx, task.owner, aimed)
                if aimed is not None:
                    await lane_store.lock(tx, lane_of(task.owner, aimed.status, column.id if column else None))
                locked = await task_store.lock(tx, access, task_id)
                if locked.version != task.version or await _choose(tx, task.owner, aimed) != column:
                    raise _Overtaken
                if column is None and aimed is not None and aimed.board_id is not None:
                    raise BoardNotFound  # at this moment
                return locked, column


async def lock_lane(tx: Tx, owner: str, aim: LaneAim) -> Column | None:
    """Lock the lane that a new task goes to. Returns its column, None off every board.

    Raises BoardNotFound if the owner has no such board, WrongDestination.
    """
    while True:
        with contextlib.suppress(_Overtaken):
            async with tx.savepoint():
                column = await _choose(tx, owner, aim)
                if column is None and aim.board_id is not None:
                    raise BoardNotFound  # at this moment
                await lane_store.lock(tx, lane_of(owner, aim.status, column.id if column else None))
                if await _choose(tx, owner, aim) != column:
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


async def _choose(tx: Tx, owner: str, aim: LaneAim | None) -> Column | None:
    """The column to go to. None off every board, and if the board is gone or has another owner now."""
    if aim is None or aim.board_id is None:
        return None
    columns = await board_store.columns_of(tx, owner, aim.board_id)
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


class MoveDestination(msgspec.Struct, frozen=True):
    """The place to move to. `board_id` UNSET keeps the board, None leaves it."""

    status: Status
    board_id: BoardId | None | UnsetType = UNSET
    column_id: ColumnId | None = None
    position: int | None = None
    before_task_id: TaskId | None = None
    after_task_id: TaskId | None = None

    @property
    def ordered(self) -> bool:
        return (self.position, self.before_task_id, self.after_task_id) != (None, None, None)


def destination(body: MoveBody) -> MoveDestination:
    """Raises ValidationFailed if the two members that name the board contradict each other."""
    if UNSET not in (body.board, body.board_id) and body.board != body.board_id:
        raise ValidationFailed("board and boardId are the same member; send one of them.")
    return MoveDestination(
        status=body.status,
        board_id=body.board_id if body.board is UNSET else body.board,
        column_id=body.column_id,
        position=body.position,
        before_task_id=body.before_task_id,
        after_task_id=body.after_task_id,
    )


async def move_task(tx: Tx, access: Access, task_id: TaskId, to: MoveDestination, if_match: str | None) -> Task:
    """Place the task in a column, between the given neighbours.

    Raises TaskNotFound for a task or neighbour that the caller cannot see, BoardNotFound for such a board,
    WrongDestination if a neighbour is not in that column or the neighbours are not adjacent.
    """
    task, column = await lock_place(tx, access, task_id, if_match, partial(_aim, tx, access, to))
    rank = await _rank(tx, task, lane_of(task.owner, to.status, column.id if column else None), to)
    return await keep(tx, task, placed(task, to.status, column, rank), kinds.TASK_MOVED)


async def place_new(tx: Tx, task: Task, to: MoveDestination) -> Task:
    """Give a new task its place, and lock its lane. Raises BoardNotFound, WrongDestination."""
    assert to.board_id is not UNSET
    aim = LaneAim(board_id=to.board_id, status=to.status, column_id=to.column_id)
    column = await lock_lane(tx, task.owner, aim)
    rank = await _rank(tx, task, lane_of(task.owner, to.status, column.id if column else None), to)
    return placed(task, to.status, column, rank)


async def place_back(tx: Tx, task: Task, status: Status, column: Column | None, rank: str) -> Task:
    """The task at this rank of a locked lane. If another task has the rank now, it goes behind that one."""
    lane = lane_of(task.owner, status, column.id if column else None)
    if await lane_store.ranks_from(tx, lane, rank, task.id, 1) == [rank]:
        below = await lane_store.rank_below(tx, lane, rank, task.id)
        rank = rank_at_end(rank, clock.now_ms()) if below is None else await _rank_between(tx, lane, rank, below, task)
    return placed(task, status, column, rank)


async def _aim(tx: Tx, access: Access, to: MoveDestination, task: Task) -> LaneAim:
    """A neighbour on a board implies that board, and its column if several columns have the status."""
    neighbours = await _neighbours(tx, access, task, to)
    board_id = to.board_id
    if board_id is UNSET:
        board_id = next((neighbour.board_id for neighbour in neighbours if neighbour.board_id), task.board_id)
    if board_id is not None:
        board = await board_store.get_board(tx, access, board_id)
        if board.owner != task.owner:
            raise WrongDestination("board: that board is in another space. Transfer the task to that space first.")
    elif to.column_id is not None:
        raise WrongDestination("columnId: the task would be on no board. Name the column's board as well.")
    preferred = neighbours[0].column_id if neighbours else task.column_id
    return LaneAim(board_id=board_id, status=to.status, column_id=to.column_id, preferred=preferred)


async def _neighbours(tx: Tx, access: Access, task: Task, to: MoveDestination) -> list[Task]:
    named = (("beforeTaskId", to.before_task_id), ("afterTaskId", to.after_task_id))
    for name, neighbour_id in named:
        if neighbour_id == task.id:
            raise WrongDestination(f"{name}: a task cannot be its own neighbour.")
    return [await task_store.get(tx, access, neighbour_id) for _, neighbour_id in named if neighbour_id is not None]


async def _rank(tx: Tx, task: Task, lane: str, to: MoveDestination) -> str:
    """The lane is locked, so the neighbours' ranks stay as they are read here."""
    if task.lane == lane and not to.ordered:
        return task.rank
    above, below = await _gap(tx, task, lane, to)
    if task.lane == lane and (above or "") < task.rank and (below is None or task.rank < below):
        return task.rank  # it is there already
    if below is None:
        return rank_at_end(above, clock.now_ms())
    return await _rank_between(tx, lane, above, below, task)


async def _gap(tx: Tx, task: Task, lane: str, to: MoveDestination) -> tuple[str | None, str | None]:
    """The ranks between which the task goes, as if it was not in the lane; None where the lane ends."""
    below: str | None = None
    if to.before_task_id is not None:
        below = await _rank_in(tx, lane, to.before_task_id, "beforeTaskId")
        if to.after_task_id is not None:
            await _check_adjacent(tx, lane, await _rank_in(tx, lane, to.after_task_id, "afterTaskId"), below, task)
    elif to.after_task_id is not None:
        above = await _rank_in(tx, lane, to.after_task_id, "afterTaskId")
        return above, await lane_store.rank_below(tx, lane, above, task.id)
    elif to.position is not None:
        if to.position > _NEAR:
            tx.takes_time()  # positions are counted from the start
        below = await lane_store.rank_at(tx, lane, to.position, task.id)
    return await lane_store.rank_above(tx, lane, below, task.id), below


async def _check_adjacent(tx: Tx, lane: str, above: str, below: str, task: Task) -> None:
    """Archived tasks may be between the two: the caller does not see them."""
    if above >= below or await lane_store.any_visible_between(tx, lane, above, below, task.id):
        raise WrongDestination("beforeTaskId and afterTaskId are not next to each other.")


async def _rank_in(tx: Tx, lane: str, neighbour_id: TaskId, name: str) -> str:
    rank = await lane_store.rank_in(tx, lane, neighbour_id)
    if rank is None:
        raise WrongDestination(f"{name}: that task is not in the column to move to.")
    return rank


async def _rank_between(tx: Tx, lane: str, above: str | None, below: str, task: Task) -> str:
    rank = rank_between(above, below)
    if len(rank) <= MAX_RANK:
        return rank
    tx.takes_time()
    plan = await _plan(tx, lane, below, task)
    for old, new in plan.moved:
        neighbour = await task_store.find_and_lock_at_rank(tx, lane, old)
        if neighbour is not None:  # a task may leave a lane that somebody else has locked
            # Its version stays: nothing that it says has changed, only how its place is written.
            await task_store.update(tx, msgspec.structs.replace(neighbour, rank=new))
    return plan.rank


async def _plan(tx: Tx, lane: str, below: str, task: Task) -> RespreadPlan:
    own = task.rank if task.lane == lane else None
    plan: RespreadPlan | WiderReach = WiderReach(FIRST_REACH)
    while isinstance(plan, WiderReach):
        before = await lane_store.ranks_above(tx, lane, below, task.id, plan.reach)
        after = await lane_store.ranks_from(tx, lane, below, task.id, plan.reach)
        plan = plan_respread(before, after, plan.reach, own)
    return plan
