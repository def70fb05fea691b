"""The one way in which a task is changed: its row, the index, its reminder, the event and its history, together."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from stowboard.core import clock
from stowboard.db.database import Tx, Write
from stowboard.events import kinds
from stowboard.events.changes import change_store
from stowboard.events.kinds import (
    AssigneeChange,
    EventKind,
    TaskAssigned,
    TaskChanged,
    TaskComment,
    TaskCreated,
    TaskDeleted,
)
from stowboard.events.outbox import camel, changed_members, emit, emit_many
from stowboard.tasks.base import lookups, task_store
from stowboard.tasks.base.task import Status, Task, shelved, with_extras, written_by
from stowboard.tasks.index import findable, index_store
from stowboard.tasks.reminders import follow_tasks, told_of


async def keep(
    tx: Tx, before: Task, after: Task, kind: EventKind[TaskChanged], item_id: str | UnsetType = UNSET
) -> Task:
    """Store a change; `before` must be locked. Nothing is written if nothing is different.

    `item_id` is the item of the checklist that was changed, if one was.
    """
    if after == before:
        return before
    after = await _store(tx, before, after)
    version = after.version
    changed = _changed(before, after)
    told, kept = TaskChanged(after.id, version, changed, item_id), _values_before(before, after)
    change = change_store.added(tx, kind, after.owner, after.id, changed, kept, version)
    await emit(tx, kind, after.owner, after.id, told, [change])
    if "assignees" in changed:
        await tell_assigned(tx, after, before.extras.assignees)
    return after


async def keep_transferred(tx: Tx, changes: Sequence[tuple[Task, Task]]) -> list[Task]:
    """Store all that belongs to tasks, at least one, whose rows were given to another space: deleted in the one,
    created in the other. Their versions are the next ones."""
    gone, tasks = [before for before, _ in changes], [after for _, after in changes]
    await index_store.remove(tx, gone)
    await index_store.add_many(tx, tasks)
    await lookups.put(tx, gone, tasks)
    await findable.follow_transfer(tx, changes)
    await follow_tasks(tx, changes)
    await emit_many(tx, kinds.TASK_DELETED, gone[0].owner, [(task.id, TaskDeleted(task.id)) for task in gone])
    await change_store.add_many(tx, [_transferred(tx, before, after) for before, after in changes])
    made = [(task.id, TaskCreated(task.id, task.version)) for task in tasks]
    await emit_many(tx, kinds.TASK_CREATED, tasks[0].owner, made)
    return tasks


async def keep_comment(tx: Tx, before: Task, kind: EventKind[TaskComment], count: int, data: TaskComment) -> Task:
    """Store that a comment on a locked task was made, changed or deleted. The task has `count` comments now."""
    after = await _store(tx, before, with_extras(before, comment_count=count), commented=True)
    await emit(tx, kind, after.owner, after.id, msgspec.structs.replace(data, version=after.version))
    return after


async def tell_assigned(tx: Tx, task: Task, before: Sequence[str] = ()) -> None:
    """Emit the event that names the new assignees and the former ones."""
    assignees = task.extras.assignees
    change = AssigneeChange(
        [name for name in assignees if name not in before], [name for name in before if name not in assignees]
    )
    await emit(tx, kinds.TASK_ASSIGNED, task.owner, task.id, TaskAssigned(task.id, task.version, change))


async def _store(tx: Tx, before: Task, after: Task, commented: bool = False) -> Task:
    after = stamped(tx, before, after)
    await task_store.update(tx, after)
    await index_store.put(tx, before, after)
    await _follow(tx, [(before, after)], commented)
    return after


def stamped(tx: Tx, before: Task, after: Task) -> Task:
    """The task as its next version, written by the author of the transaction."""
    version = before.version + 1
    now = clock.now_ms()
    return msgspec.structs.replace(
        written_by(after, tx.author),
        updated_at=now,
        completed_at=_completed_at(after, now),
        version=version,
        indexed_version=version,
        told=told_of(before, after, now),
    )


async def _follow(tx: Tx, changes: Sequence[tuple[Task, Task]], commented: bool = False) -> None:
    """Make all that is derived from tasks agree with them, except the index of lists."""
    old, new = [before for before, _ in changes], [after for _, after in changes]
    await lookups.put(tx, old, new)
    await findable.follow_tasks(tx, changes, commented)
    await follow_tasks(tx, changes)


async def keep_archived(tx: Tx, task: Task, archived: bool) -> Task:
    """Archive or restore a locked task. It keeps its place."""
    after = shelved(task, archived, task.trashed_at)
    return await keep(tx, task, after, kinds.TASK_ARCHIVED if archived else kinds.TASK_RESTORED)


async def keep_trashed(tx: Tx, task: Task, trashed: bool) -> Task:
    """Put a locked task in the trash, or take it out. It keeps its place; one that is there already keeps its time."""
    if task.in_trash == trashed:
        return task
    after = shelved(task, task.archived, clock.now_ms() if trashed else None)
    return await keep(tx, task, after, kinds.TASK_TRASHED if trashed else kinds.TASK_RESTORED)


#: The members that an event names as changed.
_TOLD = (
    "title", "body", "encrypted_body", "visibility", "status", "due_at", "due_on", "reminder", "recurrence",
    "time_zone", "tags", "archived", "trashed_at", "board_id", "column_id", "rank", "priority", "attachments",
    "metadata",
)  # fmt: skip
_TOLD_EXTRAS = ("assignees", "checklist", "start_at", "reminders", "recurrence_from")
#: The members that history keeps, by their names on the wire, for an undo. A sealed body is its owner's alone.
KEPT = {
    camel(name): name
    for name in (*_TOLD, "anchor_at", "completions", "completed_at")
    if name not in ("encrypted_body", "visibility")
}
KEPT_EXTRAS = {camel(name): name for name in _TOLD_EXTRAS}


def _transferred(tx: Tx, before: Task, after: Task) -> Write:
    changed = ["spaceId", *_changed(before, after)]
    return change_store.added(tx, "task.transferred", after.owner, after.id, changed, {}, after.version)


def _changed(before: Task, after: Task) -> list[str]:
    """The members that an event names as changed."""
    changed = changed_members(before, after, _TOLD)
    if after.more != before.more:
        changed += changed_members(before.extras, after.extras, _TOLD_EXTRAS)
    return changed


def _values_before(before: Task, after: Task) -> dict[str, Any]:
    """The earlier values of those members that history keeps and that are different now."""
    kept = _differing(before, after, KEPT)
    if before.more != after.more:
        kept |= _differing(before.extras, after.extras, KEPT_EXTRAS)
    if before.zero_knowledge or after.zero_knowledge:
        kept.pop("body", None)
    return kept


def _differing(before: msgspec.Struct, after: msgspec.Struct, names: dict[str, str]) -> dict[str, Any]:
    return {wire: value for wire, name in names.items() if (value := getattr(before, name)) != getattr(after, name)}


def _completed_at(after: Task, now: int) -> int | None:
    """The time since which the task is done; None if it is not."""
    if after.status is not Status.DONE:
        return None
    return now if after.completed_at is None else after.completed_at
