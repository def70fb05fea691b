"""Reminders: a job that is due at the reminder's time, and becomes an event exactly once.

A task has one job, for the earliest of its reminders that was not told. The job follows the task in the task's own
transaction: it moves with the reminder, and is cancelled when the reminder is cleared or the task is done, archived, in
the trash or deleted. The queue holds future ones without looking at them.

A person who wants mail gets one message for each event: the owner of the task, or in a shared space its assignees and
the member who made it. A second job sends it; the transaction that writes the event orders it, with the event's id,
which is the message's as well. It is tried for about a day, until the relay has taken the message, unless the reminder
has become pointless meanwhile (the task is done, gone or has another reminder).
"""

import logging
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.reach import is_shared
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.kinds import TaskReminder
from stowboard.events.mail.addressees import Addressees
from stowboard.events.mail.mailer import Mailer, MailRefused
from stowboard.events.outbox import emit
from stowboard.jobs.queue import cancel, enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TaskNotFound
from stowboard.tasks.base.task import Status, Task, TaskId

log = logging.getLogger("stowboard.mail")


class ReminderOrder(msgspec.Struct, frozen=True):
    owner: str
    task_id: TaskId
    reminder: int


async def follow_task(tx: Tx, before: Task | None, after: Task | None) -> None:
    """Make the job agree with the task as it is now; None is a task that is not there."""
    wanted, had = _wanted(after), _wanted(before)
    task = after or before
    assert task is not None
    if wanted == had and (before is None or before.owner == task.owner):
        return
    if had is not None:
        await cancel(tx, REMIND, task.id)
    await _order(tx, task, wanted)


def told_of(before: Task, after: Task, now: int) -> list[int] | None:
    """The times that were told, of those that the task has now.

    While a task is archived, in the trash or done, its times pass in silence: reopening it is no reason to tell them.
    """
    times = _times(after)
    if not times:
        return None
    told = set(before.told or ())
    if not _reminds(before):
        told |= {at for at in _times(before) if at <= now}
    return sorted(times & told) or None


async def remind(job: Job, args: ReminderOrder) -> None:
    await job.db.transact(_remind, job, args)


async def _remind(tx: Tx, job: Job, args: ReminderOrder) -> None:
    """Tell what is due, remember that it was told, and order the next: all of it or nothing."""
    try:
        task = await task_store.lock_wherever(tx, Access.of_service(args.owner), args.task_id)
    except TaskNotFound:
        task = None
    if task is not None:
        # The clock may have been set back since the order came due.
        now = max(args.reminder, clock.now_ms())
        due = [at for at in sorted(_pending(task)) if at <= now and _reminds(task)]
        for at in due:
            event_id = await emit(tx, kinds.TASK_REMINDER, task.owner, task.id, TaskReminder(task.id, at, task.due_at))
            await mail_later(tx, job, event_id, task, at)
        if due:
            task = msgspec.structs.replace(task, told=sorted({*(task.told or ()), *due}))
            await task_store.set_told(tx, task)
        await _order(tx, task, _wanted(task))
    await job.complete(tx)


async def _order(tx: Tx, task: Task, at: int | None) -> None:
    if at is not None:
        await enqueue(tx, REMIND, ReminderOrder(task.owner, task.id, at), due=at, dedup=task.id)


def _wanted(task: Task | None) -> int | None:
    """The next time to tell."""
    return min(_pending(task), default=None) if task is not None and _reminds(task) else None


def _reminds(task: Task) -> bool:
    return not task.shelf and task.status is not Status.DONE


def _pending(task: Task) -> set[int]:
    return _times(task).difference(task.told or ())


def _times(task: Task) -> set[int]:
    """Of all reminders that have a time."""
    times = {task.reminder}
    if task.more is not None:
        times |= {reminder.time(task.due_at) for reminder in task.extras.reminders}
    return {at for at in times if at is not None}


REMIND = JobKind("tasks.remind", "reminder", remind, args=ReminderOrder)


class ReminderMailOrder(msgspec.Struct, frozen=True):
    event_id: str
    #: The one who is told, and the owner of the task.
    person: str
    owner: str
    task_id: TaskId
    reminder: int


async def mail_later(tx: Tx, job: Job, event_id: str, task: Task, at: int) -> None:
    """Order the mail of a reminder, if there is a relay, for everybody who wants one."""
    for person in sorted(_reminded(task)) if job.use(Mailer).is_set else ():
        if await job.use(Addressees).find_address(tx, person, task.owner) is not None:
            order = ReminderMailOrder(event_id, person, task.owner, task.id, at)
            await enqueue(tx, MAIL_REMINDER, order, dedup=f"{event_id} {person}")


def _reminded(task: Task) -> set[str]:
    """The owner; in a shared space the assignees, and the one who made the task."""
    people = {*task.extras.assignees, task.extras.created_by} if is_shared(task.owner) else {task.owner}
    return {person for person in people if person is not None}


async def mail_reminder(job: Job, args: ReminderMailOrder) -> None:
    task, address = await job.db.read(_look, job, args)
    if task is None or address is None:
        return
    mailer = job.use(Mailer)
    message = mailer.message(args.event_id, address, f"Reminder: {task.title}", text_of(task, mailer.public_url))
    try:
        await mailer.send(message)
    except MailRefused as refusal:
        log.error("the reminder %s cannot be mailed: %s", args.event_id, refusal)
    await job.db.transact(job.complete)


def text_of(task: Task, public_url: str | None) -> str:
    """The title, when it is due where its owner is, and where to find it. Never the body."""
    lines = [task.title, ""]
    if task.due_at is not None:
        zone = ZoneInfo(task.time_zone)
        due = datetime.fromtimestamp(task.due_at / 1000, UTC).astimezone(zone)
        lines += [f"Due: {due:%A, %d %B %Y, %H:%M} ({task.time_zone})", ""]
    if public_url is not None:
        lines += [f"{public_url}/tasks/{task.id}", ""]
    return "\n".join([*lines, "You get this because your account asks for reminders by mail.", ""])


async def _look(tx: Tx, job: Job, args: ReminderMailOrder) -> tuple[Task | None, str | None]:
    """The task, if there is still a reason, and where to."""
    try:
        task = await task_store.get(tx, Access.of_service(args.owner), args.task_id)
    except TaskNotFound:
        return None, None
    if not _reminds(task) or args.reminder not in _times(task):
        return None, None
    return task, await job.use(Addressees).find_address(tx, args.person, args.owner)


MAIL_REMINDER = JobKind(
    "tasks.mail_reminder", "mail", mail_reminder, args=ReminderMailOrder, max_attempts=30, retry_ms=15_000
)
