"""Bring in the tasks of Todoist: from a project that was exported as CSV, or from the JSON of its sync API.

Projects become boards, sections columns, labels tags. Dates in words are read by the server; what it does not
understand is kept in the body. It asks first, unless you say --yes; --dry-run only says what it would do. Repeated, it
makes nothing twice: tasks of a CSV file, which have no ids, are told by project, text and order.
"""

import csv
import hashlib
import io
import json
from argparse import Namespace
from collections import Counter
from pathlib import Path
from typing import Any

from stowboard_cli.exits import INVALID, Ended
from stowboard_cli.moving.carry_out import arguments, carry_out
from stowboard_cli.moving.plan import Plan, PlannedBoard, PlannedTask
from stowboard_cli.stow import Stow

__all__ = ["arguments", "run"]


def run(stow: Stow, given: Namespace) -> None:
    path = Path(given.file)
    text = path.read_bytes().decode("utf-8-sig", "replace")
    try:
        plan = read_sync(json.loads(text)) if text.lstrip().startswith("{") else read_csv(text, path.stem)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Ended(INVALID, f"{path} is not what Todoist exports: {error!r}") from None
    carry_out(stow, given, plan)


def read_csv(text: str, project: str) -> Plan:
    """The columns are TYPE, CONTENT, DESCRIPTION, PRIORITY, INDENT, …, DATE; `@label` is in the content."""
    rows = list(csv.DictReader(io.StringIO(text)))
    if rows and not {"TYPE", "CONTENT"} <= rows[0].keys():
        raise ValueError("there are no columns TYPE and CONTENT")
    section: str | None = None
    times: Counter[str] = Counter()
    tasks: list[PlannedTask] = []
    columns: list[str] = []
    notes = 0
    for row in rows:
        kind, content = (row["TYPE"] or "").lower(), row["CONTENT"] or ""
        if kind == "section":
            section = content
            columns.append(content)
        elif kind == "note":
            notes += 1
        elif kind == "task":
            times[content] += 1
            words = content.split()
            tasks.append(
                PlannedTask(
                    source=_source(project, content, times[content]),
                    title=" ".join(word for word in words if not _is_label(word)) or content,
                    body=row.get("DESCRIPTION") or "",
                    due_text=row.get("DATE") or "",
                    tags=tuple(word[1:] for word in words if _is_label(word)),
                    column=section,
                )
            )
    left = (f"{notes} comments are not taken over.",) if notes else ()
    return Plan((PlannedBoard(f"todoist:{project}", project, tuple(columns), tuple(tasks)),), left)


def read_sync(content: dict[str, Any]) -> Plan:
    sections = {str(one["id"]): one for one in content.get("sections") or []}
    boards = []
    for project in content["projects"]:
        items = [one for one in content["items"] if one.get("project_id") == project["id"]]
        columns = [one["name"] for one in sections.values() if one.get("project_id") == project["id"]]
        tasks = tuple(_item(one, sections) for one in sorted(items, key=lambda one: one.get("child_order") or 0))
        boards.append(PlannedBoard(f"todoist:{project['id']}", project["name"], tuple(columns), tasks))
    notes = len(content.get("notes") or [])
    return Plan(tuple(boards), (f"{notes} comments are not taken over.",) if notes else ())


def _item(item: dict[str, Any], sections: dict[str, Any]) -> PlannedTask:
    due = item.get("due") or {}
    return PlannedTask(
        source=f"todoist:{item['id']}",
        title=item["content"],
        body=item.get("description") or "",
        done=bool(item.get("checked")),
        due_text=_due(due),
        tags=tuple(item.get("labels") or ()),
        column=(sections.get(str(item.get("section_id"))) or {}).get("name"),
    )


def _due(due: dict[str, Any]) -> str:
    """`every fri` with the day on which it is due next; a time behind the day as `17:00`."""
    day, _, clock = str(due.get("date") or "").partition("T")
    repeat = str(due.get("string") or "") if due.get("is_recurring") else ""
    return " ".join(part for part in (repeat, day, clock[:5] if not _has_time(repeat) else "") if part)


def _has_time(text: str) -> bool:
    return ":" in text or text.endswith(("am", "pm"))


def _is_label(word: str) -> bool:
    return word.startswith("@") and len(word) > 1


def _source(project: str, content: str, number: int) -> str:
    return "todoist:csv:" + hashlib.sha256(repr((project, content, number)).encode()).hexdigest()[:32]
