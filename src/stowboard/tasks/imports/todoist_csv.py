"""A project of Todoist, as it exports one to CSV.

A row is a task, a section, a comment on the task above it, or a setting of the view. Tasks have no ids, so we make an
id of project, text, and how often the text was there before. Labels are words of the text, `@home`; INDENT is the depth
of a subtask. A file is a JSON object within a comment.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable
from itertools import zip_longest
from typing import Any

import msgspec

from stowboard.core.plain_text import plain_line
from stowboard.core.wording import counted
from stowboard.tasks.imports.moments import known_zone
from stowboard.tasks.imports.plan import Plan, PlannedBoard, PlannedComment, PlannedFile, PlannedTask, columns_named

#: The names of files in a backup.
_WITH_ID = re.compile(r"(.+) \[(\w+)\]")
_FILE = "[[file "
#: Characters of the names of project and task in the id of a task; an id has 255.
_PROJECT, _START = 100, 120
_DEEPEST = 20


def read_csv(text: str, project: str) -> Plan:
    """Raises ValueError, KeyError or csv.Error if the text is not such a file."""
    lines = csv.DictReader(io.StringIO(text))
    if not {"TYPE", "CONTENT"} <= set(lines.fieldnames or ()):
        raise ValueError("there are no columns TYPE and CONTENT")
    named = _WITH_ID.fullmatch(project)
    name, source = named.groups() if named else (project, project)
    reader = _Reader(source)
    for row in lines:
        reader.take((row["TYPE"] or "").lower(), row["CONTENT"] or "", row)
    tasks = reader.finished()
    made = sum(task["depth"] > 1 for task in tasks)
    board = PlannedBoard(f"todoist:{source}", name, columns_named(reader.columns), [_planned(task) for task in tasks])
    return Plan([board], left_out_of(made))


def left_out_of(subtasks: int) -> list[str]:
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
        whole: dict[str, Any] | None = None
        for task, following in zip_longest(self.tasks, self.tasks[1:]):
            bare = not any(task[name] for name in ("files", "comments", "due_text", "tags", "people", "described"))
            is_last = following is None or following["depth"] <= 2
            whole = task if task["depth"] == 1 else whole
            if task["depth"] == 2 and bare and is_last and whole is not None:
                whole["checklist"].append((task["title"], False))
            else:
                kept.append(task)
        return kept

    def _note(self, content: str, row: dict[str, Any]) -> None:
        if not self.tasks:
            return
        before, is_file, rest = content.partition(_FILE)
        described, _, after = rest.rpartition("]]")
        file = msgspec.json.decode(described) if is_file else {}
        if file.get("file_url"):
            self.tasks[-1]["files"].append(PlannedFile(str(file.get("file_name") or "file"), str(file["file_url"])))
        text = f"{before}{after}".strip() if is_file else content.strip()
        if text:
            author = _person(row.get("AUTHOR")) or "somebody"
            self.tasks[-1]["comments"].append(PlannedComment(author, text))

    def _task(self, content: str, row: dict[str, Any]) -> None:
        start = plain_line(content)[:_START]
        self._times[start] += 1
        words = content.split()
        title = " ".join(word for word in words if not _is_label(word)) or content
        depth = min(int(row.get("INDENT") or 1), _DEEPEST)
        part_of = self._above.get(depth - 1)
        self._above = {at: name for at, name in self._above.items() if at < depth} | {depth: title}
        zone = row.get("TIMEZONE") or ""
        self.tasks.append({
            "source": f"todoist:csv:{self._project}:{start}:{self._times[start]}", "title": title,
            "parts": [row.get("DESCRIPTION") or "", f"Part of: {part_of}" if part_of else ""], "files": [],
            "depth": depth if part_of else 1, "described": row.get("DESCRIPTION"), "checklist": [], "comments": [],
            "people": [name for name in [_person(row.get("RESPONSIBLE"))] if name],
            "due_text": row.get("DATE") or "", "zone": known_zone(zone), "column": self._section,
            "tags": [word[1:] for word in words if _is_label(word)],
            "priority": max(0, 4 - int(row.get("PRIORITY") or 4)),  # 1 is the most urgent here
        })  # fmt: skip


def _planned(task: dict[str, Any]) -> PlannedTask:
    body = "\n\n".join(part for part in (*task.pop("parts"), *links(task["files"])) if part)
    del task["depth"], task["described"]
    return PlannedTask(body=body, **task)


def _person(text: str | None) -> str:
    """`Ann (17)` is Ann."""
    return re.sub(r"\(\d+\)$", "", text or "").strip()


def _is_label(word: str) -> bool:
    return word.startswith("@") and len(word) > 1
