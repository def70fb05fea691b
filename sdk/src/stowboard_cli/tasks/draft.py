"""A task as text for an editor, and the changes that come back."""

import re
from datetime import datetime
from typing import Any

from stowboard_cli.exits import INVALID, CommandFailure
from stowboard_client import Task

_LINE = "---"
_FORM = "%Y-%m-%d %H:%M"
_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_HELP = f"# Change what you like, save and close. The text below {_LINE} is the body. Leave a date empty to clear it."


def write_draft(task: Task) -> str:
    lines = [
        _HELP,
        f"Title: {task.title}",
        f"Status: {task.status}",
        f"Due: {_due(task)}",
        f"Reminder: {_time(task.reminder)}",
        f"Repeat: {task.recurrence or ''}",
        f"Tags: {', '.join(task.tags)}",
        _LINE,
    ]
    return "\n".join(lines) + "\n" + (task.body or "")


def read_changes(task: Task, text: str) -> dict[str, Any]:
    """The members that were changed. Raises CommandFailure for a line that cannot be read."""
    head, _, body = text.partition(f"\n{_LINE}\n")
    members = dict(line.split(":", 1) for line in head.splitlines() if ":" in line and not line.startswith("#"))
    given = {name.strip().lower(): value.strip() for name, value in members.items()}
    read: dict[str, Any] = {
        "title": given.get("title", task.title),
        "status": given.get("status", task.status),
        "recurrence": given.get("repeat") or None,
        "tags": tuple(tag.strip() for tag in given.get("tags", "").split(",") if tag.strip()),
    }
    due = given.get("due", "")
    if due != _due(task):  # the text has no seconds
        read |= {"due_on": due} if _DAY.fullmatch(due) else {"due_at": _instant(due, "Due")}
    if given.get("reminder", "") != _time(task.reminder):
        read["reminder"] = _instant(given.get("reminder", ""), "Reminder")
    if body.rstrip("\n") != (task.body or "").rstrip("\n"):
        read["body"] = body.rstrip("\n") or None
    return {name: value for name, value in read.items() if value != getattr(task, name)}


def _due(task: Task) -> str:
    return task.due_on or _time(task.due_at)


def _time(milliseconds: int | None) -> str:
    return "" if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000).strftime(_FORM)


def _instant(text: str, name: str) -> int | None:
    if not text:
        return None
    try:
        return int(datetime.strptime(text, _FORM).timestamp() * 1000)
    except ValueError:
        raise CommandFailure(INVALID, f"{name}: {text!r} is not a date such as 2026-12-24 09:00.") from None
