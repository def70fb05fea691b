"""Move a task to a status, a board and a place among its neighbours."""

from dataclasses import dataclass

from msgspec import UNSET, UnsetType

from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.db.database import Tx
from stowboard.tasks import task_store
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.board import Column
from stowboard.tasks.boards.ordering import rank_at_end
from stowboard.tasks.boards.placing import hold_column, hold_task, own_or_usual_column, placed
from stowboard.tasks.boards.respread import rank_with_room
from stowboard.tasks.errors import BoardNotFound, WrongDestination
from stowboard.tasks.keep import keep
from stowboard.tasks.task import Status, Task, lane_of

_NEAR = 1000


@dataclass(frozen=True, slots=True)
class Destination:
    """Where to; UNSET keeps the board, None leaves it."""

    status: Status
    board_id: str | None | UnsetType = UNSET
    column_id: str | None = None
    position: int | None = None
    before_task_id: str | None = None
    after_task_id: str | None = None

    @property
    def ordered(self) -> bool:
        return (self.position, self.before_task_id, self.after_task_id) != (None, None, None)


async def move_task(tx: Tx, caller: Caller, task_id: str, to: Destination, if_match: str | None) -> Task:
    """Place the task in a column, between the given neighbours.

    Raises TaskNotFound for a task or neighbour that the caller cannot see, BoardNotFound for such a board,
    WrongDestination if a neighbour is not in that column or the neighbours are not adjacent.
    """
    task, column = await hold_task(tx, caller, task_id, if_match, lambda task: _hold_lane(tx, caller, task, to))
    rank = await _rank(tx, task, lane_of(task.owner, to.status, column.id if column else None), to)
    return await keep(tx, task, placed(task, to.status, column, rank), "task.moved")


async def _hold_lane(tx: Tx, caller: Caller, task: Task, to: Destination) -> Column | None:
    """The column to move to, None for off every board. A neighbour on a board implies that board."""
    neighbours = await _neighbours(tx, caller, task, to)
    board_id = to.board_id
    if board_id is UNSET:
        board_id = next((neighbour.board_id for neighbour in neighbours if neighbour.board_id), task.board_id)
    if board_id is not None:
        await board_store.get_board(tx, task.owner, board_id)
        return await hold_column(tx, board_id, lambda columns: _column(columns, task, to, neighbours))
    if to.column_id is not None:
        raise WrongDestination("columnId: the task would be on no board. Name the column's board as well.")
    await lane_store.hold(tx, lane_of(task.owner, to.status, None))
    return None


async def _neighbours(tx: Tx, caller: Caller, task: Task, to: Destination) -> list[Task]:
    named = (("beforeTaskId", to.before_task_id), ("afterTaskId", to.after_task_id))
    for name, neighbour_id in named:
        if neighbour_id == task.id:
            raise WrongDestination(f"{name}: a task cannot be its own neighbour.")
    return [
        await task_store.get_owned(tx, caller.owner, neighbour_id)
        for _, neighbour_id in named
        if neighbour_id is not None
    ]


def _column(columns: list[Column], task: Task, to: Destination, neighbours: list[Task]) -> Column:
    if not columns:
        raise BoardNotFound  # at this moment
    if to.column_id is None:
        # Several columns may have the status: a neighbour says which.
        current = next((neighbour.column_id for neighbour in neighbours), task.column_id)
        return own_or_usual_column(columns, current, to.status)
    column = next((column for column in columns if column.id == to.column_id), None)
    if column is None:
        raise WrongDestination("columnId: the board has no such column.")
    if column.status is not to.status:
        raise WrongDestination(f"columnId: that column has the status {column.status}.")
    return column


async def _rank(tx: Tx, task: Task, lane: str, to: Destination) -> str:
    """The neighbours' ranks are read here, where nobody else orders the lane."""
    if task.lane == lane and not to.ordered:
        return task.rank
    above, below = await _gap(tx, task, lane, to)
    if task.lane == lane and (above or "") < task.rank and (below is None or task.rank < below):
        return task.rank  # it is there already
    if below is None:
        return rank_at_end(above, clock.now_ms())
    return await rank_with_room(tx, lane, above, below, task)


async def _gap(tx: Tx, task: Task, lane: str, to: Destination) -> tuple[str | None, str | None]:
    """The ranks between which the task shall be, as if it were not in the lane; None where the lane ends."""
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
            tx.takes_time()  # it is counted from the start
        below = await lane_store.rank_at(tx, lane, to.position, task.id)
    return await lane_store.rank_above(tx, lane, below, task.id), below


async def _check_adjacent(tx: Tx, lane: str, above: str, below: str, task: Task) -> None:
    """Archived tasks between the two are not seen by whoever asks for this."""
    if above >= below or await lane_store.any_visible_between(tx, lane, above, below, task.id):
        raise WrongDestination("beforeTaskId and afterTaskId are not next to each other.")


async def _rank_in(tx: Tx, lane: str, neighbour_id: str, name: str) -> str:
    rank = await lane_store.rank_in(tx, lane, neighbour_id)
    if rank is None:
        raise WrongDestination(f"{name}: that task is not in the column to move to.")
    return rank
