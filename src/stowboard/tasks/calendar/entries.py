"""Dated tasks as entries of a calendar: each due date, and the later dates of a recurring task.

Each occurrence is an entry of its own. A rule would not do: we clamp days to the end of a month, which no RRULE says,
and completing a task moves the date that its series is counted from. Ids stay: `{task}` is the present occurrence,
`{task}-{time}` a later one.
"""

from collections.abc import Iterator
from datetime import date
from itertools import islice, takewhile

from msgspec.structs import replace

from stowboard.tasks.base.task import Status, Task
from stowboard.tasks.calendar.calendar_store import LONGEST_DESCRIPTION
from stowboard.tasks.calendar.ical import CalendarEntry, compact
from stowboard.tasks.recurrence.series import DueTime, due_times_after

AHEAD_MS = 90 * 24 * 3600 * 1000
#: Occurrences of one task.
MOST_OCCURRENCES = 50
MOST_ENTRIES = 2000
_STATUS = {Status.TODO: "NEEDS-ACTION", Status.IN_PROGRESS: "IN-PROCESS", Status.DONE: "COMPLETED"}


def entries_of(tasks: list[Task], now: int, origin: str, titles: bool, coming: bool) -> list[CalendarEntry]:
    """A bounded number of entries, in the order of the tasks; occurrences to come only if `coming`."""
    return list(islice(_all(tasks, now, origin, titles, coming), MOST_ENTRIES))


def _all(tasks: list[Task], now: int, origin: str, titles: bool, coming: bool) -> Iterator[CalendarEntry]:
    for task in tasks:
        assert task.due_at is not None
        due = DueTime(task.due_at, task.due_on)
        yield _entry(task, due, f"{task.id}@stowboard", origin, titles)
        if coming and task.status is not Status.DONE:
            later = takewhile(lambda due: (due.at or 0) <= now + AHEAD_MS, due_times_after(task, 0))
            for due in islice(later, MOST_OCCURRENCES - 1):
                yield _entry(task, due, f"{task.id}-{compact(due.at or 0)}@stowboard", origin, titles)


def _entry(task: Task, due: DueTime, uid: str, origin: str, titles: bool) -> CalendarEntry:
    done = task.status is Status.DONE
    entry = CalendarEntry(
        uid=uid,
        summary="Busy",
        begins_at=due.at or 0,
        day=None if due.on is None else date.fromisoformat(due.on),
        changed_at=task.updated_at,
        version=task.version,
    )
    if not titles:
        return entry
    return replace(
        entry,
        summary=f"✓ {task.title}" if done else task.title,
        description=None if task.zero_knowledge else (task.body or "")[:LONGEST_DESCRIPTION],
        categories=task.tags,
        url=f"{origin}/tasks/{task.id}",
        status=_STATUS[task.status],
        completed_at=task.completed_at if done else None,
    )
