"""A task, and what may be said of one."""

from enum import StrEnum
from typing import NewType

import msgspec

from stowboard.core.caller import Author
from stowboard.core.plain_text import checked_line
from stowboard.core.reach import is_shared

TaskId = NewType("TaskId", str)
BoardId = NewType("BoardId", str)
ColumnId = NewType("ColumnId", str)
MAX_TITLE = 500
MAX_BODY = 100_000
MAX_PRIORITY = 3
MAX_ATTACHMENTS = 50
#: How long the idempotencyKey of a task that is gone cannot be used again.
KEY_REST_MS = 24 * 3600 * 1000


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
    #: `TaskMakers` as JSON; None if they are those of `default_makers`.
    more: bytes | None = None

    @property
    def makers(self) -> "TaskMakers":
        return default_makers(self.owner) if self.more is None else _read_makers(self.more)

    @property
    def etag(self) -> str:
        return etag_of(self.version)

    @property
    def has_body(self) -> bool:
        return self.body is not None or self.encrypted_body is not None

    @property
    def zero_knowledge(self) -> bool:
        return self.visibility is Visibility.ZERO_KNOWLEDGE


class TaskMakers(msgspec.Struct, frozen=True, rename="camel"):
    """The person who made the task, and the one who changed it last; None for a token of a space."""

    created_by: str | None
    updated_by: str | None


_read_makers = msgspec.json.Decoder(TaskMakers).decode


def default_makers(owner: str) -> TaskMakers:
    """Those of a task that its owner alone has made and changed."""
    person = None if is_shared(owner) else owner
    return TaskMakers(person, person)


def written_by(task: Task, author: Author | None, new: bool = False) -> Task:
    """The task with this author as its maker; the service itself, None, is nobody's maker."""
    if author is None:
        return task
    makers = TaskMakers(author.person if new else task.makers.created_by, author.person)
    return msgspec.structs.replace(task, more=_more(task.owner, makers))


def given_to(task: Task, owner: str) -> Task:
    """The task in the space of another owner; its makers stay."""
    return msgspec.structs.replace(task, owner=owner, more=_more(owner, task.makers))


def _more(owner: str, makers: TaskMakers) -> bytes | None:
    return None if makers == default_makers(owner) else msgspec.json.encode(makers)


def etag_of(version: int) -> str:
    """A version as `If-Match` names it."""
    return f'"{version}"'


def lane_of(owner: str, status: Status, column_id: ColumnId | None) -> str:
    """Where a task is ordered: in its column, or off every board in one lane per owner and status."""
    return column_id or f"u:{status}:{owner}"


def checked_title(title: str) -> str:
    return checked_line("title", title)
