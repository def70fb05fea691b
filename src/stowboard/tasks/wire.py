"""Bodies of requests about tasks and boards."""

from typing import Annotated, ClassVar, TypeAlias

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.core.clock import LARGEST_NUMBER, Timestamp
from stowboard.core.ids import LONGEST_ID
from stowboard.core.metadata import Metadata
from stowboard.core.plain_text import LINES, ONE_LINE
from stowboard.core.reach import SpaceId
from stowboard.core.tags import Tags
from stowboard.tasks.base.document import Envelope
from stowboard.tasks.base.task import (
    MAX_ASSIGNEES,
    MAX_ATTACHMENTS,
    MAX_BODY,
    MAX_FURTHER_REMINDERS,
    MAX_ITEMS,
    MAX_PRIORITY,
    MAX_TITLE,
    BoardId,
    ColumnId,
    Day,
    RecurrenceBase,
    Status,
    TaskId,
    Visibility,
)

Title = Annotated[
    str,
    Meta(min_length=1, max_length=MAX_TITLE, description="One line; trimmed, not empty.", extra_json_schema=ONE_LINE),
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
        min_length=1, max_length=64, description="An IANA time zone; by default your account's, else UTC.",
        extra_json_schema={"format": "iana-time-zone"},
    ),
]  # fmt: skip
#: More of them have an error of their own.
Attachments = Annotated[
    list[Annotated[str, Meta(max_length=LONGEST_ID)]],
    Meta(
        description="Ids of assets and videos, at most 50, in their order.",
        extra_json_schema={"maxItems": MAX_ATTACHMENTS},
    ),
]
Assignees = Annotated[
    list[Annotated[str, Meta(max_length=LONGEST_ID)]],
    Meta(
        description="Usernames of members of the space, at most 20.",
        extra_json_schema={"maxItems": MAX_ASSIGNEES},
    ),
]
Priority = Annotated[int, Meta(ge=0, le=MAX_PRIORITY, description="0 means no priority, 3 is the most urgent.")]
Position = Annotated[int, Meta(ge=0, le=1_000_000_000, description="0-based; past the end is the end.")]
IdempotencyKey = Annotated[str, Meta(min_length=1, max_length=255, description="A retry gives the same task.")]


class ChecklistEntry(msgspec.Struct, frozen=True, rename="camel"):
    """An entry of a whole checklist. An entry with the id of an item is that item; any other is a new item."""

    title: Title
    id: Annotated[str, Meta(max_length=LONGEST_ID)] | None = None
    done: Annotated[bool, Meta(description="By default as it was; false for a new one.")] | None = None


Checklist = Annotated[
    list[ChecklistEntry],
    Meta(description="All items, at most 100, in their order.", extra_json_schema={"maxItems": MAX_ITEMS}),
]


class ReminderEntry(msgspec.Struct, frozen=True, rename="camel"):
    """A further reminder: either a time, or how long before the task is due."""

    at: Timestamp | None = None
    before_due: Annotated[int, Meta(ge=0, le=28 * 86_400_000, description="Milliseconds, up to 28 days.")] | None = None


Reminders = Annotated[
    list[ReminderEntry],
    Meta(
        description="Further reminders, at most 10, beside `reminder`.",
        extra_json_schema={"maxItems": MAX_FURTHER_REMINDERS},
    ),
]
StartAt = Annotated[Timestamp, Meta(description="Not later than dueAt.")]


class CreateBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new task. Only the title is required; a member that is null counts as left out.

    On a board, a task without a position goes to the end of a column: the one that is named, else one of its status.
    """

    title: Title
    body: Body | None = None
    encrypted_body: Envelope | None = None
    status: Annotated[Status, Meta(description="By default that of the column, else `todo`.")] | None = None
    due_at: Timestamp | None = None
    due_on: Day | None = None
    reminder: Timestamp | None = None
    recurrence: Rule | None = None
    time_zone: Zone | None = None
    tags: Tags | None = []
    visibility: Visibility | None = Visibility.SERVER_READABLE
    idempotency_key: IdempotencyKey | None = None
    priority: Priority | None = None
    board_id: Annotated[BoardId, Meta(max_length=100)] | None = None
    column_id: Annotated[ColumnId, Meta(max_length=100, description="One of the board's columns.")] | None = None
    position: Position | None = None
    attachments: Attachments | None = []
    metadata: Metadata | None = {}
    assignees: Assignees | None = None
    checklist: Checklist | None = None
    start_at: StartAt | None = None
    reminders: Reminders | None = None
    recurrence_from: RecurrenceBase | None = None
    space_id: SpaceId | None = None
    quick: Annotated[bool, Meta(description="Whether the title is a line of quick add, to be read.")] | None = False
    NEEDS: ClassVar = (("columnId", "boardId"),)
    NOT_BOTH: ClassVar = (("dueAt", "dueOn"),)


class TaskPatchBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Changes to a task. What is omitted keeps its value; null clears what can be empty."""

    title: Title | UnsetType = UNSET
    body: Body | None | UnsetType = UNSET
    encrypted_body: Envelope | None | UnsetType = UNSET
    status: Status | UnsetType = UNSET
    due_at: Timestamp | None | UnsetType = UNSET
    due_on: Day | None | UnsetType = UNSET
    reminder: Timestamp | None | UnsetType = UNSET
    recurrence: Rule | None | UnsetType = UNSET
    time_zone: Zone | None | UnsetType = UNSET
    tags: Tags | None | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    archived: Annotated[bool, Meta(description="true archives, false restores.")] | UnsetType = UNSET
    priority: Priority | None | UnsetType = UNSET
    attachments: Attachments | None | UnsetType = UNSET
    metadata: Metadata | None | UnsetType = UNSET
    assignees: Assignees | None | UnsetType = UNSET
    checklist: (
        Annotated[Checklist, Meta(description="Replaces the whole list; `…/checklist` changes single items.")]
        | None
        | UnsetType
    ) = UNSET
    start_at: StartAt | None | UnsetType = UNSET
    reminders: Reminders | None | UnsetType = UNSET
    recurrence_from: RecurrenceBase | None | UnsetType = UNSET
    clear_due_at: bool = False
    clear_reminder: bool = False
    #: A value and the flag that clears it.
    EXCLUDE_EACH_OTHER: ClassVar = (("dueAt", "clearDueAt"), ("dueOn", "clearDueAt"), ("reminder", "clearReminder"))
    NOT_BOTH: ClassVar = (("dueAt", "dueOn"),)


class MoveBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Where a task goes. Without a position or neighbour, it goes to the end of the column, or stays if it is there."""

    status: Status
    board: Annotated[BoardId, Meta(max_length=100)] | None | UnsetType = UNSET
    board_id: Annotated[BoardId, Meta(max_length=100, description="The same as board.")] | None | UnsetType = UNSET
    column_id: Annotated[ColumnId, Meta(max_length=100, description="One of several columns of the status.")] | None = (
        None
    )
    position: Position | None = None
    before_task_id: Annotated[TaskId, Meta(max_length=100, description="Lands directly before it.")] | None = None
    after_task_id: Annotated[TaskId, Meta(max_length=100, description="Lands directly after it.")] | None = None


class ItemBody(msgspec.Struct, frozen=True):
    """A new item of a checklist, by default the last one."""

    title: Title
    position: Position | None = None


class ItemPatchBody(msgspec.Struct, frozen=True):
    """Changes to one item of a checklist. What is omitted keeps its value."""

    title: Title | UnsetType = UNSET
    done: bool | UnsetType = UNSET
    position: Position | UnsetType = UNSET


BoardName = Annotated[
    str, Meta(min_length=1, max_length=200, description="One line; trimmed, not empty.", extra_json_schema=ONE_LINE)
]
_Role = Annotated[bool, Meta(description="true makes it that; give it to another column to end it.",
                            extra_json_schema={"enum": [True]})]  # fmt: skip
BoardDescription = Annotated[str, Meta(max_length=2000, extra_json_schema=LINES)]
ColumnPosition = Annotated[int, Meta(ge=0, le=1000, description="0-based; past the end is the end.")]


class BoardPatch(msgspec.Struct, frozen=True):
    """Changes to a board. What is omitted keeps its value."""

    name: BoardName | UnsetType = UNSET
    description: BoardDescription | None | UnsetType = UNSET
    archived: (
        Annotated[bool, Meta(description="true hides it from default lists; its tasks keep their places.")] | UnsetType
    ) = UNSET


class ColumnPatch(msgspec.Struct, frozen=True, rename="camel"):
    """Changes to a column. Making it the entry or terminal column takes that from the present one."""

    name: BoardName | UnsetType = UNSET
    position: ColumnPosition | UnsetType = UNSET
    is_entry: _Role | UnsetType = UNSET
    is_terminal: _Role | UnsetType = UNSET


class TransferBody(msgspec.Struct, frozen=True, rename="camel"):
    """The space to transfer it to."""

    space_id: SpaceId


#: The task that an operation of a batch is about.
Id = Annotated[TaskId, Meta(max_length=100)]
Version = Annotated[
    int, Meta(ge=0, le=LARGEST_NUMBER, description="The version that the change is for; another one is refused.")
]


class CreateOperation(CreateBody, frozen=True, rename="camel", kw_only=True, tag_field="op", tag="create"):
    """Create a task: the members of a creation."""


class UpdateOperation(TaskPatchBody, frozen=True, rename="camel", kw_only=True, tag_field="op", tag="update"):
    """Change a task: the members of a change."""

    id: Id
    if_match: Version | None = None


class MoveOperation(MoveBody, frozen=True, rename="camel", kw_only=True, tag_field="op", tag="move"):
    """Move a task: the members of a move."""

    id: Id
    if_match: Version | None = None


class NamedTask(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A task that an operation of a batch names, and nothing else."""

    id: Id
    if_match: Version | None = None


class CompleteOperation(NamedTask, frozen=True, rename="camel", kw_only=True, tag_field="op", tag="complete"):
    """Complete a task."""


class ArchiveOperation(NamedTask, frozen=True, rename="camel", kw_only=True, tag_field="op", tag="archive"):
    """Archive a task."""


class TrashOperation(NamedTask, frozen=True, rename="camel", kw_only=True, tag_field="op", tag="trash"):
    """Put a task in the trash."""


class RestoreOperation(NamedTask, frozen=True, rename="camel", kw_only=True, tag_field="op", tag="restore"):
    """Take a task out of the trash, else out of the archive."""


TaskOperation: TypeAlias = (
    CreateOperation
    | UpdateOperation
    | MoveOperation
    | CompleteOperation
    | ArchiveOperation
    | TrashOperation
    | RestoreOperation
)
