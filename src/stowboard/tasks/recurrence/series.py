"""A recurring task: its rule, its zone, and the due date it is counted from."""

from collections.abc import Iterator

import msgspec

from stowboard.core.errors import ValidationFailed
from stowboard.core.time_zones import WrongTimeZone, check_time_zone
from stowboard.tasks.base.task import RecurrenceBase, Task, with_extras
from stowboard.tasks.recurrence.expansion import WrongRecurrence, check_rule, next_due, next_from_completion
from stowboard.tasks.recurrence.rrule import parse_rule


def checked_series(after: Task, before: Task | None = None) -> Task:
    """The task with its rule in one form, and anchored where the rule was set. Raises ValidationFailed."""
    try:
        check_time_zone(after.time_zone)
    except WrongTimeZone as wrong:
        raise ValidationFailed(f"timeZone: {wrong}") from None
    if after.recurrence is None:
        if after.more is not None:
            after = with_extras(after, recurrence_from=RecurrenceBase.DUE)
        is_plain = after.anchor_at is None and after.completions == 0
        return after if is_plain else msgspec.structs.replace(after, anchor_at=None, completions=0)
    try:
        rule = str(parse_rule(after.recurrence))
        if before is not None and (before.recurrence, before.time_zone) == (rule, after.time_zone):
            # A first due date anchors a series that had none; a later one moves only the present occurrence.
            anchor = before.anchor_at if before.anchor_at is not None else after.due_at
            return msgspec.structs.replace(after, recurrence=rule, anchor_at=anchor)
        rule = check_rule(rule, after.time_zone, after.due_at)
    except WrongRecurrence as wrong:
        raise ValidationFailed(f"recurrence: {wrong}") from None
    return msgspec.structs.replace(after, recurrence=rule, anchor_at=after.due_at, completions=0)


def next_occurrence(task: Task, now: int) -> int | None:
    """The next due date of a task that is completed now; None if it does not recur or its series ends here."""
    return _next(task, _base(task), task.due_at, now, task.completions + 1)


def due_dates_after(task: Task, now: int) -> Iterator[int]:
    """The due dates after the present one, and after now, if each occurrence is completed in its time."""
    base, at, completed = _base(task), task.due_at, task.completions + 1
    while (at := _next(task, base, at, max(now, at or 0), completed)) is not None:
        yield at
        completed += 1


def _base(task: Task) -> RecurrenceBase:
    return RecurrenceBase.DUE if task.more is None else task.extras.recurrence_from


def _next(task: Task, base: RecurrenceBase, due_at: int | None, now: int, completed: int) -> int | None:
    if task.recurrence is None:
        return None
    if base is RecurrenceBase.COMPLETION:
        return next_from_completion(task.recurrence, task.time_zone, due_at, now, completed)
    return next_due(task.recurrence, task.time_zone, task.anchor_at, due_at, now, completed)
