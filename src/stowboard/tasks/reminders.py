"""Reminders: a job that is due at the reminder's time, and becomes an event exactly once.

The job follows the task in the task's own transaction: it moves with the reminder, and is cancelled when the reminder
is cleared or the task is done, archived or deleted. The queue holds future ones without looking at them.
"""

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.kinds import TaskReminder
from stowboard.events.outbox import emit
from stowboard.jobs.queue import cancel, enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TaskNotFound
from stowboard.tasks.base.task import Status, Task, TaskId
from stowboard.tasks.reminder_mail import mail_later


class ReminderOrder(msgspec.Struct, frozen=True):
    owner: str
    task_id: TaskId
    reminder: int


async def follow_task(tx: Tx, before: Task | None, after: Task | None) -> None:
    """Make the job agree with the task as it is now; None is a task that is not there."""
    wanted, had = _wanted(after), _wanted(before)
    if wanted == had:
        return
    task = after or before
    assert task is not None
    if had is not None:
        await cancel(tx, REMIND, task.id)
    if wanted is not None and not _is_over(before, wanted):
        await enqueue(tx, REMIND, ReminderOrder(task.owner, task.id, wanted), due=wanted, dedup=task.id)


async def remind(job: Job, args: ReminderOrder) -> None:
    await job.db.transact(_remind, job, args)


async def _remind(tx: Tx, job: Job, args: ReminderOrder) -> None:
    try:
        task = await task_store.lock_owned(tx, args.owner, args.task_id)
    except TaskNotFound:
        task = None
    if task is not None and _wanted(task) == args.reminder:
        data = TaskReminder(task.id, args.reminder, task.due_at)
        event_id = await emit(tx, kinds.TASK_REMINDER, task.owner, task.id, data)
        await mail_later(tx, job, event_id, task)
    await job.complete(tx)


def _is_over(before: Task | None, reminder: int) -> bool:
    """True if the task had this reminder all along and its time has passed: reopening it is no reason to fire again."""
    return before is not None and before.reminder == reminder <= clock.now_ms()


def _wanted(task: Task | None) -> int | None:
    if task is None or task.archived or task.status is Status.DONE:
        return None
    return task.reminder


REMIND = JobKind("tasks.remind", "reminder", remind, args=ReminderOrder)
