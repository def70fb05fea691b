"""The read model of lists and tags: a slim row per task, a row per tag of it, and a count per tag, in parts.

Tasks in the trash are not in it.

Every write of a task maintains it in its own transaction, for every owner, activated or not.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cache

import msgspec

from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.ids import part_of
from stowboard.db.database import Tx, Value, Write
from stowboard.db.lookup import LookupTable
from stowboard.db.rows import numbered
from stowboard.db.scan import RowPage
from stowboard.tasks.base.task import Task, TaskId

#: Raised when the index has to be built again; owners then activate again, by the same backfill.
INDEX_VERSION = 1


class IndexStatus(StrEnum):
    INACTIVE = "inactive"
    BACKFILLING = "backfilling"
    ACTIVE = "active"


class IndexState(msgspec.Struct, frozen=True):
    status: IndexStatus = IndexStatus.INACTIVE
    position: str = ""
    processed: int = 0


class TagView(msgspec.Struct, frozen=True):
    """A tag, and how many tasks have it that are not archived."""

    tag: str
    count: int


def added(task: Task) -> list[Write]:
    """The writes that add a new task, which is not archived, to the index. Write them together."""
    writes: list[Write] = [(_PUT_ROW, _values(task))]
    if task.tags:
        # In one order for all, so that two writers never wait for each other.
        tags = sorted(task.tags)
        writes.append((_add_tags(len(tags)), (task.owner, task.id, *tags)))
        writes.append((_add_counts(len(tags)), (task.owner, part_of(task.id), *tags)))
    return writes


async def add_many(tx: Tx, tasks: Sequence[Task]) -> None:
    """Make the index know new tasks of one owner, at least one."""
    await _put_rows(tx, tasks)
    await _put_tags(tx, tasks[0].owner, set(), _tags(tasks))


async def put(tx: Tx, before: Task, after: Task) -> None:
    """Make the index say `after`. `before` is what the task was, in the same space."""
    if before.indexed_version != before.version:
        await rebuild(tx, [after])
        return
    if _values(before) != _values(after):
        if before.shelf != after.shelf:
            await _take_rows_out(tx, [before])
        await _put_rows(tx, [after])
    await _put_tags(tx, after.owner, _tags([before]), _tags([after]))


async def rebuild(tx: Tx, tasks: Sequence[Task]) -> None:
    """Make the index say what one owner's tasks are, whatever it said before: at least one, in the order of ids."""
    owner, known = tasks[0].owner, {task.id for task in tasks}
    await _take_rows_out(tx, tasks)
    await _put_rows(tx, tasks)
    indexed = await _indexed_tags(tx, owner, tasks[0].id, tasks[-1].id)
    # A task that was created since these were read may lie between two of them; it is in the index already.
    await _put_tags(tx, owner, {tag for tag in indexed if tag[2] in known}, _tags(tasks))


async def remove(tx: Tx, tasks: Sequence[Task]) -> None:
    """Make the index forget tasks of one owner, at least one."""
    owner = tasks[0].owner
    await _take_rows_out(tx, tasks)
    known = _tags(task for task in tasks if task.indexed_version == task.version)
    for task in tasks:
        if task.indexed_version != task.version:
            known |= await _indexed_tags(tx, owner, task.id, task.id)
    await _put_tags(tx, owner, known, set())


#: Changes by tag, part of its count, and archive flag.
TagChanges = Counter[tuple[str, int, bool]]
#: A tag, whether the task that has it is archived, and the task.
_Tag = tuple[str, bool, TaskId]


