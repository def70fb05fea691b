"""Tasks in the database. Each function is one statement; what is read for a caller carries its reach in its WHERE."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.core.preconditions import check_if_match
from stowboard.core.reach import reached
from stowboard.db.database import Tx, Value
from stowboard.db.rows import numbered
from stowboard.db.scan import IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.db.table import Table, forget_old
from stowboard.tasks.base.document import complete, render
from stowboard.tasks.base.errors import TaskInTrash, TaskNotFound
from stowboard.tasks.base.task import KEY_REST_MS, BoardId, Task, TaskId


class Occurrence(msgspec.Struct, frozen=True):
    """A completed occurrence of a recurring task."""

    number: int
    due_at: int | None
    completed_at: int
    due_on: str | None = None


TASKS = Table("task", Task, "tags", "attachments", "metadata", "told")
_OCCURRENCES = Table("task_occurrence", Occurrence)
_STORED = (*TASKS.fields, "doc")
_NUMBERS = {name: f"${n + 1}" for n, name in enumerate(_STORED)}
_INTO = f"INSERT INTO task ({', '.join(_NUMBERS)})"
_UNLESS_KEY_USED = " ON CONFLICT (owner, idempotency_key) WHERE idempotency_key IS NOT NULL DO NOTHING"
_INSERT_NEW = f"{_INTO} VALUES ({', '.join(_NUMBERS.values())})" + _UNLESS_KEY_USED
_APPEND = (
    f"{_INTO} SELECT {', '.join(_NUMBERS.values())} WHERE NOT EXISTS"
    f" (SELECT 1 FROM task WHERE lane = {_NUMBERS['lane']} AND rank >= {_NUMBERS['rank']})" + _UNLESS_KEY_USED
)
_CHANGES = ", ".join(f"{name} = ${n + 3}" for n, name in enumerate(_STORED[2:]))
_IN_REACH = f"id = $1 AND {reached(2)}"
_DOCUMENT = f"SELECT doc, version, board_id, encrypted_body, owner, more FROM task WHERE {_IN_REACH}"
_UPDATE = f"UPDATE task SET {_CHANGES} WHERE id = $1 AND owner = $2"


async def insert(tx: Tx, task: Task) -> bytes | None:
    """The new task's document; None if the owner has a task with this idempotencyKey already."""
    return await _insert(tx, _INSERT_NEW, task)


async def append(tx: Tx, task: Task) -> bytes | None:
    """The same for a task at the end of its lane; None also if the lane has a task that is not before this one."""
    return await _insert(tx, _APPEND, task)


async def _insert(tx: Tx, statement: str, task: Task) -> bytes | None:
    document = render(task)
    return document if await tx.run(statement, *TASKS.values(task), document) == 1 else None


async def insert_new(tx: Tx, tasks: list[Task]) -> list[Task]:
    """Store new tasks. Returns those that were stored: the owner had no task with their idempotencyKey."""
    await tx.run_many(_INSERT_NEW, [_values(task) for task in tasks])
    rows = await tx.all(f"SELECT id FROM task WHERE id IN ({numbered(len(tasks))})", *(task.id for task in tasks))
    stored = {task_id for (task_id,) in rows}
    return [task for task in tasks if task.id in stored]


async def update(tx: Tx, task: Task) -> None:
    await tx.run(_UPDATE, *_values(task))


async def set_told(tx: Tx, task: Task) -> None:
    """Store which reminders were told. The version of the task stays."""
    told = msgspec.json.encode(task.told).decode()
    await tx.run("UPDATE task SET told = $3 WHERE id = $1 AND owner = $2", task.id, task.owner, told)


async def delete(tx: Tx, tasks: Sequence[Task]) -> None:
    await tx.run_many("DELETE FROM task WHERE id = $1 AND owner = $2", [(task.id, task.owner) for task in tasks])


async def give(tx: Tx, tasks: Sequence[Task]) -> None:
    """Write locked tasks, which may have another owner than before.

    Raises UniqueViolation if that owner has a task with one of the keys.
    """
    await tx.run_many(f"UPDATE task SET owner = $2, {_CHANGES} WHERE id = $1", [_values(task) for task in tasks])


async def find_used_keys(tx: Tx, owner: str, keys: Sequence[str]) -> set[str]:
    """The idempotencyKeys that a task of the owner has already."""
    sql = (
        "SELECT idempotency_key FROM task"
        f" WHERE owner = $1 AND idempotency_key IN ({numbered(len(keys), 2)}) AND idempotency_key IS NOT NULL"
    )
    return {key for (key,) in await tx.all(sql, owner, *keys)} if keys else set()


