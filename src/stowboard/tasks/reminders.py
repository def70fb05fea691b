"""Reminders: a job that is due at the reminder's time, and becomes an event exactly once.

A task has one job, for the earliest of its reminders that was not told. The job follows the task in the task's own
transaction: it moves with the reminder, and is cancelled when the reminder is cleared or the task is done, archived, in
the trash or deleted. The queue holds future ones without looking at them.
"""

from collections.abc import Sequence

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.kinds import TaskReminder
from stowboard.events.outbox import emit
from stowboard.jobs.queue import cancel_many, enqueue_many
from stowboard.jobs.registry import Job, JobKind
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TaskNotFound
from stowboard.tasks.base.task import Status, Task, TaskId


class ReminderOrder(msgspec.Struct, frozen=True):
    owner: str
    task_id: TaskId
    reminder: int


async def follow_tasks(tx: Tx, changes: Sequence[tuple[Task | None, Task | None]]) -> None:
    """Make the jobs agree with tasks as they are now; None stands for a task that is not there."""
    orders = [(_order(before), _order(after)) for before, after in changes]
    moved = [each for each in orders if each[0] != each[1]]
    await cancel_many(tx, REMIND, [had.task_id for had, _ in moved if had is not None])
    await _enqueue(tx, [wanted for _, wanted in moved if wanted is not None])


def told_of(before: Task, after: Task, now: int) -> list[int] | None:
    """The reminder times that the task has now and that were told.

    While a task is archived, in the trash or done, its times pass in silence: reopening it is no reason to tell them.
    """
    times = _times(after)
    if not times:
        return None
    told = set(before.told or ())
    if not _reminds(before):
        told |= {at for at in _times(before) if at <= now}
    return sorted(times & told) or None


def has_reminder(task: Task, at: int) -> bool:
    """True if the task still reminds of this time."""
    return _reminds(task) and at in _times(task)


async def remind(job: Job, args: ReminderOrder) -> None:
    await job.db.transact(_remind, job, args)


async def _remind(tx: Tx, job: Job, args: ReminderOrder) -> None:
    """Tell the times that are due, remember that they were told, and order the next one: all of it or nothing."""
    try:
        task = await task_store.lock_wherever(tx, Access.of_service(args.owner), args.task_id)
    except TaskNotFound:
        task = None
    if task is not None:
        # The clock may have been set back since the order came due.
        now = max(args.reminder, clock.now_ms())
        due = [at for at in sorted(_pending(task)) if at <= now and _reminds(task)]
        for at in due:
            told = TaskReminder(task.id, at, task.due_at, task.due_on)
            await emit(tx, kinds.TASK_REMINDER, task.owner, task.id, told)
        if due:
            task = msgspec.structs.replace(task, told=sorted({*(task.told or ()), *due}))
            await task_store.set_told(tx, task)
        if (order := _order(task)) is not None:
            await _enqueue(tx, [order])
    await job.complete(tx)


async def _enqueue(tx: Tx, orders: Sequence[ReminderOrder]) -> None:
    await enqueue_many(tx, REMIND, [(order, order.reminder, order.task_id) for order in orders])


def _order(task: Task | None) -> ReminderOrder | None:
    """The order for the next time to tell."""
    if task is None or (task.reminder is None and task.more is None) or not _reminds(task):
        return None
    pending = _pending(task)
    return ReminderOrder(task.owner, task.id, min(pending)) if pending else None


def _reminds(task: Task) -> bool:
    return not task.shelf and task.status is not Status.DONE


def _pending(task: Task) -> set[int]:
    return _times(task).difference(task.told or ())


def _times(task: Task) -> set[int]:
    """The times of all reminders that have one."""
    times = {task.reminder}
    if task.more is not None:
        times |= {reminder.time(task) for reminder in task.extras.reminders}
    return {at for at in times if at is not None}


REMIND = JobKind("tasks.remind", "reminder", remind, args=ReminderOrder)