async def change_counts(tx: Tx, owner: str, changes: TagChanges) -> None:
    """Add to the counts, in one order for all, so that two writers never wait for each other."""
    parts = sorted({(tag, part) for (tag, part, _), n in changes.items() if n})
    if parts:
        await tx.run_many(
            "INSERT INTO task_tag_part (owner, tag, part, active, archived) VALUES ($1, $2, $3, $4, $5)"
            + _OR_ADD_TO_COUNT,
            [(owner, *part, changes[*part, False], changes[*part, True]) for part in parts],
        )
    gone = [part for part in parts if changes[*part, False] + changes[*part, True] < 0]
    if gone:
        # A tag that no task has any more is removed: lists of tags would have to pass over it.
        await tx.run_many(
            "DELETE FROM task_tag_part WHERE owner = $1 AND tag = $2 AND part = $3 AND active = 0 AND archived = 0",
            [(owner, *part) for part in gone],
        )


async def list_tags(tx: Tx, owner: str, after: Position | None, size: int) -> RowPage[TagView]:
    """Tags of tasks that are not archived, with their number, in the order of tags."""
    rows = await tx.all(
        "SELECT tag, CAST(sum(active) AS BIGINT) FROM task_tag_part WHERE owner = $1 AND tag > $2"
        " GROUP BY tag HAVING sum(active) > 0 ORDER BY tag LIMIT $3",
        owner, after[0] if after else "", size + 1,
    )  # fmt: skip
    tags = [TagView(tag, count) for tag, count in rows[:size]]
    return RowPage(tags, (tags[-1].tag,) if len(rows) > size else None)


async def rarest(tx: Tx, owners: Sequence[str], tags: list[str]) -> str:
    """The one of these tags that the fewest tasks have, perhaps none."""
    of_owners, of_tags = numbered(len(owners)), numbered(len(tags), len(owners) + 1)
    rows = await tx.all(
        "SELECT tag, sum(active + archived) FROM task_tag_part"
        f" WHERE owner IN ({of_owners}) AND tag IN ({of_tags}) GROUP BY tag",
        *owners, *tags,
    )  # fmt: skip
    counts = {row[0]: row[1] for row in rows}
    return min(tags, key=lambda tag: counts.get(tag, 0))


async def find_tagged(tx: Tx, owner: str, tag: str, limit: int) -> list[TaskId]:
    """Ids of some of the owner's tasks with the tag, archived ones too."""
    sql = "SELECT task_id FROM task_tag WHERE owner = $1 AND tag = $2 ORDER BY archived, task_id LIMIT $3"
    return [TaskId(task_id) for (task_id,) in await tx.all(sql, owner, tag, limit)]


async def count_of(tx: Tx, owner: str, tag: str) -> int:
    """The number of the owner's tasks with the tag, archived ones too."""
    row = await tx.one("SELECT sum(active + archived) FROM task_tag_part WHERE owner = $1 AND tag = $2", owner, tag)
    return int(row[0]) if row is not None and row[0] is not None else 0


async def find_active(tx: Tx, owners: Sequence[str]) -> set[str]:
    """The owners among these whose index is active."""
    sql = f"SELECT s.owner FROM task_index_state AS s WHERE s.owner IN ({numbered(len(owners))}){_ACTIVE}"
    rows = await tx.all(sql, *owners)
    return {owner for (owner,) in rows}


async def activate(tx: Tx, owner: str) -> None:
    """Activate the index of an owner who has no task yet."""
    await lock_state(tx, owner)
    await save_state(tx, owner, IndexState(IndexStatus.ACTIVE))


async def lock_state(tx: Tx, owner: str) -> IndexState:
    """The state, locked against other backfills until the transaction ends."""
    await tx.run(
        "INSERT INTO task_index_state (owner, index_version, status, position, processed, updated_at)"
        " VALUES ($1, $2, $3, '', 0, $4) ON CONFLICT (owner) DO NOTHING",
        owner, INDEX_VERSION, IndexStatus.INACTIVE, clock.now_ms(),
    )  # fmt: skip
    row = await tx.one(
        "SELECT index_version, status, position, processed FROM task_index_state WHERE owner = $1 FOR UPDATE", owner
    )
    assert row is not None
    version, status, position, processed = row
    return IndexState(IndexStatus(status), position, processed) if version == INDEX_VERSION else IndexState()


