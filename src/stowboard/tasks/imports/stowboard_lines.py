"""The lines of `stow export`: a board, a task, a comment, an image, a file or a video each, as the API answers them."""

from typing import Any

import msgspec

from stowboard.tasks.base.task import Attachment, ChecklistItem, FurtherReminder, RecurrenceBase, Status, Visibility
from stowboard.tasks.imports.plan import Plan, PlannedBoard, PlannedColumn, PlannedComment, PlannedTask


class _Column(msgspec.Struct, rename="camel"):
    id: str
    name: str
    status: Status


class _Board(msgspec.Struct, rename="camel"):
    id: str
    name: str
    columns: list[_Column]
    description: str = ""


class _Placement(msgspec.Struct, rename="camel"):
    board_id: str
    column_id: str
    rank: str


class _Task(msgspec.Struct, rename="camel"):
    id: str
    title: str
    status: Status
    body: str | None = None
    due_at: int | None = None
    due_on: str | None = None
    start_at: int | None = None
    reminder: int | None = None
    reminders: list[FurtherReminder] = []
    recurrence: str | None = None
    recurrence_from: RecurrenceBase = RecurrenceBase.DUE
    time_zone: str = "UTC"
    tags: list[str] = []
    metadata: dict[str, str] = {}
    priority: int = 0
    checklist: list[ChecklistItem] = []
    assignees: list[str] = []
    attachments: list[Attachment] = []
    placement: _Placement | None = None
    archived: bool = False
    visibility: Visibility = Visibility.SERVER_READABLE
    has_body: bool = False
    idempotency_key: str | None = None


class _Imported(msgspec.Struct):
    author: str
    at: int | None = None


class _Comment(msgspec.Struct, rename="camel"):
    task_id: str
    body: str
    created_at: int
    author: str | None = None
    imported: _Imported | None = None


#: Lines of files, which the client sends.
_MEDIA = ("image", "file", "video")


def read_lines(content: bytes) -> Plan:
    """Raises MsgspecError, ValueError, KeyError or TypeError for other lines."""
    boards: list[_Board] = []
    tasks: list[_Task] = []
    comments: dict[str, list[PlannedComment]] = {}
    for line in content.splitlines():
        thing: dict[str, Any] = msgspec.json.decode(line)
        if thing["kind"] == "board":
            boards.append(msgspec.convert(thing, _Board))
        elif thing["kind"] == "task":
            tasks.append(msgspec.convert(thing, _Task))
        elif thing["kind"] == "comment":
            comment = msgspec.convert(thing, _Comment)
            comments.setdefault(comment.task_id, []).append(_comment(comment))
        elif thing["kind"] not in _MEDIA:
            raise ValueError(f"a line is of the kind {thing['kind']!r}")
    tasks.sort(key=lambda task: (task.placement.rank if task.placement else "", task.id))
    columns = {column.id: column.name for board in boards for column in board.columns}
    placed: dict[str, list[PlannedTask]] = {each: [] for each in ["", *(board.id for board in boards)]}
    for task in tasks:
        board_id = task.placement.board_id if task.placement else ""
        placed[board_id if board_id in placed else ""].append(_task(task, columns, comments.get(task.id, [])[::-1]))
    planned = [
        PlannedBoard(
            f"stow:{board.id}", board.name, [PlannedColumn(each.name, each.status) for each in board.columns],
            placed[board.id], board.description,
        )
        for board in boards
    ]  # fmt: skip
    return Plan([*planned, *([PlannedBoard("", "", [], placed[""])] if placed[""] else [])])


def _task(task: _Task, columns: dict[str, str], comments: list[PlannedComment]) -> PlannedTask:
    sealed = task.visibility is Visibility.ZERO_KNOWLEDGE and task.has_body
    return PlannedTask(
        source=task.idempotency_key or f"stow:{task.id}",
        title=task.title,
        body=task.body or "",
        status=task.status,
        archived=task.archived,
        due_at=task.due_at,
        due_on=task.due_on,
        start_at=task.start_at,
        reminder=task.reminder,
        reminders=task.reminders,
        recurrence=task.recurrence,
        from_completion=task.recurrence_from is RecurrenceBase.COMPLETION,
        zone=task.time_zone,
        priority=task.priority,
        tags=task.tags,
        metadata=task.metadata,
        column=columns.get(task.placement.column_id) if task.placement else None,
        checklist=[(item.title, item.done) for item in task.checklist],
        comments=comments,
        people=task.assignees,
        attachments=[attachment.id for attachment in task.attachments],
        left_out=[("body", "It is sealed, and only its owner can open it.")] if sealed else [],
    )


def _comment(comment: _Comment) -> PlannedComment:
    """A comment that was imported before keeps the author that it has."""
    if comment.imported is not None:
        return PlannedComment(comment.imported.author, comment.body, comment.imported.at)
    return PlannedComment(comment.author or "", comment.body, comment.created_at)
