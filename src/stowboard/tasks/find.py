"""Lists of tasks, whatever is asked for: by words or without, in any order.

Words are looked for in the index of search, and all filters are checked on what it finds. In another order than the
newest first, all that it finds are put in order; or if these are too many, the words are checked on the candidates of
the list in that order.
"""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from stowboard.core.cursor import Position
from stowboard.core.errors import InvalidParameter
from stowboard.core.ids import LONGEST_ID
from stowboard.db.database import Row, Tx
from stowboard.db.scan import RowPage, SqlArguments
from stowboard.search.asked import ParsedQuery, SearchType
from stowboard.search.document import tasks_of
from stowboard.search.filling import require_filled
from stowboard.search.pages import find_few, find_newest, not_empty, one_of
from stowboard.search.store import ScopedQuery
from stowboard.tasks.base.errors import BoardNotFound
from stowboard.tasks.base.task import BoardId
from stowboard.tasks.boards import board_store
from stowboard.tasks.boards.placements import list_board_tasks
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.index.listing import SHOWN, TaskFilters, TaskSort, conditions_of, is_archived, list_tasks


async def find_tasks(tx: Tx, owner: str, filters: TaskFilters, after: Position | None, size: int) -> RowPage[Row]:
    """Ids, documents as they are rendered, and envelopes. No page is empty while more follow.

    Raises InvalidParameter for an unknown board, TaskIndexNotActivated or SearchNotReady.
    """
    if filters.board_id is not None:
        await _require_board(tx, owner, filters.board_id)
    if filters.asked is not None:
        return await _find_by_words(tx, owner, filters, filters.asked, after, size)
    return await not_empty(tx, partial(_list, tx, owner, filters, size), after)


async def find_passing(tx: Tx, owner: str, filters: TaskFilters, ids: Sequence[str]) -> dict[str, Row]:
    """Those of these tasks for which all filters but the words hold, by their ids."""
    arguments = SqlArguments(owner)
    said = [
        "t.owner = $1",
        one_of(tx, arguments, "t.id", ids),
        is_archived(filters, "t.archived"),
        *conditions_of(tx, arguments, replace(filters, among=tuple(ids))),
    ]
    columns = ", ".join(f"t.{name}" for name in SHOWN)
    rows = await tx.all(f"SELECT {columns} FROM task AS t WHERE {' AND '.join(said)}", *arguments.values)
    return {row[0]: row for row in rows}


async def _require_board(tx: Tx, owner: str, board_id: str) -> None:
    try:
        await board_store.get_board(tx, owner, BoardId(board_id))
    except BoardNotFound:
        raise InvalidParameter(f"boardId: you have no board {board_id[:LONGEST_ID]!r}.") from None


async def _find_by_words(
    tx: Tx, owner: str, filters: TaskFilters, asked: ParsedQuery, after: Position | None, size: int
) -> RowPage[Row]:
    await require_active(tx, owner)
    await require_filled(tx, [SearchType.TASK])
    if SearchType.TASK not in asked.types:
        return RowPage([], None)
    wanted = ScopedQuery(asked, tuple(tasks_of(owner, bool(flag)) for flag in filters.archived))
    if filters.sort is TaskSort.NEWEST:
        return await find_newest(tx, wanted, partial(find_passing, tx, owner, filters), after, size)
    few = await find_few(tx, wanted)
    among = replace(filters, among=None if few is None else tuple(few))
    return await not_empty(tx, partial(_list, tx, owner, among, size), after)


async def _list(tx: Tx, owner: str, filters: TaskFilters, size: int, after: Position | None) -> RowPage[Row]:
    list_them = list_board_tasks if filters.sort is TaskSort.BOARD else list_tasks
    return await list_them(tx, owner, filters, after, size)
