"""A recurring task: its rule, its zone, and the due date it is counted from."""

from collections.abc import Iterator
from datetime import date, datetime, time
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from stowboard.core.errors import ValidationFailed
from stowboard.core.time_zones import end_of_day, milliseconds, wall_of, zone_of
from stowboard.tasks.base.task import RecurrenceBase, Task, with_extras
from stowboard.tasks.recurrence.expansion import WrongRecurrence, check_rule, next_due, next_from_completion
from stowboard.tasks.recurrence.rrule import SeriesEnd, parse_rule


class DueTime(NamedTuple):
    """A moment; or a day, and its last second."""

    at: int | None
    on: str | None = None


def checked_series(after: Task, before: Task | None = None) -> Task:
    """The task with its rule in one form, and anchored where the rule was set. Raises ValidationFailed."""
    if after.recurrence is None:
        if after.more is not None:
            after = with_extras(after, recurrence_from=RecurrenceBase.DUE)
        is_plain = after.anchor_at is None and after.completions == 0
        return after if is_plain else msgspec.structs.replace(after, anchor_at=None, completions=0)
    try:
        rule = str(parse_rule(after.recurrence))
        if before is not None and _goes_on(before, after, rule):
            # A first due date anchors a series that had none; a later one moves only the present occurrence.
            anchor = before.anchor_at if before.anchor_at is not None else after.due_at
            return msgspec.structs.replace(after, recurrence=rule, anchor_at=anchor)
        rule = check_rule(rule, after.time_zone, after.due_at)
    except WrongRecurrence as wrong:
        raise ValidationFailed(f"recurrence: {wrong}") from None
    return msgspec.structs.replace(after, recurrence=rule, anchor_at=after.due_at, completions=0)


def _goes_on(before: Task, after: Task, rule: str) -> bool:
    """True if the series is the same. It begins again if a moment becomes a day, or a day a moment or nothing."""
    changes_kind = before.due_at is not None and (before.due_on is None) != (after.due_on is None)
    return (before.recurrence, before.time_zone) == (rule, after.time_zone) and not changes_kind


def next_occurrence(task: Task, now: int) -> DueTime | None:
    """When a task that is completed now is due next; None if it does not recur or its series ends here."""
    return _next(task, _base(task), DueTime(task.due_at, task.due_on), now, task.completions + 1)


def due_times_after(task: Task, now: int) -> Iterator[DueTime]:
    """When the task is due after the present time, and after now, if each occurrence is completed in its time."""
    base, due, completed = _base(task), DueTime(task.due_at, task.due_on), task.completions + 1
    while (next_due := _next(task, base, due, max(now, due.at or 0), completed)) is not None:
        yield next_due
        due, completed = next_due, completed + 1


def _base(task: Task) -> RecurrenceBase:
    return RecurrenceBase.DUE if task.more is None else task.extras.recurrence_from


def _next(task: Task, base: RecurrenceBase, due: DueTime, now: int, completed: int) -> DueTime | None:
    if task.recurrence is None:
        return None
    if due.on is not None:
        return _next_day(task, base, due.on, now, completed)
    if base is RecurrenceBase.COMPLETION:
        at = next_from_completion(task.recurrence, task.time_zone, due.at, now, completed)
    else:
        at = next_due(task.recurrence, task.time_zone, task.anchor_at, due.at, now, completed)
    return None if at is None else DueTime(at)


def _next_day(task: Task, base: RecurrenceBase, due_on: str, now: int, completed: int) -> DueTime | None:
    """A series of days is one of midnights in UTC. Today counts as to come, for it is not over."""
    zone, rule = zone_of(task.time_zone), parse_rule(task.recurrence or "")
    if rule.until is not None and rule.until.utc:
        last = wall_of(zone, milliseconds(rule.until.last))
        rule = replace(rule, until=SeriesEnd(f"{last:%Y%m%d}", last, utc=False))
    due, today = _midnight(date.fromisoformat(due_on)), _midnight(wall_of(zone, now).date())
    if base is RecurrenceBase.COMPLETION:
        at = next_from_completion(str(rule), "UTC", due, today, completed)
    else:
        anchor = due if task.anchor_at is None else _midnight(wall_of(zone, task.anchor_at).date())
        at = next_due(str(rule), "UTC", anchor, due, today - 1, completed)
    if at is None:
        return None
    day = wall_of(zone_of("UTC"), at).date()
    try:
        return DueTime(end_of_day(zone, day), day.isoformat())
    except OverflowError:
        return None


def _midnight(day: date) -> int:
    return milliseconds(datetime.combine(day, time()))
