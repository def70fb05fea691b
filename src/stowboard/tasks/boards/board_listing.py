"""The tasks of a board, column by column and in their order, as a list with its filters."""

from stowboard.core.cursor import Position
from stowboard.db.database import Row, Tx
from stowboard.db.scan import IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.search.pages import one_of
from stowboard.tasks.base.task import BoardId
from stowboard.tasks.boards import board_store
from stowboard.tasks.boards.board import Column
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.index.listing import SHOWN, TaskFilters, conditions_of, is_archived, shown

_BY_RANK = ScanOrder(("rank", "id"), descending=False)


async def list_board_tasks(tx: Tx, owner: str, filters: TaskFilters, after: Position | None, size: int) -> RowPage[Row]:
    """As `index.listing.list_tasks` gives them, of a board that the owner has.

    If the column of the position is gone, the list begins again at the first. Raises TaskIndexNotActivated.
    """
    await require_active(tx, owner)
    board_columns = await board_store.columns_of(tx, BoardId(filters.board_id or ""))
    columns = [column for column in board_columns if filters.status in (None, column.status)]
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
        columns=("rank", *SHOWN),
        read=shown,
        ranges=(IndexRange("task", ("owner = $1", "lane = $2", *found)),),
        order=_BY_RANK,
        table="task",
        conditions=(is_archived(filters, "t.archived"), *conditions_of(tx, arguments, filters)),
    )
    return await scan.page(tx, arguments, after, size)
