"""The one way in which a task is written: its row, its place in the index, its reminder and the event, together."""

from typing import Any

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events.outbox import emit, recorded
from stowboard.tasks import task_store
from stowboard.tasks.boards import lane_store
from stowboard.tasks.boards.ordering import rank_at_end
from stowboard.tasks.index import index_store
from stowboard.tasks.reminders import follow_task
from stowboard.tasks.task import Status, Task


async def keep_new(tx: Tx, task: Task) -> Task | None:
    """Store a new task at the end of its lane; None if the owner has one with its idempotencyKey."""
    now = clock.now_ms()
    task = _stamped(task, None, now, created_at=now, version=1, indexed_version=1, rank=rank_at_end(None, now))
    if not await task_store.append(tx, task):
        # The key is used; or the lane has a task that another clock, or a move, has placed ahead of this moment.
        rank = rank_at_end(await lane_store.last_rank(tx, task.lane), now)
        task = msgspec.structs.replace(task, rank=rank)
        if not await task_store.insert(tx, task):
            return None
    created = recorded("task.created", task.owner, task.id, {"taskId": task.id, "version": task.version})
    await tx.run_together([*index_store.added(task), created])
    await follow_task(tx, None, task)
    return task


async def keep(tx: Tx, before: Task, after: Task, event: str) -> Task:
    """Store a change; `before` must be held for it. What is not different is not written."""
    if after == before:
        return before
    version = before.version + 1
    after = _stamped(after, before, clock.now_ms(), version=version, indexed_version=version)
    await task_store.update(tx, after)
    await index_store.put(tx, before, after)
    await follow_task(tx, before, after)
    changed = [name for name in _TOLD if getattr(before, name) != getattr(after, name)]
    data = {"taskId": after.id, "version": version, "changed": [_camel(name) for name in changed]}
    await emit(tx, event, after.owner, after.id, data)
    return after


#: What an event names as changed.
_TOLD = (
    "title", "body", "encrypted_body", "visibility", "status", "due_at", "reminder", "recurrence", "time_zone", "tags",
    "archived", "board_id", "column_id", "rank",
)  # fmt: skip


def _stamped(task: Task, before: Task | None, now: int, **stamps: Any) -> Task:
    """`completedAt` tells since when a task is done."""
    done, was_done = task.status is Status.DONE, before is not None and before.status is Status.DONE
    completed_at = (task.completed_at if was_done else now) if done else None
    return msgspec.structs.replace(task, updated_at=now, completed_at=completed_at, **stamps)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)
