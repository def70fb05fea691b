"""Lists of tasks, newest first, out of the index.

One filter is answered by a range of an index in the order of ids (the rarest tag, else the board, else the status, else
the archive flag); what the others say is checked on its candidates: see `db.scan`.
"""

from dataclasses import dataclass

from stowboard.core.cursor import Position
from stowboard.db.database import Row, Tx
from stowboard.db.scan import Arguments, Listed, Range, Scan, literally
from stowboard.tasks.base.task import Status
from stowboard.tasks.index import index_store
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.index.index_store import IS_ACTIVE

_COLUMNS = ("id", "doc", "encrypted_body")


@dataclass(frozen=True, slots=True)
class Filters:
    status: Status | None = None
    tags: tuple[str, ...] = ()
    #: Which values of the flag are wanted.
    archived: tuple[int, ...] = (0,)
    board_id: str | None = None
    due_before: int | None = None
    due_after: int | None = None
    text: str | None = None


async def list_tasks(tx: Tx, owner: str, filters: Filters, after: Position | None, size: int) -> Listed[Row]:
    """Ids, documents as they are rendered, and envelopes. Raises TaskIndexNotActivated."""
    arguments = Arguments(owner)
    scan = Scan(
        columns=_COLUMNS,
        read=list,
        ranges=await _ranges(tx, owner, arguments, filters),
        table="task",
        conditions=tuple(_conditions(arguments, filters)),
    )
    listed = await scan.page(tx, arguments, after, size)
    if not listed.items and listed.end is None:
        await require_active(tx, owner)
    return listed


async def _ranges(tx: Tx, owner: str, arguments: Arguments, filters: Filters) -> tuple[Range, ...]:
    """One for each value of the archive flag; empty if the index is not active."""
    table, condition = "task_index", ""
    if filters.tags:
        tag = await index_store.rarest(tx, owner, list(filters.tags))
        table, condition = "task_tag", f"tag = {arguments.add(tag)}"
    elif filters.board_id is not None:
        condition = f"board_id = {arguments.add(filters.board_id)}"
    elif filters.status is not None:
        condition = f"status = {arguments.add(filters.status)}"
    conditions = ("owner = $1", condition, IS_ACTIVE) if condition else ("owner = $1", IS_ACTIVE)
    return tuple(Range(table, (*conditions, f"archived = {flag}"), id="task_id") for flag in filters.archived)


def _conditions(arguments: Arguments, filters: Filters) -> list[str]:
    """What the ranges do not say already."""
    conditions = []
    if len(filters.tags) > 1:
        conditions += [
            f"EXISTS (SELECT 1 FROM task_tag AS g WHERE g.owner = $1 AND g.tag = {arguments.add(tag)}"
            " AND g.archived = t.archived AND g.task_id = t.id LIMIT 1 OFFSET 0)"
            for tag in filters.tags
        ]
    if filters.board_id is not None and filters.tags:
        conditions.append(f"t.board_id = {arguments.add(filters.board_id)}")
    if filters.status is not None and (filters.tags or filters.board_id is not None):
        conditions.append(f"t.status = {arguments.add(filters.status)}")
    if filters.due_before is not None:
        conditions.append(f"t.due_at < {arguments.add(filters.due_before)}")
    if filters.due_after is not None:
        conditions.append(f"t.due_at >= {arguments.add(filters.due_after)}")
    if filters.text is not None:
        conditions.append(f"t.search LIKE {arguments.add(f'%{literally(filters.text.casefold())}%')} ESCAPE '!'")
    return conditions
