"""Archive, put in the trash, restore and delete."""

from collections.abc import Sequence

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes.change_store import forget_subjects
from stowboard.events.changes.settings import HistorySettings
from stowboard.events.kinds import TaskDeleted
from stowboard.events.outbox import emit_many
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.schedule import PeriodicJob
from stowboard.tasks.base import task_store
from stowboard.tasks.base.task import Task, TaskId
from stowboard.tasks.boards import board_store
from stowboard.tasks.index import findable, index_store
from stowboard.tasks.keep import keep_archived, keep_trashed
from stowboard.tasks.reminders import follow_tasks

_BATCH = 100


async def archive_task(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> Task:
    """Hide the task from default lists. It keeps its place. Raises TaskNotFound."""
    return await keep_archived(tx, await task_store.lock(tx, access, task_id, if_match), True)


async def restore_task(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> Task:
    """Take the task out of the trash, else out of the archive, back to where it was. Raises TaskNotFound."""
    task = await task_store.lock_wherever(tx, access, task_id, if_match)
    return await (keep_trashed(tx, task, False) if task.in_trash else keep_archived(tx, task, False))


async def trash_task(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> Task:
    """Put the task in the trash, out of every list. Raises TaskNotFound."""
    return await keep_trashed(tx, await task_store.lock_wherever(tx, access, task_id, if_match), True)


async def delete_task(tx: Tx, access: Access, task_id: TaskId, if_match: str | None) -> Task:
    """Delete the task for good, also out of the trash; returns it as it was. Raises TaskNotFound."""
    task = await task_store.lock_wherever(tx, access, task_id, if_match)
    await _delete(tx, [task])
    return task


async def purge(job: Job, _: NoArgs) -> None:
    """Delete for good what was in the trash for long enough."""
    kept_ms = job.use(HistorySettings).trash_ms
    while await job.db.transact(_purge_some, clock.now_ms() - kept_ms):
        pass


async def _purge_some(tx: Tx, before: int) -> bool:
    tasks = await task_store.find_and_lock_trashed(tx, before, _BATCH)
    for owner in sorted({task.owner for task in tasks}):
        await _delete(tx, [task for task in tasks if task.owner == owner])
    return bool(tasks)


async def delete_some(tx: Tx, owner: str) -> bool:
    """Delete some of an owner's tasks, then boards; False if there was none."""
    tasks = await task_store.find_and_lock_batch_after(tx, owner, "", _BATCH)
    if tasks:
        await _delete(tx, tasks)
    return bool(tasks) or await board_store.delete_of_owner(tx, owner, _BATCH) > 0


async def _delete(tx: Tx, tasks: Sequence[Task]) -> None:
    """Delete locked tasks of one owner, at least one."""
    gone = [(task, None) for task in tasks]
    await index_store.remove(tx, tasks)
    await findable.follow_tasks(tx, gone)
    await follow_tasks(tx, gone)
    await task_store.delete(tx, tasks)
    await task_store.bury_keys(tx, tasks)
    await forget_subjects(tx, [task.id for task in tasks])
    await emit_many(tx, kinds.TASK_DELETED, tasks[0].owner, [(task.id, TaskDeleted(task.id)) for task in tasks])


PURGE = PeriodicJob("tasks.purge", 600_000, JobKind("tasks.purge", "sweep", purge, args=NoArgs), NoArgs())
