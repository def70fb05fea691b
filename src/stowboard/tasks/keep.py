"""The one way in which a task is changed: its row, the index, its reminder, the event and its history, together."""

from typing import Any

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes import change_store
from stowboard.events.kinds import EventKind, TaskChanged, TaskCreated, TaskDeleted
from stowboard.events.outbox import camel, changed_members, emit
from stowboard.tasks.base import attachment_store, metadata_store, task_store
from stowboard.tasks.base.task import Status, Task, written_by
from stowboard.tasks.index import findable, index_store
from stowboard.tasks.reminders import follow_task


async def keep(tx: Tx, before: Task, after: Task, kind: EventKind[TaskChanged]) -> Task:
    """Store a change; `before` must be locked. What is not different is not written."""
    if after == before:
        return before
    version = before.version + 1
    now = clock.now_ms()
    after = msgspec.structs.replace(
        written_by(after, tx.author),
        updated_at=now,
        completed_at=_completed_at(after, now),
        version=version,
        indexed_version=version,
    )
    await task_store.update(tx, after)
    await index_store.put(tx, before, after)
    transferred = after.owner != before.owner
    if transferred or after.attachments != before.attachments:
        await attachment_store.put(tx, before, after)
    if transferred or after.metadata != before.metadata:
        await metadata_store.put(tx, before, after)
    await findable.follow_task(tx, before, after)
    await follow_task(tx, before, after)
    if transferred:
        await emit(tx, kinds.TASK_DELETED, before.owner, after.id, TaskDeleted(after.id))
        changed = ["spaceId", *changed_members(before, after, _TOLD)]
        change = change_store.added(tx, "task.transferred", after.owner, after.id, changed, {}, version)
        await emit(tx, kinds.TASK_CREATED, after.owner, after.id, TaskCreated(after.id, version), [change])
        return after
    changed = changed_members(before, after, _TOLD)
    told, kept = TaskChanged(after.id, version, changed), _values_before(before, after)
    change = change_store.added(tx, kind, after.owner, after.id, changed, kept, version)
    await emit(tx, kind, after.owner, after.id, told, [change])
    return after


async def keep_archived(tx: Tx, task: Task, archived: bool) -> Task:
    """Archive or restore a locked task. It keeps its place."""
    after = msgspec.structs.replace(task, archived=archived)
    return await keep(tx, task, after, kinds.TASK_ARCHIVED if archived else kinds.TASK_RESTORED)


#: What an event names as changed.
_TOLD = (
    "title", "body", "encrypted_body", "visibility", "status", "due_at", "reminder", "recurrence", "time_zone", "tags",
    "archived", "board_id", "column_id", "rank", "priority", "attachments",
    "metadata",
)  # fmt: skip
#: What history keeps, by the names of the wire, to bring it back. A sealed body is its owner's alone.
KEPT = {
    camel(name): name
    for name in (*_TOLD, "anchor_at", "completions", "completed_at")
    if name not in ("encrypted_body", "visibility")
}


def _values_before(before: Task, after: Task) -> dict[str, Any]:
    """The members that history keeps and that are different now, as they were."""
    kept = {wire: getattr(before, name) for wire, name in KEPT.items() if getattr(before, name) != getattr(after, name)}
    if before.zero_knowledge or after.zero_knowledge:
        kept.pop("body", None)
    return kept


def _completed_at(after: Task, now: int) -> int | None:
    """Since when the task is done."""
    if after.status is not Status.DONE:
        return None
    return now if after.completed_at is None else after.completed_at
