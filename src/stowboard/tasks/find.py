"""Lists of tasks, with words to look for or without, in any order.

Words are looked for in the index of search, and all filters are checked on what it finds. For any order but newest
first, all that it finds is put in order; if that is too much, the words are checked on the candidates of the list in
that order.
"""

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.core.errors import InvalidParameter
from stowboard.core.ids import LONGEST_ID
from stowboard.core.reach import joined_owners, reached
from stowboard.db.database import Row, Tx
from stowboard.db.scan import RowPage, SqlArguments
from stowboard.search.asked import ParsedQuery, SearchType
from stowboard.search.document import tasks_of
from stowboard.search.filling import require_filled
from stowboard.search.pages import MOST_PAGES, find_few, find_newest, not_empty, one_of
from stowboard.search.store import ScopedQuery
from stowboard.tasks.base.errors import BoardNotFound
from stowboard.tasks.base.task import BoardId
from stowboard.tasks.boards import board_store
from stowboard.tasks.boards.placements import list_board_tasks
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.index.listing import TaskFilters, TaskSort, columns_for, conditions_of, is_archived, list_tasks


async def asked_owners(tx: Tx, access: Access, space_id: str | None, board_id: str | None) -> tuple[str, ...]:
    """The owners whose tasks are listed: the board decides, else the space, else it is the caller's own tasks.

    Raises InvalidParameter for an unknown board, or one of another space; SpaceNotFound, TooManyItems.
    """
    if board_id is None:
        return access.over_tasks(space_id)
    try:
        board = await board_store.get_board(tx, access, BoardId(board_id))
    except BoardNotFound:
        raise InvalidParameter(f"boardId: you have no board {board_id[:LONGEST_ID]!r}.") from None
    if space_id is not None and board.owner not in access.over_tasks(space_id):
        raise InvalidParameter("spaceId: the board is in another space. Leave spaceId out: the board decides.")
    return (board.owner,)


async def find_tasks(
    tx: Tx, owners: Sequence[str], filters: TaskFilters, after: Position | None, size: int
) -> RowPage[Row]:
    """Rows of `columns_for`. A page is empty only if nothing follows, unless words are looked for.

    Raises TaskIndexNotActivated or SearchNotReady.
    """
    if filters.asked is not None:
        return await _find_by_words(tx, owners, filters, filters.asked, after, size)
    return await not_empty(tx, partial(_list, tx, owners, filters, size), after)


async def find_passing(tx: Tx, owners: Sequence[str], filters: TaskFilters, ids: Sequence[str]) -> dict[str, Row]:
    """Rows of the tasks with these ids that pass all filters except the words, by id."""
    arguments = SqlArguments(joined_owners(owners))
    said = [
        reached(1, "t.owner"),
        one_of(tx, arguments, "t.id", ids),
        is_archived(filters, "t.archived"),
        *conditions_of(tx, arguments, replace(filters, among=tuple(ids))),
    ]
    columns = ", ".join(f"t.{name}" for name in columns_for(owners, filters.sealed))
    rows = await tx.all(f"SELECT {columns} FROM task AS t WHERE {' AND '.join(said)}", *arguments.values)
    return {row[0]: row for row in rows}


async def _find_by_words(
    tx: Tx, owners: Sequence[str], filters: TaskFilters, asked: ParsedQuery, after: Position | None, size: int
) -> RowPage[Row]:
    await require_active(tx, *owners)
    await require_filled(tx, [SearchType.TASK])
    if SearchType.TASK not in asked.types:
        return RowPage([], None)
    scopes = tuple(tasks_of(owner, bool(flag)) for owner in owners for flag in filters.archived)
    wanted = ScopedQuery(asked, scopes)
    if filters.sort is TaskSort.NEWEST:
        return await find_newest(tx, wanted, partial(find_passing, tx, owners, filters), after, size)
    few = await find_few(tx, wanted)
    among = replace(filters, among=None if few is None else tuple(few))
    return await not_empty(tx, partial(_list, tx, owners, among, size), after, MOST_PAGES)


async def _list(tx: Tx, owners: Sequence[str], filters: TaskFilters, size: int, after: Position | None) -> RowPage[Row]:
    if filters.sort is TaskSort.BOARD:
        return await list_board_tasks(tx, owners[0], filters, after, size)
    return await list_tasks(tx, owners, filters, after, size)
