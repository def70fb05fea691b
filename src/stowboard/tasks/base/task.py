"""A task, and what may be said of one."""

from enum import StrEnum
from typing import NewType

import msgspec

from stowboard.core.plain_text import checked_line

TaskId = NewType("TaskId", str)
BoardId = NewType("BoardId", str)
ColumnId = NewType("ColumnId", str)
MAX_TITLE = 500
MAX_BODY = 100_000
MAX_PRIORITY = 3
MAX_ATTACHMENTS = 50


class Status(StrEnum):
    TODO = "todo"
    IN_PROGRESS = "in_progress"
    DONE = "done"


class Visibility(StrEnum):
    SERVER_READABLE = "server-readable"
    ZERO_KNOWLEDGE = "zero-knowledge"


class Attachment(msgspec.Struct, frozen=True):
    """An asset or a video of a task."""

    id: str
    #: It is gone; its id stays in its place until somebody takes it out.
    deleted: bool = False


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """Every column of a task but the rendered document, in the order of `task_store.COLUMNS`."""

    id: TaskId
    owner: str
    title: str
    body: str | None = None
    #: The client's sealed body, as JSON; never opened here.
    encrypted_body: bytes | None = None
    visibility: Visibility = Visibility.SERVER_READABLE
    status: Status = Status.TODO
    due_at: int | None = None
    reminder: int | None = None
    recurrence: str | None = None
    time_zone: str = "UTC"
    #: The due date from which the recurrence is counted: the first one.
    anchor_at: int | None = None
    #: How many occurrences were completed since the anchor.
    completions: int = 0
    tags: list[str] = []
    archived: bool = False
    idempotency_key: str | None = None
    board_id: BoardId | None = None
    column_id: ColumnId | None = None
    lane: str = ""
    rank: str = ""
    created_at: int = 0
    updated_at: int = 0
    completed_at: int | None = None
    version: int = 0
    #: The version that the index knows; None if it does not know the task.
    indexed_version: int | None = None
    priority: int = 0
    attachments: list[Attachment] = []
    metadata: dict[str, str] = {}

    @property
    def etag(self) -> str:
        return etag_of(self.version)

    @property
    def has_body(self) -> bool:
        return self.body is not None or self.encrypted_body is not None

    @property
    def zero_knowledge(self) -> bool:
        return self.visibility is Visibility.ZERO_KNOWLEDGE


def etag_of(version: int) -> str:
    """A version as `If-Match` names it."""
    return f'"{version}"'


def lane_of(owner: str, status: Status, column_id: ColumnId | None) -> str:
    """Where a task is ordered: in its column, or off every board in one lane per owner and status."""
    return column_id or f"u:{status}:{owner}"


def checked_title(title: str) -> str:
    return checked_line("title", title)