async def save_state(tx: Tx, owner: str, state: IndexState) -> None:
    await tx.run(
        "UPDATE task_index_state SET index_version = $2, status = $3, position = $4, processed = $5, updated_at = $6"
        " WHERE owner = $1",
        owner, INDEX_VERSION, state.status, state.position, state.processed, clock.now_ms(),
    )  # fmt: skip


async def forget_state(tx: Tx, owner: str) -> None:
    await tx.run("DELETE FROM task_index_state WHERE owner = $1", owner)


_ACTIVE = f" AND s.status = '{IndexStatus.ACTIVE}' AND s.index_version = {INDEX_VERSION}"
_PUT_ROW = (
    "INSERT INTO task_index (owner, task_id, archived, status, board_id, due_at) VALUES ($1, $2, $3, $4, $5, $6)"
    " ON CONFLICT (owner, archived, task_id) DO UPDATE SET status = excluded.status,"
    " board_id = excluded.board_id, due_at = excluded.due_at"
)
_OR_ADD_TO_COUNT = (
    " ON CONFLICT (owner, tag, part) DO UPDATE SET active = task_tag_part.active + excluded.active,"
    " archived = task_tag_part.archived + excluded.archived"
)
_TAGS = LookupTable("task_tag", "owner", "tag", "archived", "task_id")


@cache
def is_active(owner: str) -> str:
    """A condition of a statement: the index of the owner that is this argument is active."""
    return f"EXISTS (SELECT 1 FROM task_index_state AS s WHERE s.owner = {owner}{_ACTIVE})"


@cache
def _add_tags(count: int) -> str:
    rows = ", ".join(f"($1, ${n + 3}, 0, $2)" for n in range(count))
    return f"INSERT INTO task_tag (owner, tag, archived, task_id) VALUES {rows}"


@cache
def _add_counts(count: int) -> str:
    rows = ", ".join(f"($1, ${n + 3}, $2, 1, 0)" for n in range(count))
    return f"INSERT INTO task_tag_part (owner, tag, part, active, archived) VALUES {rows}{_OR_ADD_TO_COUNT}"


def _values(task: Task) -> tuple[Value, ...]:
    return task.owner, task.id, task.shelf, task.status, task.board_id, task.due_at


def _tags(tasks: Iterable[Task]) -> set[_Tag]:
    return {(tag, task.archived, task.id) for task in tasks if not task.in_trash for tag in task.tags}


async def _take_rows_out(tx: Tx, tasks: Sequence[Task]) -> None:
    await tx.run_many(
        "DELETE FROM task_index WHERE owner = $1 AND archived IN (0, 1) AND task_id = $2",
        [(task.owner, task.id) for task in tasks],
    )


async def _put_rows(tx: Tx, tasks: Sequence[Task]) -> None:
    await tx.run_many(_PUT_ROW, [_values(task) for task in tasks if not task.in_trash])


async def _indexed_tags(tx: Tx, owner: str, first: TaskId, last: TaskId) -> set[_Tag]:
    rows = await tx.all(
        "SELECT tag, archived, task_id FROM task_tag WHERE owner = $1 AND task_id >= $2 AND task_id <= $3",
        owner, first, last,
    )  # fmt: skip
    return {(tag, bool(archived), task_id) for tag, archived, task_id in rows}


async def _put_tags(tx: Tx, owner: str, old: set[_Tag], wanted: set[_Tag]) -> None:
    had, has = ([(owner, tag, int(archived), task_id) for tag, archived, task_id in some] for some in (old, wanted))
    await _TAGS.change(tx, had, has)
    changes: TagChanges = Counter((tag, part_of(task_id), archived) for tag, archived, task_id in wanted)
    changes.subtract((tag, part_of(task_id), archived) for tag, archived, task_id in old)
    await change_counts(tx, owner, changes)