async def get(tx: Tx, access: Access, task_id: TaskId) -> Task:
    """Raises TaskNotFound, also for a task out of reach; InsufficientRole."""
    return _checked(access, await TASKS.find(tx, _IN_REACH, task_id, access.owners))


async def find_many(tx: Tx, access: Access, task_ids: Sequence[str]) -> list[Task]:
    """Those in reach."""
    condition = f"id IN ({numbered(len(task_ids), 2)}) AND {reached(1)}"
    return await TASKS.find_all(tx, condition, access.owners, *task_ids) if task_ids else []


async def find_owners(tx: Tx, task_ids: Sequence[str]) -> set[str]:
    """The owners of these tasks, wherever they were transferred to."""
    sql = f"SELECT DISTINCT owner FROM task WHERE id IN ({numbered(len(task_ids))})"
    return {owner for (owner,) in await tx.all(sql, *task_ids)} if task_ids else set()


async def find_due(tx: Tx, person: str, spaces: Sequence[str], until: int, limit: int) -> list[Task]:
    """Open tasks that are due before that time: all of the person's own, and in these spaces those assigned to them."""
    names = ", ".join(f"t.{name}" for name in TASKS.fields)
    due = "t.archived = 0 AND t.status <> 'done' AND t.due_at < $2"
    found = f"SELECT {names} FROM task t WHERE t.owner = $1 AND {due}"
    if spaces:
        found += (
            f" UNION ALL SELECT {names} FROM task_assignee a JOIN task t ON t.id = a.task_id"
            f" WHERE a.owner IN ({numbered(len(spaces), 4)}) AND a.member = $1 AND a.archived = 0 AND {due}"
        )
    sql = f"SELECT * FROM ({found}) AS due ORDER BY due_at, id LIMIT $3"
    return TASKS.read_all(await tx.all(sql, person, until, limit, *spaces))


async def lock(tx: Tx, access: Access, task_id: TaskId, if_match: str | None = None) -> Task:
    """The task, locked against other changes until the transaction ends. `if_match` must name its version.

    Raises TaskNotFound, InsufficientRole, TaskInTrash, PreconditionFailed.
    """
    task = await lock_wherever(tx, access, task_id)
    if task.in_trash:
        raise TaskInTrash
    check_if_match(if_match, task.etag)
    return task


async def lock_wherever(tx: Tx, access: Access, task_id: TaskId, if_match: str | None = None) -> Task:
    """The same for a task that may be in the trash."""
    task = _checked(access, await TASKS.find(tx, f"{_IN_REACH} FOR UPDATE", task_id, access.owners))
    check_if_match(if_match, task.etag)
    return task


async def get_shown(tx: Tx, access: Access, task_id: TaskId, interactive: bool) -> tuple[bytes, int, BoardId | None]:
    """The task as it is shown, its version and its board. Raises TaskNotFound."""
    row = await tx.one(_DOCUMENT, task_id, access.owners)
    if row is None:
        raise TaskNotFound
    doc, version, board_id, envelope, owner, more = row
    access.check(owner)
    return complete(doc, owner, more, envelope if interactive else UNSET), version, board_id


async def lock_by_key(tx: Tx, owner: str, key: str) -> Task:
    """The task with this key, locked, since its body goes into a reply that is kept. Raises TaskNotFound."""
    return _found(await TASKS.find(tx, "owner = $1 AND idempotency_key = $2 FOR UPDATE", owner, key))


async def find_and_lock_batch_after(tx: Tx, owner: str, after: str, limit: int) -> list[Task]:
    """The owner's next tasks in the order of ids."""
    return await TASKS.find_all(tx, "owner = $1 AND id > $2 ORDER BY id LIMIT $3 FOR UPDATE", owner, after, limit)


async def find_and_lock_many(tx: Tx, task_ids: Sequence[str]) -> list[Task]:
    """Those that exist, of any owner, in the order of ids."""
    condition = f"id IN ({numbered(len(task_ids))}) ORDER BY id FOR UPDATE"
    return await TASKS.find_all(tx, condition, *task_ids)


async def find_and_lock_after(tx: Tx, after: str, limit: int) -> list[Task]:
    """The next tasks in the order of ids, whoever owns them."""
    return await TASKS.find_all(tx, "id > $1 ORDER BY id LIMIT $2 FOR UPDATE", after, limit)


async def find_and_lock_trashed(tx: Tx, before: int, limit: int) -> list[Task]:
    """Tasks that were in the trash before that time, the oldest there first, whoever owns them."""
    return await TASKS.find_all(tx, "trashed_at < $1 ORDER BY trashed_at, id LIMIT $2 FOR UPDATE", before, limit)


