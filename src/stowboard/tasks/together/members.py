"""The members of a task that a creation and a change give beside the rest: assignees, checklist, start, reminders."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from stowboard.core.caller import Caller
from stowboard.core.errors import TooManyItems, ValidationFailed
from stowboard.db.database import Tx
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.owners import check_takes_tasks
from stowboard.tasks.base.task import (
    MAX_ASSIGNEES,
    MAX_FURTHER_REMINDERS,
    FurtherReminder,
    RecurrenceBase,
    Task,
    with_extras,
)
from stowboard.tasks.together.checklist import replaced_items
from stowboard.tasks.wire import CreateBody, ReminderEntry, TaskPatchBody

#: Checklist, reminders, base of recurrence and start, in a body that gives none of them.
_LEFT_OUT = ((None,) * 4, (UNSET,) * 4)


def with_given(task: Task, body: CreateBody | TaskPatchBody, caller: Caller) -> Task:
    """The task with the extras that the body gives, except its assignees. Raises TooManyItems, ValidationFailed."""
    if task.more is None and (body.checklist, body.reminders, body.recurrence_from, body.start_at) in _LEFT_OUT:
        return task
    changes: dict[str, Any] = {}
    if _is_given(body.checklist, task):
        changes["checklist"] = replaced_items(body.checklist or [], task.extras.checklist, caller.person)
    if _is_given(body.reminders, task):
        changes["reminders"] = _checked_reminders(body.reminders or [])
    if _is_given(body.recurrence_from, task):
        changes["recurrence_from"] = body.recurrence_from or RecurrenceBase.DUE
    if _is_given(body.start_at, task):
        changes["start_at"] = body.start_at
    task = with_extras(task, **changes) if changes else task
    if task.start_at is not None and task.due_at is not None and task.start_at > task.due_at:
        raise ValidationFailed("startAt: expected a time that is not later than dueAt. Change or clear one of them.")
    return task


async def with_assignees(tx: Tx, library: Library, task: Task, names: Sequence[str]) -> Task:
    """The task with these assignees, each once. Raises TooManyItems; ValidationFailed for a name outside the space.

    A person who is assigned already stays so, even if they left the space a moment ago.
    """
    wanted, has = list(dict.fromkeys(names)), task.extras.assignees
    if len(wanted) > MAX_ASSIGNEES:
        raise TooManyItems(f"assignees: expected at most {MAX_ASSIGNEES}.")
    new = [name for name in wanted if name not in has]
    if new:
        check_takes_tasks(task.owner)
    found = await library.members_among(tx, task.owner, new) if new else set()
    for name in new:
        if name not in found:
            raise ValidationFailed(f"assignees: {name!r} is no member of the space. Name people who are in it.")
    return with_extras(task, assignees=wanted)


def _is_given(value: Any, task: Task) -> bool:
    """True if the value may change something: for a task without extras, null counts as left out."""
    return value is not UNSET and (bool(value) or value == 0 or task.more is not None)


def _checked_reminders(entries: Sequence[ReminderEntry]) -> list[FurtherReminder]:
    if len(entries) > MAX_FURTHER_REMINDERS:
        raise TooManyItems(f"reminders: expected at most {MAX_FURTHER_REMINDERS}, beside reminder.")
    if any((entry.at is None) == (entry.before_due is None) for entry in entries):
        raise ValidationFailed("reminders: expected either at or beforeDue in each of them.")
    return list(dict.fromkeys(FurtherReminder(entry.at, entry.before_due) for entry in entries))
