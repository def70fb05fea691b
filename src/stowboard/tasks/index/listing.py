"""Lists of tasks out of the index, newest first or in another order.

In the order of creation, which is the order of ids, a range of an index answers one filter (the assignee, else the pair
of metadata, else the rarest tag, else the board, else the status, else the archive flag). In the order of due dates
there is one range for each wanted status; in the order of changes, a range has all of the owner's tasks. Filters that
the ranges do not answer are checked on their candidates: see `db.scan`. `tasks.find` finds tasks by their words.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache, partial
from operator import itemgetter
from typing import TypeAlias

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from stowboard.core.clock import LATEST_MS
from stowboard.core.cursor import Position
from stowboard.core.metadata import Pair
from stowboard.db.database import Row, Tx
from stowboard.db.rows import numbered
from stowboard.db.scan import NEWEST, IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.search.asked import ParsedQuery
from stowboard.search.pages import one_of
from stowboard.search.texts import matches
from stowboard.tasks.base.assignee_store import is_assigned
from stowboard.tasks.base.document import complete, tail
from stowboard.tasks.base.task import Status
from stowboard.tasks.index import index_store
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.index.index_store import is_active


class TaskSort(StrEnum):
    NEWEST = "-createdAt"
    OLDEST = "createdAt"
    DUE = "dueAt"
    FIRST_UPDATED = "updatedAt"
    LAST_UPDATED = "-updatedAt"
    #: Column by column: see `boards.placements`.
    BOARD = "board"


class TaskFilters(msgspec.Struct, frozen=True):
    status: Status | None = None
    tags: tuple[str, ...] = ()
    #: The wanted values of the archive flag.
    archived: tuple[int, ...] = (0,)
    board_id: str | None = None
    due_before: int | None = None
    due_after: int | None = None
    asked: ParsedQuery | None = None
    #: The ids of tasks that have the words, if these are not too many.
    among: tuple[str, ...] | None = None
    #: Changed at this time or later.
    updated_after: int | None = None
    #: A name and its value.
    metadata: Pair | None = None
    assignee: str | None = None
    #: Started by this time, or without a start.
    start_before: int | None = None
    sort: TaskSort = TaskSort.NEWEST
    #: One of several statuses.
    statuses: tuple[Status, ...] = ()
    #: Without a due date.
    undated: bool = False
    #: True if sealed bodies are read as well.
    sealed: bool = False


#: The columns of a list, behind that of its order; `columns_for` takes as many as are needed.
SHOWN = ("id", "doc", "more", "owner", "encrypted_body")
_DOCUMENT, _MORE = itemgetter(1), itemgetter(2)
_ORDERS = {
    TaskSort.NEWEST: NEWEST,
    TaskSort.OLDEST: ScanOrder(("id",), descending=False),
    TaskSort.DUE: ScanOrder(("due_at", "id"), descending=False),
    TaskSort.FIRST_UPDATED: ScanOrder(("updated_at", "id"), descending=False),
    TaskSort.LAST_UPDATED: ScanOrder(("updated_at", "id"), descending=True),
}
#: A position behind every due date, where tasks without one begin.
_UNDATED = LATEST_MS + 1
_FIRST = "~"
#: `_ranges`, given the owners and the values of the archive flag.
MakeRanges: TypeAlias = Callable[..., tuple[IndexRange, ...]]


async def list_tasks(
    tx: Tx, owners: Sequence[str], filters: TaskFilters, after: Position | None, size: int
) -> RowPage[Row]:
    """Rows of `columns_for`, of all tasks of these owners. Raises TaskIndexNotActivated."""
    if len(owners) > 1:
        await require_active(tx, *owners)
    if filters.sort is TaskSort.DUE:
        listed = await _by_due_date(tx, owners, filters, after, size)
    else:
        listed = await _page(tx, owners, filters, after, size)
    if not listed.items and listed.end is None:
        await require_active(tx, *owners)
    return listed


async def list_trash(
    tx: Tx, owners: Sequence[str], after: Position | None, size: int, sealed: bool = False
) -> RowPage[Row]:
    """Rows of `columns_for` of the tasks in the trash, those put there last first. It needs no index of the owner."""
    ranges = tuple(IndexRange("task", (f"owner = ${n + 1}", "trashed_at IS NOT NULL")) for n in range(len(owners)))
    columns = ("trashed_at", *columns_for(owners, sealed))
    scan = Scan(columns, shown, ranges, ScanOrder(("trashed_at", "id"), descending=True), "task")
    return await scan.page(tx, SqlArguments(*owners), after, size)


def columns_for(owners: Sequence[str], sealed: bool) -> tuple[str, ...]:
    """The columns that a list needs: a single owner is known, and most tokens see no sealed bodies."""
    return SHOWN if sealed else SHOWN[:4] if len(owners) > 1 else SHOWN[:3]


def as_json(rows: Sequence[Row], owners: Sequence[str], sealed: bool) -> msgspec.Raw:
    """Rows of `columns_for` as a list of tasks."""
    if len(owners) == 1 and not sealed and len(ends := set(map(_MORE, rows))) == 1:
        # Most lists are like this one; they are joined without a step for each row.
        end = tail(owners[0], ends.pop())
        return msgspec.Raw(b"[%b%b]" % ((end + b",").join(map(_DOCUMENT, rows)), end))
    return msgspec.Raw(b"[%b]" % b",".join([shown_alone(row, owners, sealed) for row in rows]))


def shown_alone(row: Row, owners: Sequence[str], sealed: bool) -> bytes:
    """A row of `columns_for` as an answer has it."""
    owner = row[3] if len(row) > 3 else owners[0]
    return complete(row[1], owner, row[2], row[4] if sealed else UNSET)


def shown(rows: Sequence[Row]) -> list[Row]:
    """The rows without the column of the order, which is the first."""
    return [row[1:] for row in rows]


def is_archived(filters: TaskFilters, column: str) -> str:
    """A condition on rows that are found in another way: their flag has one of the wanted values.

    The plus keeps databases from looking by the flag: they would go through all tasks of an owner to find a few ids.
    """
    return f"+{column} IN ({', '.join(map(str, filters.archived))})"


def conditions_of(tx: Tx, arguments: SqlArguments, filters: TaskFilters) -> list[str]:
    """The conditions on a task `t`, except those of the archive flag and of `among`."""
    conditions = [
        f"EXISTS (SELECT 1 FROM task_tag AS g WHERE g.owner = t.owner AND g.tag = {arguments.add(tag)}"
        " AND g.archived = t.archived AND g.task_id = t.id LIMIT 1 OFFSET 0)"
        for tag in filters.tags
    ]
    compared = (
        ("t.board_id =", filters.board_id), ("t.status =", filters.status), ("t.due_at <", filters.due_before),
        ("t.due_at >=", filters.due_after), ("t.updated_at >=", filters.updated_after),
    )  # fmt: skip
    conditions += [f"{sign} {arguments.add(value)}" for sign, value in compared if value is not None]
    if filters.statuses:
        conditions.append(f"t.status IN ({', '.join(map(arguments.add, filters.statuses))})")
    if filters.undated:
        conditions.append("t.due_at IS NULL")
    if filters.start_before is not None:
        conditions.append(f"(t.start_at IS NULL OR t.start_at < {arguments.add(filters.start_before)})")
    if filters.assignee is not None:
        conditions.append(is_assigned(arguments, filters.assignee))
    if filters.metadata is not None:
        name, value = map(arguments.add, filters.metadata)
        conditions.append(
            f"EXISTS (SELECT 1 FROM task_metadata AS m WHERE m.owner = t.owner AND m.name = {name}"
            f" AND m.value = {value} AND m.task_id = t.id LIMIT 1 OFFSET 0)"
        )
    if filters.asked is not None:
        conditions += _beside_words(arguments, filters.asked)
        conditions += [] if filters.among is not None else [matches(tx.dialect, arguments, filters.asked, "t.id")]
    return conditions


def _beside_words(arguments: SqlArguments, asked: ParsedQuery) -> list[str]:
    conditions = [f"t.status = {arguments.add(status)}" for status in asked.statuses]
    conditions += [f"t.status <> {arguments.add(status)}" for status in asked.not_statuses]
    for due in asked.due:
        conditions += ["t.due_at IS NULL"] if due == (None, None) else []
        conditions += [f"t.due_at >= {arguments.add(due.after)}"] if due.after is not None else []
        conditions += [f"t.due_at < {arguments.add(due.before)}"] if due.before is not None else []
    return conditions


async def _by_due_date(
    tx: Tx, owners: Sequence[str], filters: TaskFilters, after: Position | None, size: int
) -> RowPage[Row]:
    """Tasks that have a date first, then the others, newest first."""
    with_date: RowPage[Row] = RowPage([], None)
    if not filters.undated and (after is None or after[0] != _UNDATED):
        with_date = await _page(tx, owners, filters, after, size)
        after = None
    if with_date.end is not None or (filters.due_before, filters.due_after) != (None, None):
        return with_date
    left = size - len(with_date.items)
    if left == 0:
        return RowPage(with_date.items, (_UNDATED, _FIRST))
    behind = after[1:] if after is not None else None
    undated = replace(filters, sort=TaskSort.NEWEST, undated=True)
    others = await _page(tx, owners, undated, behind, left)
    return RowPage([*with_date.items, *others.items], None if others.end is None else (_UNDATED, *others.end))


async def _page(
    tx: Tx,
    owners: Sequence[str],
    filters: TaskFilters,
    after: Position | None,
    size: int,
    besides: tuple[str, ...] = (),
) -> RowPage[Row]:
    arguments, order = SqlArguments(*owners), _ORDERS[filters.sort]
    ranges, rest = await _narrowed(tx, owners, arguments, filters)
    by_id, columns = order.names == ("id",), columns_for(owners, filters.sealed)
    if ranges[0].table == "task_metadata":  # its rows do not have the flag
        besides = (is_archived(filters, "t.archived"), *besides)
    scan = Scan(
        columns=columns if by_id else (order.names[0], *columns),
        read=list if by_id else shown,
        ranges=ranges,
        order=order,
        table="task",
        conditions=(*conditions_of(tx, arguments, rest), *besides),
    )
    return await scan.page(tx, arguments, after, size)


async def _narrowed(
    tx: Tx, owners: Sequence[str], arguments: SqlArguments, filters: TaskFilters
) -> tuple[tuple[IndexRange, ...], TaskFilters]:
    """Ranges for each owner and value of the flag, empty if the index is inactive; and the filters that they leave."""
    if filters.among is not None:
        found = (
            f"owner IN ({numbered(len(owners))})",
            one_of(tx, arguments, "id", filters.among),
            is_archived(filters, "archived"),
        )
        return (IndexRange("task", (*found, "due_at IS NOT NULL") if filters.sort is TaskSort.DUE else found),), filters
    ranges = partial(_ranges, len(owners), filters.archived)
    if filters.sort is TaskSort.DUE:
        left = replace(filters, status=None, statuses=(), due_before=None, due_after=None)
        return _dated(ranges, arguments, filters), left
    if filters.sort in (TaskSort.FIRST_UPDATED, TaskSort.LAST_UPDATED):
        since = [] if filters.updated_after is None else [f"updated_at >= {arguments.add(filters.updated_after)}"]
        return ranges("task", "id", *since), replace(filters, updated_after=None)
    if filters.assignee is not None:
        assigned = f"member = {arguments.add(filters.assignee)}"
        return ranges("task_assignee", "task_id", assigned), replace(filters, assignee=None)
    if filters.metadata is not None:
        name, value = map(arguments.add, filters.metadata)
        pair = (f"name = {name}", f"value = {value}")
        return _ranges(len(owners), None, "task_metadata", "task_id", *pair), replace(filters, metadata=None)
    if filters.tags:
        tag = await index_store.rarest(tx, owners, list(filters.tags))
        others = tuple(other for other in filters.tags if other != tag)
        has_tag = f"tag = {arguments.add(tag)}"
        return ranges("task_tag", "task_id", has_tag), replace(filters, tags=others)
    if filters.board_id is not None:
        on_board = f"board_id = {arguments.add(filters.board_id)}"
        return ranges("task_index", "task_id", on_board), replace(filters, board_id=None)
    if filters.status is not None:
        of_status = f"status = {arguments.add(filters.status)}"
        return ranges("task_index", "task_id", of_status), replace(filters, status=None)
    return ranges("task_index", "task_id"), filters


def _dated(ranges: MakeRanges, arguments: SqlArguments, filters: TaskFilters) -> tuple[IndexRange, ...]:
    bounds = (("<", filters.due_before), (">=", filters.due_after))
    due = [f"due_at {sign} {arguments.add(at_ms)}" for sign, at_ms in bounds if at_ms is not None]
    return tuple(
        one
        for status in ([filters.status] if filters.status is not None else filters.statuses or Status)
        for one in ranges("task", "id", f"status = '{status}'", "due_at IS NOT NULL", *due)
    )


@lru_cache(maxsize=500)
def _ranges(
    owners: int, archived: tuple[int, ...] | None, table: str, id_column: str, *conditions: str
) -> tuple[IndexRange, ...]:
    """A range for each owner, the first arguments, and for each value of the archive flag, if the table has it."""
    flags = [()] if archived is None else [(f"archived = {flag}",) for flag in archived]
    return tuple(
        IndexRange(table, (f"owner = ${n}", *conditions, is_active(f"${n}"), *flag), id=id_column)
        for n in range(1, owners + 1)
        for flag in flags
    )
