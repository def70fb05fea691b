"""What requests may say of a task, as JSON."""

from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.core.clock import Timestamp
from stowboard.core.tags import Tags
from stowboard.tasks.base.document import Envelope
from stowboard.tasks.base.task import MAX_BODY, MAX_TITLE, BoardId, ColumnId, Status, TaskId, Visibility

#: What is more than spaces; the check itself, with its own words, is in task.py.
NOT_BLANK = {"pattern": r"\S"}
Title = Annotated[
    str, Meta(min_length=1, max_length=MAX_TITLE, description="Trimmed; not empty.", extra_json_schema=NOT_BLANK)
]
Body = Annotated[str, Meta(max_length=MAX_BODY, description="Only for server-readable tasks.")]
Rule = Annotated[
    str,
    Meta(
        min_length=1, max_length=206, description="An RFC 5545 RRULE of a day or more.",
        extra_json_schema={"format": "rrule"},
    ),
]  # fmt: skip
Zone = Annotated[
    str,
    Meta(
        min_length=1, max_length=64, description="An IANA time zone; default UTC.",
        extra_json_schema={"format": "iana-time-zone"},
    ),
]  # fmt: skip
IdempotencyKey = Annotated[str, Meta(min_length=1, max_length=255, description="A retry gives the same task.")]


class CreateBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new task. Only the title is required; null is as if left out."""

    title: Title
    body: Body | None = None
    encrypted_body: Envelope | None = None
    status: Status | None = Status.TODO
    due_at: Timestamp | None = None
    reminder: Timestamp | None = None
    recurrence: Rule | None = None
    time_zone: Zone | None = None
    tags: Tags | None = []
    visibility: Visibility | None = Visibility.SERVER_READABLE
    idempotency_key: IdempotencyKey | None = None


class PatchBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Changes to a task. What is omitted keeps its value; null clears what can be empty."""

    title: Title | UnsetType = UNSET
    body: Body | None | UnsetType = UNSET
    encrypted_body: Envelope | None | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    due_at: Timestamp | None | UnsetType = UNSET
    reminder: Timestamp | None | UnsetType = UNSET
    recurrence: Rule | None | UnsetType = UNSET
    time_zone: Zone | None | UnsetType = UNSET
    tags: Tags | None | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    archived: Annotated[bool, Meta(description="true archives, false restores.")] | UnsetType = UNSET
    clear_due_at: bool = False
    clear_reminder: bool = False
    #: A value and the flag that clears it.
    EXCLUDE_EACH_OTHER: ClassVar = (("dueAt", "clearDueAt"), ("reminder", "clearReminder"))


class MoveBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Where a task shall be. Without an order it goes to the end of another column, and stays in its own place."""

    status: Status
    board: Annotated[BoardId, Meta(max_length=100)] | None | UnsetType = UNSET
    board_id: Annotated[BoardId, Meta(max_length=100, description="The same as board.")] | None | UnsetType = UNSET
    column_id: Annotated[ColumnId, Meta(max_length=100, description="One of several columns of the status.")] | None = (
        None
    )
    position: Annotated[int, Meta(ge=0, le=1_000_000_000, description="0-based; past the end is the end.")] | None = (
        None
    )
    before_task_id: Annotated[TaskId, Meta(max_length=100, description="Lands directly before it.")] | None = None
    after_task_id: Annotated[TaskId, Meta(max_length=100, description="Lands directly after it.")] | None = None
