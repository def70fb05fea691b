"""Lists of tasks, newest first, out of the index.

A page is bounded work whatever is asked for. One filter is answered by a range of an index in the order of ids (the
rarest tag, else the board, else the status, else the archive flag); what the others say is checked on at most `SCAN`
candidates of that range. Where too few of them pass, the page is short, and its cursor goes on behind the candidates.

Candidates are looked up one by one, also where PostgreSQL would rather read the whole table and join it: `OFFSET 0`
keeps it from making a join of a subquery. Page and last candidate come from one statement, hence one snapshot, so what
others write meanwhile never makes the cursor jump over tasks that were not looked at.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from stowboard.db.database import Row, Tx, Value
from stowboard.tasks.base.task import Status
from stowboard.tasks.index import index_store
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.index.index_store import IS_ACTIVE

SCAN = 1000
_AFTER_ALL = "tsk_" + "z" * 27


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


@dataclass(frozen=True, slots=True)
class Listed:
    """Ids, documents and envelopes, and the id behind which the next page begins, None at the end."""

    rows: Sequence[Row]
    next_before: str | None


async def list_tasks(tx: Tx, owner: str, filters: Filters, before: str | None, size: int) -> Listed:
    """Raises TaskIndexNotActivated."""
    query = _Query(owner, before or _AFTER_ALL)
    source = await _source(tx, query, filters)
    conditions = _conditions(query, filters)
    if conditions:
        rows, last_candidate = await _passing(tx, query, source, conditions, size + 1)
    else:
        rows, last_candidate = await tx.all(_documents(source(size + 1)), *query.values), None
    if not rows and last_candidate is None:
        await require_active(tx, owner)
    return Listed(rows[:size], rows[size - 1][0] if len(rows) > size else last_candidate)


class _Query:
    """The parameters of one statement, numbered as they are added. The first two are the owner and the cursor."""

    def __init__(self, owner: str, before: str) -> None:
        self.values: list[Value] = [owner, before]

    def add(self, value: Value) -> str:
        self.values.append(value)
        return f"${len(self.values)}"


class _Source:
    """The range of an index that candidates come from; empty if the index is not active."""

    def __init__(self, table: str, archived: tuple[int, ...], condition: str) -> None:
        self._table, self._archived, self._condition = table, archived, condition

    def __call__(self, limit: int, skip: int = 0) -> str:
        """Both values of the flag are two ranges, each in the order of ids."""
        ranges = [
            f"SELECT task_id FROM {self._table} WHERE owner = $1 AND archived = {flag}{self._condition}"
            f" AND task_id < $2 AND {IS_ACTIVE} ORDER BY task_id DESC LIMIT "
            for flag in self._archived
        ]
        if len(ranges) == 1:
            return f"{ranges[0]}{limit} OFFSET {skip}"
        both = " UNION ALL ".join(
            f"SELECT task_id FROM ({one}{skip + limit}) AS r{number}" for number, one in enumerate(ranges)
        )
        return f"SELECT task_id FROM ({both}) AS both_ranges ORDER BY task_id DESC LIMIT {limit} OFFSET {skip}"


async def _source(tx: Tx, query: _Query, filters: Filters) -> _Source:
    if filters.tags:
        tag = await index_store.rarest(tx, str(query.values[0]), list(filters.tags))
        return _Source("task_tag", filters.archived, f" AND tag = {query.add(tag)}")
    if filters.board_id is not None:
        return _Source("task_index", filters.archived, f" AND board_id = {query.add(filters.board_id)}")
    if filters.status is not None:
        return _Source("task_index", filters.archived, f" AND status = {query.add(filters.status)}")
    return _Source("task_index", filters.archived, "")


def _conditions(query: _Query, filters: Filters) -> list[str]:
    """What the source does not say already."""
    conditions = []
    if len(filters.tags) > 1:
        conditions += [
            f"EXISTS (SELECT 1 FROM task_tag AS g WHERE g.owner = $1 AND g.tag = {query.add(tag)}"
            " AND g.archived = t.archived AND g.task_id = t.id LIMIT 1 OFFSET 0)"
            for tag in filters.tags
        ]
    if filters.board_id is not None and filters.tags:
        conditions.append(f"t.board_id = {query.add(filters.board_id)}")
    if filters.status is not None and (filters.tags or filters.board_id is not None):
        conditions.append(f"t.status = {query.add(filters.status)}")
    if filters.due_before is not None:
        conditions.append(f"t.due_at < {query.add(filters.due_before)}")
    if filters.due_after is not None:
        conditions.append(f"t.due_at >= {query.add(filters.due_after)}")
    if filters.text is not None:
        conditions.append(f"t.search LIKE {query.add(_pattern(filters.text))} ESCAPE '!'")
    return conditions


def _pattern(text: str) -> str:
    """Anywhere in the text; the characters that LIKE means something by are meant as themselves."""
    escaped = "".join(f"!{char}" if char in "!%_" else char for char in text.casefold())
    return f"%{escaped}%"


async def _passing(
    tx: Tx, query: _Query, source: _Source, conditions: list[str], limit: int
) -> tuple[Sequence[Row], str | None]:
    """The first candidates for which all conditions hold, and the last candidate if there may be more behind it."""
    passing = (
        f"SELECT c.task_id FROM ({source(SCAN)}) AS c WHERE EXISTS (SELECT 1 FROM task AS t WHERE t.id = c.task_id"
        f" AND {' AND '.join(conditions)} LIMIT 1 OFFSET 0) ORDER BY c.task_id DESC LIMIT {limit}"
    )
    rows = await tx.all(
        f"SELECT id, doc, encrypted_body FROM ({_documents(passing)}) AS p"
        f" UNION ALL SELECT task_id, NULL, NULL FROM ({source(1, skip=SCAN - 1)}) AS e",
        *query.values,
    )
    last_candidate = next((task_id for task_id, document, _ in rows if document is None), None)
    found = [row for row in rows if row[1] is not None]
    return sorted(found, key=lambda row: str(row[0]), reverse=True), last_candidate


def _documents(ids: str) -> str:
    return (
        f"SELECT t.id, t.doc, t.encrypted_body FROM ({ids}) AS i JOIN task AS t ON t.id = i.task_id"
        " ORDER BY i.task_id DESC"
    )
