"""The tasks of a board, column by column and in their order: where each is, and as a list with its filters."""

import msgspec

from stowboard.core.cursor import Position
from stowboard.db.database import Row, Tx
from stowboard.db.scan import IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.search.pages import one_of
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import BoardId, ColumnId, Status, TaskId
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.board import Board, Column
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.index.listing import TaskFilters, columns_for, conditions_of, is_archived, shown

_BY_RANK = ScanOrder(("rank", "id"), descending=False)


class Placement(msgspec.Struct, frozen=True, rename="camel"):
    """A task's place. `position` is 0-based among the tasks of the column that are not archived."""

    task_id: TaskId
    board_id: BoardId
    column_id: ColumnId
    position: int
    rank: str


async def list_placements(tx: Tx, board: Board, after: Position | None, size: int) -> RowPage[Placement]:
    """The next placements behind a column's rank. If that column is gone, they begin again at the first."""
    columns = await board_store.columns_of(tx, board.owner, board.id)
    start = next((n for n, column in enumerate(columns) if after and column.id == after[0]), 0)
    found: list[Placement] = []
    for column in columns[start:]:
        rank = str(after[1]) if after and column.id == after[0] else ""
        found += await _column_placements(tx, column, rank, size + 1 - len(found))
        if len(found) > size:
            return RowPage(found[:size], (found[size - 1].column_id, found[size - 1].rank))
    return RowPage(found, None)


async def _column_placements(tx: Tx, column: Column, rank: str, limit: int) -> list[Placement]:
    first = await lane_store.visible_up_to(tx, column.id, rank) if rank else 0
    return [
        Placement(task_id, column.board_id, column.id, first + n, task_rank)
        for n, (task_id, task_rank) in enumerate(await task_store.placed_after(tx, column.id, rank, limit))
    ]


async def list_board_tasks(tx: Tx, owner: str, filters: TaskFilters, after: Position | None, size: int) -> RowPage[Row]:
    """Rows like those of `index.listing.list_tasks`, for a board that the owner has.

    If the column of the position is gone, the list begins again at the first. Raises TaskIndexNotActivated.
    """
    await require_active(tx, owner)
    board_columns = await board_store.columns_of(tx, owner, BoardId(filters.board_id or ""))
    statuses = (filters.status,) if filters.status is not None else filters.statuses or tuple(Status)
    columns = [column for column in board_columns if column.status in statuses]
    start = next((n for n, column in enumerate(columns) if after and column.id == after[0]), 0)
    found: list[Row] = []
    for column in columns[start:]:
        if len(found) == size:
            return RowPage(found, (column.id, "", ""))
        behind = after[1:] if after and column.id == after[0] else None
        listed = await _of_column(tx, owner, column, filters, behind, size - len(found))
        found += listed.items
        if listed.end is not None:
            return RowPage(found, (column.id, *listed.end))
    return RowPage(found, None)


async def _of_column(
    tx: Tx, owner: str, column: Column, filters: TaskFilters, after: Position | None, size: int
) -> RowPage[Row]:
    arguments = SqlArguments(owner, column.id)
    found = [] if filters.among is None else [one_of(tx, arguments, "id", filters.among)]
    scan = Scan(
        columns=("rank", *columns_for((owner,), filters.sealed)),
        read=shown,
        ranges=(IndexRange("task", ("owner = $1", "lane = $2", *found)),),
        order=_BY_RANK,
        table="task",
        conditions=(is_archived(filters, "t.archived"), *conditions_of(tx, arguments, filters)),
    )
    return await scan.page(tx, arguments, after, size)
