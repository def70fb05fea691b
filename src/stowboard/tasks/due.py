"""When a task is due: at a moment, or on a day.

A day has no time, so it is not moved by a change of the zone. It is stored beside `due_at`, its last second in the
task's zone, by which lists, filters and calendars go.
"""

from datetime import date
from typing import Any

import msgspec
from msgspec import UNSET

from stowboard.core.clock import LATEST_MS
from stowboard.core.errors import ValidationFailed
from stowboard.core.time_zones import WrongTimeZone, check_time_zone, end_of_day, zone_of
from stowboard.tasks.base.task import Task
from stowboard.tasks.wire import CreateBody, TaskPatchBody


def dated(task: Task) -> Task:
    """The task, due at the end of its day if it is due on a day. Raises ValidationFailed, for its zone too."""
    try:
        check_time_zone(task.time_zone)
    except WrongTimeZone as wrong:
        raise ValidationFailed(f"timeZone: {wrong}") from None
    if task.due_on is None:
        return task
    try:
        due_at = end_of_day(zone_of(task.time_zone), date.fromisoformat(task.due_on))
    except (ValueError, OverflowError):
        raise ValidationFailed("dueOn: there is no such day.") from None
    if not 0 <= due_at <= LATEST_MS:
        raise ValidationFailed("dueOn: expected a day from 1970 to 9999.")
    return msgspec.structs.replace(task, due_at=due_at)


def check_one_due(body: CreateBody | TaskPatchBody) -> None:
    if _is_given(body.due_at) and _is_given(body.due_on):
        raise contradiction("dueAt", "dueOn")


def due_changes(task: Task, body: TaskPatchBody) -> dict[str, Any]:
    """The changes of the due date that a body asks for: a moment ends a day, and a day a moment."""
    check_one_due(body)
    for name, value in (("dueAt", body.due_at), ("dueOn", body.due_on)):
        if body.clear_due_at and _is_given(value):
            raise contradiction(name, "clearDueAt")
    if _is_given(body.due_on):
        return {"due_on": body.due_on}
    if _is_given(body.due_at):
        return {"due_at": body.due_at, "due_on": None}
    ends_day = body.due_on is None and task.due_on is not None
    return {"due_at": None, "due_on": None} if body.clear_due_at or body.due_at is None or ends_day else {}


def contradiction(member: str, other: str) -> ValidationFailed:
    return ValidationFailed(f"{member} and {other} contradict each other; send one of them.")


def _is_given(value: Any) -> bool:
    return value is not UNSET and value is not None
