"""A task, its members and their limits."""

from datetime import date, datetime, time
from enum import StrEnum
from functools import lru_cache
from typing import Annotated, Any, NewType

import msgspec
from msgspec import Meta

from stowboard.core.caller import Author
from stowboard.core.plain_text import checked_line
from stowboard.core.reach import is_shared
from stowboard.core.time_zones import instant_of, zone_of
from stowboard.core.wording import EXPECTED, TEXT_END

TaskId = NewType("TaskId", str)
BoardId = NewType("BoardId", str)
ColumnId = NewType("ColumnId", str)
MAX_TITLE = 500
MAX_BODY = 100_000
MAX_PRIORITY = 3
MAX_ATTACHMENTS = 50
MAX_ASSIGNEES = 20
MAX_ITEMS = 100
#: Reminders beside `reminder`.
MAX_FURTHER_REMINDERS = 10
#: Reminders before a task that is due on a day count from this time of the day.
DAY_BEGINS = time(9)
#: The idempotencyKey of a deleted task cannot be used again for this time.
KEY_REST_MS = 24 * 3600 * 1000


Day = Annotated[
    str,
    Meta(
        pattern=f"^[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}{TEXT_END}",
        description="A day, such as 2026-12-24. The task is due all day: `dueAt` is its last second in `timeZone`.",
        extra={EXPECTED: "a day as YYYY-MM-DD"},
        extra_json_schema={"format": "date", "minLength": 10, "maxLength": 10},
    ),
]


class Status(StrEnum):
    TODO = "todo"
    IN_PROGRESS = "in_progress"
    DONE = "done"


class ArchivedFilter(StrEnum):
    """Which of the archived and the other things are listed."""

    LEFT_OUT = "false"
    INCLUDED = "true"
    ALONE = "only"


#: The archive flags of the things that are listed.
FLAGS = {ArchivedFilter.LEFT_OUT: (0,), ArchivedFilter.INCLUDED: (0, 1), ArchivedFilter.ALONE: (1,)}


class Visibility(StrEnum):
    SERVER_READABLE = "server-readable"
    ZERO_KNOWLEDGE = "zero-knowledge"


class Attachment(msgspec.Struct, frozen=True):
    """An asset or a video of a task."""

    id: str
    #: It is gone; its id stays in its place until somebody takes it out.
    deleted: bool = False


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """Every column of a task but the rendered document, in the order of `task_store.TASKS`."""

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
    #: The number of occurrences that were completed since the anchor.
    completions: int = 0
    tags: list[str] = []
    #: 1 if it is archived, and 2 more if it is in the trash: `archived` and `in_trash` tell.
    shelf: int = msgspec.field(default=0, name="archived")
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
    #: The column of `extras.start_at`, for lists.
    start_at: int | None = None
    #: The times of reminders that were told; those that the task no longer has are forgotten.
    told: list[int] | None = None
    #: `TaskExtras` as JSON; None if they are those of `default_extras`.
    more: bytes | None = None
    #: The time at which it was put in the trash.
    trashed_at: int | None = None
    #: The day on which it is due, as `YYYY-MM-DD`; `due_at` is then the last second of that day in `time_zone`.
    due_on: str | None = None

    @property
    def reminders_count_from(self) -> int | None:
        """The time before which reminders `before_due` are; None without a due date."""
        if self.due_on is None:
            return self.due_at
        return instant_of(zone_of(self.time_zone), datetime.combine(date.fromisoformat(self.due_on), DAY_BEGINS))

    @property
    def archived(self) -> bool:
        return self.shelf & 1 == 1

    @property
    def in_trash(self) -> bool:
        return self.trashed_at is not None

    @property
    def extras(self) -> "TaskExtras":
        return default_extras(self.owner) if self.more is None else _read_extras(self.more)

    @property
    def etag(self) -> str:
        return etag_of(self.version)

    @property
    def has_body(self) -> bool:
        return self.body is not None or self.encrypted_body is not None

    @property
    def zero_knowledge(self) -> bool:
        return self.visibility is Visibility.ZERO_KNOWLEDGE


class ChecklistItem(msgspec.Struct, frozen=True, rename="camel"):
    """A line of a task's checklist, to be ticked."""

    id: str
    title: str
    done: bool = False
    done_at: int | None = None
    #: None for a token of a space.
    done_by: str | None = None


class FurtherReminder(msgspec.Struct, frozen=True, rename="camel"):
    """A reminder beside `reminder`: at a time, or so many milliseconds before the task is due."""

    at: int | None = None
    before_due: int | None = None

    def time(self, task: Task) -> int | None:
        """None while there is no due date to count from."""
        if self.before_due is None or (due := task.reminders_count_from) is None:
            return self.at
        return max(0, due - self.before_due)


class RecurrenceBase(StrEnum):
    """Where the next occurrence is counted from."""

    DUE = "due"
    COMPLETION = "completion"


class TaskExtras(msgspec.Struct, frozen=True, rename="camel"):
    """Members that are empty in most tasks. They are shown as they are stored, behind the document.

    `created_by` and `updated_by` are persons; None is a token of a space.
    """

    created_by: str | None
    updated_by: str | None
    assignees: list[str] = []
    checklist: list[ChecklistItem] = []
    start_at: int | None = None
    reminders: list[FurtherReminder] = []
    recurrence_from: RecurrenceBase = RecurrenceBase.DUE
    comment_count: int = 0
    trashed_at: int | None = None


_read_extras = msgspec.json.Decoder(TaskExtras).decode


@lru_cache(4096)
def default_extras(owner: str) -> TaskExtras:
    """The extras of a task that only its owner has made and changed, and that has no other extras."""
    person = None if is_shared(owner) else owner
    return TaskExtras(person, person)


def with_extras(task: Task, **changes: Any) -> Task:
    """The task with other values for some of its extras."""
    extras = msgspec.structs.replace(task.extras, **changes)
    return msgspec.structs.replace(task, start_at=extras.start_at, more=_more(task.owner, extras))


def written_by(task: Task, author: Author | None, new: bool = False) -> Task:
    """The task with this author as its maker; the service itself, None, is nobody's maker."""
    if author is None or (task.more is None and author.person == task.owner):
        return task
    created_by = author.person if new else task.extras.created_by
    return with_extras(task, created_by=created_by, updated_by=author.person)


def given_to(task: Task, owner: str) -> Task:
    """The task in the space of another owner; its extras stay."""
    return msgspec.structs.replace(task, owner=owner, more=_more(owner, task.extras))


def shelved(task: Task, archived: bool, trashed_at: int | None) -> Task:
    """The task in the archive or not, and in the trash since `trashed_at` or not."""
    shelf = int(archived) + (0 if trashed_at is None else 2)
    return msgspec.structs.replace(with_extras(task, trashed_at=trashed_at), shelf=shelf, trashed_at=trashed_at)


def _more(owner: str, extras: TaskExtras) -> bytes | None:
    return None if extras == default_extras(owner) else msgspec.json.encode(extras)


def etag_of(version: int) -> str:
    """A version as `If-Match` names it."""
    return f'"{version}"'


def lane_of(owner: str, status: Status, column_id: ColumnId | None) -> str:
    """The lane of a task: its column, or off every board one lane for each owner and status."""
    return column_id or f"u:{status}:{owner}"


def checked_title(title: str) -> str:
    return checked_line("title", title)