async def find_and_lock_first_of_lane(tx: Tx, lane: str, limit: int) -> list[Task]:
    """The lane's first tasks in their order, archived ones too."""
    return await TASKS.find_all(tx, "lane = $1 ORDER BY rank LIMIT $2 FOR UPDATE", lane, limit)


async def find_and_lock_in_lanes(tx: Tx, lanes: Sequence[str], limit: int) -> list[Task]:
    """Tasks of these lanes, archived ones too, in the order of ids; at most `limit`."""
    condition = f"lane IN ({numbered(len(lanes), 2)}) ORDER BY id LIMIT $1 FOR UPDATE"
    return await TASKS.find_all(tx, condition, limit, *lanes)


async def find_and_lock_at_rank(tx: Tx, lane: str, rank: str) -> Task | None:
    return await TASKS.find(tx, "lane = $1 AND rank = $2 FOR UPDATE", lane, rank)


async def placed_after(tx: Tx, lane: str, rank: str, limit: int) -> list[tuple[TaskId, str]]:
    """Id and rank of the lane's next visible tasks beyond the rank."""
    rows = await tx.all(
        "SELECT id, rank FROM task WHERE lane = $1 AND rank > $2 AND archived = 0 ORDER BY rank LIMIT $3",
        lane, rank, limit,
    )  # fmt: skip
    return [(TaskId(task_id), rank) for task_id, rank in rows]


async def mark_indexed(tx: Tx, tasks: list[Task]) -> None:
    await tx.run_many("UPDATE task SET indexed_version = version WHERE id = $1", [(task.id,) for task in tasks])


async def has_unindexed(tx: Tx, owner: str) -> bool:
    # Only the index of such tasks has this order, so no database looks for the first one in the whole table.
    sql = "SELECT 1 FROM task WHERE owner = $1 AND indexed_version IS DISTINCT FROM version ORDER BY updated_at LIMIT 1"
    return await tx.one(sql, owner) is not None


async def add_occurrence(tx: Tx, task: Task, number: int, completed_at: int) -> None:
    await _OCCURRENCES.insert(tx, Occurrence(number, task.due_at, completed_at, task.due_on), task_id=task.id)


async def list_occurrences(tx: Tx, task_id: TaskId, after: Position | None, size: int) -> RowPage[Occurrence]:
    """Latest first."""
    of_task = IndexRange("task_occurrence", ("task_id = $1",))
    scan = Scan(_OCCURRENCES.fields, _OCCURRENCES.read_all, (of_task,), ScanOrder(("number",), descending=True))
    return await scan.page(tx, SqlArguments(task_id), after, size)


async def remove_occurrence(tx: Tx, task_id: TaskId, number: int) -> None:
    await tx.run("DELETE FROM task_occurrence WHERE task_id = $1 AND number = $2", task_id, number)


async def last_occurrence(tx: Tx, task_id: TaskId) -> int:
    row = await tx.one("SELECT max(number) FROM task_occurrence WHERE task_id = $1", task_id)
    return (row[0] or 0) if row else 0


async def bury_keys(tx: Tx, tasks: Sequence[Task]) -> None:
    """Keep the idempotencyKeys of deleted tasks from being used again for a while."""
    until = clock.now_ms() + KEY_REST_MS
    if keys := [(task.owner, task.idempotency_key, until) for task in tasks if task.idempotency_key is not None]:
        await tx.run_many(
            "INSERT INTO task_key_grave (owner, key, expires_at) VALUES ($1, $2, $3)"
            " ON CONFLICT (owner, key) DO UPDATE SET expires_at = excluded.expires_at",
            keys,
        )


async def is_buried(tx: Tx, owner: str, key: str) -> bool:
    return bool(await find_buried_keys(tx, owner, [key]))


async def find_buried_keys(tx: Tx, owner: str, keys: Sequence[str]) -> set[str]:
    """Those that a task of the owner had which was deleted a short time ago."""
    sql = f"SELECT key FROM task_key_grave WHERE owner = $1 AND expires_at > $2 AND key IN ({numbered(len(keys), 3)})"
    return {key for (key,) in await tx.all(sql, owner, clock.now_ms(), *keys)} if keys else set()


#: Removes keys whose rest is over.
forget_graves = forget_old("task_key_grave", "owner, key")


def _values(task: Task) -> list[Value]:
    return [*TASKS.values(task), render(task)]


def _checked(access: Access, found: Task | None) -> Task:
    task = _found(found)
    access.check(task.owner)
    return task


def _found(task: Task | None) -> Task:
    if task is None:
        raise TaskNotFound
    return task
