"""Bring in the projects of Vikunja, from the file of its user data export (a zip, or the data.json in it).

Projects become boards, buckets columns, task lists in a description checklists. It asks first, unless you say --yes;
--dry-run only says what it would do. Repeated, it makes nothing twice.
"""

import io
import json
import zipfile
from argparse import Namespace
from collections.abc import Iterator
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from stowboard_cli.exits import INVALID, CommandFailure
from stowboard_cli.moving.carry_out import carry_out, run_arguments
from stowboard_cli.moving.plan import Plan, PlannedBoard, PlannedComment, PlannedTask
from stowboard_cli.output.counted import counted
from stowboard_cli.stow import Stow

__all__ = ["run", "run_arguments"]

_MONTHLY, _FROM_COMPLETION = 1, 2
_BLOCKS = ("p", "li", "ul", "ol", "div", "br", "h1", "h2", "h3", "pre", "blockquote")
_DAY_S = 86_400


def run(stow: Stow, given: Namespace) -> None:
    try:
        plan = read_export(Path(given.file).read_bytes())
    except (ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        raise CommandFailure(INVALID, f"{given.file} is not what Vikunja exports: {error!r}") from None
    carry_out(stow, given, plan)


def read_export(content: bytes) -> Plan:
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            content = archive.read("data.json")
    projects = list(_projects(json.loads(content)))
    files = sum(len(task.get("attachments") or []) for one in projects for task in one.get("tasks") or [])
    left = (f"Not taken over: {counted(files, 'attachment')}.",) if files else ()
    return Plan(tuple(map(_board, projects)), left)


def _projects(found: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The projects, and those inside them."""
    for project in found:
        yield project
        yield from _projects(project.get("child_projects") or [])


def _board(project: dict[str, Any]) -> PlannedBoard:
    buckets = {bucket["id"]: str(bucket["title"]) for bucket in project.get("buckets") or []}
    placed = {each["task_id"]: each["bucket_id"] for each in project.get("task_buckets") or []}
    tasks = tuple(
        _task(task, buckets.get(placed.get(task["id"], task.get("bucket_id")))) for task in project.get("tasks") or []
    )
    names = tuple(dict.fromkeys(buckets.values()))
    return PlannedBoard(f"vikunja:{project['id']}", str(project["title"]), names, tasks)


def _task(task: dict[str, Any], column: str | None) -> PlannedTask:
    text = _Text(task.get("description") or "")
    seconds, mode = int(task.get("repeat_after") or 0), int(task.get("repeat_mode") or 0)
    days = f"FREQ=DAILY;INTERVAL={seconds // _DAY_S}" if seconds >= _DAY_S else None
    return PlannedTask(
        source=f"vikunja:{task['id']}",
        title=task["title"],
        body=text.body,
        done=bool(task.get("done")),
        due_at=_instant(task.get("due_date")),
        start_at=_instant(task.get("start_date")),
        recurrence="FREQ=MONTHLY" if mode == _MONTHLY else days,
        from_completion=mode == _FROM_COMPLETION,
        priority=max(0, min(3, int(task.get("priority") or 0) - 1)),  # from 1 (low) to 5 there
        tags=tuple(str(label["title"]) for label in task.get("labels") or []),
        column=column,
        checklist=tuple(text.items),
        comments=tuple(map(_comment, task.get("comments") or [])),
        people=tuple(str(one["username"]) for one in task.get("assignees") or []),
    )


def _comment(comment: dict[str, Any]) -> PlannedComment:
    author = (comment.get("author") or {}).get("username") or "somebody"
    return PlannedComment(
        str(author), _Text(comment.get("comment") or "").whole or "-", _instant(comment.get("created"))
    )


class _Text(HTMLParser):
    """A text of the editor as plain lines, and the items of its task lists. Older exports have plain text already."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.items: list[tuple[str, bool]] = []
        self._lines, self._item, self._done = [""], False, False
        self.feed(html)
        self.close()
        self.body = "\n".join(line.strip() for line in self._lines).strip()
        self.whole = "\n".join([*filter(None, [self.body]), *(title for title, _ in self.items)])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        checked = dict(attrs).get("data-checked")
        if tag == "li" and checked is not None:
            self._item, self._done = True, checked == "true"
            self.items.append(("", self._done))
        elif tag in _BLOCKS and self._lines[-1].strip():
            self._lines.append("")

    def handle_endtag(self, tag: str) -> None:
        self._item = self._item and tag != "li"

    def handle_data(self, data: str) -> None:
        if self._item:
            self.items[-1] = (f"{self.items[-1][0]} {data}".strip(), self._done)
        else:
            self._lines[-1] += data


def _instant(text: str | None) -> int | None:
    """The moment; None for the year 1, which means no date there."""
    if not text or text.startswith("0001-"):
        return None
    return int(datetime.fromisoformat(text).timestamp() * 1000)
