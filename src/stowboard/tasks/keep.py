"""The one way in which a task is changed: its row, the index, its reminder and the event, together."""

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.kinds import EventKind, TaskChanged, TaskCreated, TaskDeleted
from stowboard.events.outbox import changed_members, emit
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
        completed_at=_completed_at(before, after, now),
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
        await emit(tx, kinds.TASK_CREATED, after.owner, after.id, TaskCreated(after.id, version))
        return after
    told = TaskChanged(after.id, version, changed_members(before, after, _TOLD))
    await emit(tx, kind, after.owner, after.id, told)
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


def _completed_at(before: Task, after: Task, now: int) -> int | None:
    """Since when the task is done."""
    if after.status is not Status.DONE:
        return None
    return after.completed_at if before.status is Status.DONE else now
