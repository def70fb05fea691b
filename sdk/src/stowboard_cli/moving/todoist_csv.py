"""A project of Todoist as it is exported to CSV.

A row is a task, a section, a comment on the task above it, or a setting of the view. Tasks have no ids, so we make an
id of project, text, and how often the text was there before. Labels are words of the text, `@home`; INDENT is the depth
of a subtask. A file is a JSON object within a comment.
"""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

from stowboard_cli.moving.plan import Plan, PlannedBoard, PlannedComment, PlannedFile, PlannedTask
from stowboard_cli.output.counted import counted
from stowboard_cli.output.harmless import plain_line
from stowboard_cli.output.here import is_zone

#: The names of files in a backup.
_WITH_ID = re.compile(r"(.+) \[(\w+)\]")
_FILE = re.compile(r"\[\[file (\{.*\})\]\]", re.DOTALL)
#: Characters of the names of project and task in the id of a task; an id has 255.
_PROJECT, _START = 100, 120


def read_csv(text: str, project: str) -> Plan:
    """Raises ValueError or KeyError if the text is not such a file."""
    rows = list(csv.DictReader(io.StringIO(text)))
    if rows and not {"TYPE", "CONTENT"} <= rows[0].keys():
        raise ValueError("there are no columns TYPE and CONTENT")
    named = _WITH_ID.fullmatch(project)
    name, source = named.groups() if named else (project, project)
    reader = _Reader(source)
    for row in rows:
        reader.take((row["TYPE"] or "").lower(), row["CONTENT"] or "", row)
    tasks = reader.finished()
    made = sum(task["depth"] > 1 for task in tasks)
    board = PlannedBoard(f"todoist:{source}", name, tuple(reader.columns), tuple(map(_planned, tasks)))
    return Plan((board,), tuple(left(made)))


def left(subtasks: int) -> list[str]:
    made = f"Made tasks, whose bodies say what they are part of: {counted(subtasks, 'subtask')}."
    return [made] if subtasks else []


def links(files: Iterable[PlannedFile]) -> list[str]:
    return [f"[{file.name}]({file.url})" for file in files]


class _Reader:
    def __init__(self, project: str) -> None:
        self._project = plain_line(project)[:_PROJECT]
        self._section: str | None = None
        self._times: Counter[str] = Counter()
        #: The last title at each depth.
        self._above: dict[int, str] = {}
        self.columns: list[str] = []
        self.tasks: list[dict[str, Any]] = []

    def take(self, kind: str, content: str, row: dict[str, Any]) -> None:
        if kind == "section":
            self._section = content
            self.columns.append(content)
        elif kind == "note":
            self._note(content, row)
        elif kind == "task":
            self._task(content, row)

    def finished(self) -> list[dict[str, Any]]:
        """The tasks. A subtask that has nothing but its text is an item of its task's checklist."""
        kept: list[dict[str, Any]] = []
        for task, following in zip_longest(self.tasks, self.tasks[1:]):
            bare = not any(task[name] for name in ("files", "comments", "due_text", "tags", "people", "described"))
            is_last = following is None or following["depth"] <= 2
            if task["depth"] == 2 and bare and is_last and kept:
                whole = next(each for each in reversed(kept) if each["depth"] == 1)
                whole["checklist"].append((task["title"], False))
            else:
                kept.append(task)
        return kept

    def _note(self, content: str, row: dict[str, Any]) -> None:
        if not self.tasks:
            return
        found = _FILE.search(content)
        file = json.loads(found[1]) if found else {}
        if file.get("file_url"):
            self.tasks[-1]["files"].append(PlannedFile(file.get("file_name") or "file", file["file_url"]))
        text = _FILE.sub("", content).strip()
        if text:
            author = _person(row.get("AUTHOR")) or "somebody"
            self.tasks[-1]["comments"].append(PlannedComment(author, text))

    def _task(self, content: str, row: dict[str, Any]) -> None:
        start = plain_line(content)[:_START]
        self._times[start] += 1
        words = content.split()
        title = " ".join(word for word in words if not _is_label(word)) or content
        depth = int(row.get("INDENT") or 1)
        part_of = self._above.get(depth - 1)
        self._above = {at: name for at, name in self._above.items() if at < depth} | {depth: title}
        zone = row.get("TIMEZONE") or ""
        self.tasks.append({
            "source": f"todoist:csv:{self._project}:{start}:{self._times[start]}", "title": title,
            "parts": [row.get("DESCRIPTION") or "", f"Part of: {part_of}" if part_of else ""], "files": [],
            "depth": depth if part_of else 1, "described": row.get("DESCRIPTION"), "checklist": [], "comments": [],
            "people": tuple(filter(None, [_person(row.get("RESPONSIBLE"))])),
            "due_text": row.get("DATE") or "", "zone": zone if is_zone(zone) else None, "column": self._section,
            "tags": tuple(word[1:] for word in words if _is_label(word)),
            "priority": max(0, 4 - int(row.get("PRIORITY") or 4)),  # 1 is the most urgent here
        })  # fmt: skip


def _planned(task: dict[str, Any]) -> PlannedTask:
    body = "\n\n".join(part for part in (*task.pop("parts"), *links(task["files"])) if part)
    lists: dict[str, Any] = {name: tuple(task.pop(name)) for name in ("files", "checklist", "comments")}
    del task["depth"], task["described"]
    return PlannedTask(body=body, **lists, **task)


def _person(text: str | None) -> str:
    """`Ann (17)` is Ann."""
    return re.sub(r"\s*\(\d+\)$", "", text or "").strip()


def _is_label(word: str) -> bool:
    return word.startswith("@") and len(word) > 1
