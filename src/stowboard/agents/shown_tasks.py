"""Tasks and boards as a model reads them: a line each, and the same facts for programs."""

from collections.abc import Sequence
from typing import Any

import msgspec

from stowboard.agents.protocol.tool import TextContent, ToolResult
from stowboard.agents.words import marked, noted, one_line, write_time
from stowboard.tasks.base.document import PlacementView, TaskView
from stowboard.tasks.base.task import ChecklistItem, Status, Visibility
from stowboard.tasks.boards.board_routes import BoardView
from stowboard.tasks.comment_routes import CommentView

#: Before an item of a checklist that is done.
TICKED = "[x]"
_LONGEST_COMMENT = 2_000
SEALED = "(encrypted: only its owner's own client reads it)"


class Card(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A task as lists show it. Its body, which may be long, is not even decoded."""

    id: str
    title: str
    status: Status
    due_at: int | None
    due_on: str | None
    reminder: int | None
    recurrence: str | None
    time_zone: str
    tags: list[str]
    placement: PlacementView | None
    archived: bool
    has_body: bool
    completed_at: int | None
    priority: int
    trashed_at: int | None
    assignees: list[str]
    checklist: list[ChecklistItem]
    comment_count: int


def task_line(task: Card | TaskView) -> str:
    parts = [
        task.id,
        "in the trash" if task.trashed_at else "archived" if task.archived else task.status,
        f"due {due_of(task)}" if task.due_at is not None else "",
        f"repeats {task.recurrence}" if task.recurrence else "",
        f"priority {task.priority}" if task.priority else "",
        f"{sum(item.done for item in task.checklist)} of {len(task.checklist)} done" if task.checklist else "",
        f"for {', '.join(task.assignees)}" if task.assignees else "",
        one_line(task.title),
        " ".join(f"#{one_line(tag)}" for tag in task.tags),
    ]
    return " · ".join(part for part in parts if part)


def task_facts(task: Card | TaskView) -> dict[str, Any]:
    """All facts but the body. Empty ones are left out."""
    placed = task.placement
    facts = {
        "id": task.id,
        "title": task.title,
        "status": task.status,
        "due": due_of(task),
        "reminder": write_time(task.reminder, task.time_zone),
        "recurrence": task.recurrence,
        "timeZone": task.time_zone,
        "tags": task.tags,
        "priority": task.priority or None,
        "assignees": task.assignees or None,
        "checklist": [_item(item) for item in task.checklist] or None,
        "comments": task.comment_count or None,
        "boardId": placed.board_id if placed else None,
        "columnId": placed.column_id if placed else None,
        "archived": task.archived or None,
        "inTrash": task.trashed_at is not None or None,
        "completed": write_time(task.completed_at, task.time_zone),
        "hasBody": task.has_body,
    }
    return {name: value for name, value in facts.items() if value is not None}


def due_of(task: Card | TaskView) -> str | None:
    """The day on which it is due, or the time."""
    return task.due_on or write_time(task.due_at, task.time_zone)


def body_of(task: TaskView) -> str | None:
    return SEALED if task.visibility is Visibility.ZERO_KNOWLEDGE and task.has_body else task.body


def task_result(said: str, task: TaskView, body: str | None = None, comments: Sequence[CommentView] = ()) -> ToolResult:
    facts = task_facts(task) | ({"body": body} if body else {})
    parts = [task_line(task), body or "", "\n".join(_item(item) for item in task.checklist)]
    if comments:
        facts["newestComments"] = [
            {"author": _author(each), "at": write_time(each.created_at), "text": _cut(each.body)} for each in comments
        ]
        parts.append("Comments, newest first:\n" + "\n\n".join(map(_comment_text, comments)))
    text = marked("\n\n".join(part for part in parts if part))
    return ToolResult([TextContent(f"{said}\n{text}")], noted({"task": facts}))


def _item(item: ChecklistItem) -> str:
    return f"{TICKED} {one_line(item.title)}" if item.done else one_line(item.title)


def _comment_text(comment: CommentView) -> str:
    return f"{_author(comment)}, {write_time(comment.created_at)}:\n{_cut(comment.body)}"


def _author(comment: CommentView) -> str:
    name = comment.author or "a token of the space"
    return f"{name} (imported: {one_line(comment.imported.author)})" if comment.imported else name


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_COMMENT else f"{text[:_LONGEST_COMMENT]} …"


def board_facts(board: BoardView) -> dict[str, Any]:
    columns = [
        {"id": column.id, "name": column.name, "status": column.status, "entry": column.is_entry}
        for column in board.columns
    ]
    described = {"description": board.description} if board.description else {}
    return {"id": board.id, "name": board.name, **described, "columns": columns}


def board_line(board: BoardView) -> str:
    columns = ", ".join(f"{one_line(column.name)} ({column.status})" for column in board.columns)
    return f"{board.id} · {one_line(board.name)} · {columns}"
