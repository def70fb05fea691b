"""Archive, restore and delete."""

from stowboard.core import clock
from stowboard.core.caller import Caller
from stowboard.core.preconditions import check_if_match
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.kinds import TaskDeleted
from stowboard.events.outbox import emit
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import Task, TaskId
from stowboard.tasks.index import findable, index_store
from stowboard.tasks.keep import keep_archived
from stowboard.tasks.reminders import follow_task

#: How long a deleted task's idempotencyKey cannot be used again.
KEY_REST_MS = 24 * 3600 * 1000


async def archive_task(tx: Tx, caller: Caller, task_id: TaskId, if_match: str | None) -> Task:
    """Hide the task from default lists. It keeps its place. Raises TaskNotFound."""
    return await keep_archived(tx, await _lock(tx, caller, task_id, if_match), True)


async def restore_task(tx: Tx, caller: Caller, task_id: TaskId, if_match: str | None) -> Task:
    """Bring the task back to where it was. Raises TaskNotFound."""
    return await keep_archived(tx, await _lock(tx, caller, task_id, if_match), False)


async def delete_task(tx: Tx, caller: Caller, task_id: TaskId, if_match: str | None) -> None:
    """For good. Raises TaskNotFound."""
    task = await _lock(tx, caller, task_id, if_match)
    await index_store.remove(tx, task)
    await findable.follow_task(tx, task, None)
    await follow_task(tx, task, None)
    await task_store.delete(tx, task)
    if task.idempotency_key is not None:
        await task_store.bury_key(tx, task.owner, task.idempotency_key, clock.now_ms() + KEY_REST_MS)
    await emit(tx, kinds.TASK_DELETED, task.owner, task.id, TaskDeleted(task.id))


async def _lock(tx: Tx, caller: Caller, task_id: TaskId, if_match: str | None) -> Task:
    task = await task_store.lock_owned(tx, caller.owner, task_id)
    check_if_match(if_match, task.etag)
    return task
