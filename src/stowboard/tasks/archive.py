"""Archive, restore and delete."""

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.preconditions import check_if_match
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes.change_store import forget_subjects
from stowboard.events.kinds import TaskDeleted
from stowboard.events.outbox import emit
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import KEY_REST_MS, Task, TaskId
from stowboard.tasks.boards import board_store
from stowboard.tasks.index import findable, index_store
from stowboard.tasks.keep import keep_archived
from stowboard.tasks.reminders import follow_task

_BATCH = 100


async def archive_task(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> Task:
    """Hide the task from default lists. It keeps its place. Raises TaskNotFound."""
    return await keep_archived(tx, await _lock(tx, access, task_id, if_match), True)


async def restore_task(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> Task:
    """Bring the task back to where it was. Raises TaskNotFound."""
    return await keep_archived(tx, await _lock(tx, access, task_id, if_match), False)


async def delete_task(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> None:
    """For good. Raises TaskNotFound."""
    await _delete(tx, await _lock(tx, access, task_id, if_match))


async def delete_some(tx: Tx, owner: str) -> bool:
    """Delete some of an owner's tasks, then boards; False if there was none."""
    tasks = await task_store.find_and_lock_batch_after(tx, owner, "", _BATCH)
    for task in tasks:
        await _delete(tx, task)
    return bool(tasks) or await board_store.delete_of_owner(tx, owner, _BATCH) > 0


async def _delete(tx: Tx, task: Task) -> None:
    await index_store.remove(tx, task)
    await findable.follow_task(tx, task, None)
    await follow_task(tx, task, None)
    await task_store.delete(tx, task)
    if task.idempotency_key is not None:
        await task_store.bury_key(tx, task.owner, task.idempotency_key, clock.now_ms() + KEY_REST_MS)
    await forget_subjects(tx, [task.id])
    await emit(tx, kinds.TASK_DELETED, task.owner, task.id, TaskDeleted(task.id))


async def _lock(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> Task:
    task = await task_store.lock(tx, access, task_id)
    check_if_match(if_match, task.etag)
    return task
