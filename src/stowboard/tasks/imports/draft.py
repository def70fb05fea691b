"""A planned task as the body of its creation, cut to what a task may have."""

import hashlib

from stowboard.core import clock
from stowboard.core.plain_text import plain_line, plain_lines
from stowboard.core.tags import MAX_TAG, MAX_TAGS
from stowboard.tasks.base.task import MAX_BODY, MAX_ITEMS, MAX_TITLE, RecurrenceBase
from stowboard.tasks.imports.import_store import ImportLine, LineKind, LineOutcome, line
from stowboard.tasks.imports.plan import PlannedTask
from stowboard.tasks.quick.read import LineReading, read_quick
from stowboard.tasks.wire import ChecklistEntry, CreateBody, ReminderEntry

_LONGEST_KEY = 255


def drafted(planned: PlannedTask, zone: str) -> tuple[CreateBody, list[ImportLine]]:
    """The body, and what is left out. `zone` is that of dates that name none."""
    zone, body, left_out = planned.zone or zone, planned.body, [
        _left_out(planned, LineKind(kind), reason) for kind, reason in planned.left_out
    ]  # fmt: skip
    due_at, recurrence, from_completion = planned.due_at, planned.recurrence, planned.from_completion
    due_on = planned.due_on
    if planned.due_text:
        read = _read_date(planned.due_text, zone)
        if read is None:
            reason = f"Not understood, and kept in the text: {planned.due_text}"
            left_out.append(_left_out(planned, LineKind.DATE, reason))
            body = f"{body}\n\nDue: {planned.due_text}"
            read = _read_date(planned.due_once, zone)
        if read is not None:
            due_at, due_on, recurrence = read.due_at, read.due_on, read.recurrence
            from_completion = read.recurrence_from is RecurrenceBase.COMPLETION
    items = [ChecklistEntry(title=_line(title, MAX_TITLE, "?"), done=done) for title, done in planned.checklist]
    more = [f"- [{'x' if item.done else ' '}] {item.title}" for item in items[MAX_ITEMS:]]
    tags = dict.fromkeys(_line(tag.replace(",", " "), MAX_TAG) for tag in planned.tags)
    start_at = planned.start_at
    return CreateBody(
        title=_line(planned.title, MAX_TITLE, "Untitled"),
        body=plain_lines("\n".join([body, *more]))[:MAX_BODY] or None,
        due_at=due_at if due_on is None else None,
        due_on=due_on,
        start_at=min(start_at, due_at) if start_at is not None and due_at is not None else start_at,
        reminder=planned.reminder,
        reminders=[ReminderEntry(at=each.at, before_due=each.before_due) for each in planned.reminders],
        recurrence=recurrence,
        recurrence_from=RecurrenceBase.COMPLETION if from_completion and recurrence else None,
        time_zone=zone,
        tags=[tag for tag in tags if tag][:MAX_TAGS],
        metadata=planned.metadata,
        priority=planned.priority,
        checklist=items[:MAX_ITEMS],
        idempotency_key=key_of(planned.source),
    ), left_out


def key_of(source: str) -> str:
    """The idempotencyKey of a task from there: a repeated import finds the task by it."""
    key = plain_line(source)
    return key if len(key) <= _LONGEST_KEY else f"{key[:180]}{hashlib.sha256(source.encode()).hexdigest()}"


def _line(text: str, most: int, otherwise: str = "") -> str:
    return plain_line(text)[:most].strip() or otherwise


def _left_out(planned: PlannedTask, kind: LineKind, reason: str) -> ImportLine:
    return line(planned.source, kind, planned.title, LineOutcome.LEFT_OUT, reason)


def _read_date(text: str, zone: str) -> LineReading | None:
    """The date that the text is; None if it has other words."""
    read = read_quick(plain_line(f"x {text}")[:MAX_TITLE], clock.now_ms(), zone, {}) if text else None
    return read if read is not None and read.title == "x" else None
