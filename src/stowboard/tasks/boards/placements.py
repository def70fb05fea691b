"""Where each task of a board is, column by column and in their order."""

import msgspec

from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import BoardId, ColumnId, TaskId
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.board import Board, Column


class Placement(msgspec.Struct, frozen=True, rename="camel"):
    """A task's place. `position` is 0-based among the tasks of the column that are not archived."""

    task_id: TaskId
    board_id: BoardId
    column_id: ColumnId
    position: int
    rank: str


async def list_placements(tx: Tx, board: Board, after: Position | None, size: int) -> RowPage[Placement]:
    """The next placements behind a column's rank. If that column is gone, they begin again at the first."""
    columns = await board_store.columns_of(tx, board.id)
    start = next((n for n, column in enumerate(columns) if after and column.id == after[0]), 0)
    found: list[Placement] = []
    for column in columns[start:]:
        rank = str(after[1]) if after and column.id == after[0] else ""
        found += await _of_column(tx, column, rank, size + 1 - len(found))
        if len(found) > size:
            return RowPage(found[:size], (found[size - 1].column_id, found[size - 1].rank))
    return RowPage(found, None)


async def _of_column(tx: Tx, column: Column, rank: str, limit: int) -> list[Placement]:
    first = await lane_store.visible_up_to(tx, column.id, rank) if rank else 0
    return [
        Placement(task_id, column.board_id, column.id, first + n, task_rank)
        for n, (task_id, task_rank) in enumerate(await task_store.placed_after(tx, column.id, rank, limit))
    ]
