"""Tasks as the service answers them."""

from typing import Literal, TypeAlias

import msgspec

from stowboard_client.transport.call import Actor, Model

Status: TypeAlias = Literal["todo", "in_progress", "done"]
Sort: TypeAlias = Literal["-createdAt", "createdAt", "dueAt", "updatedAt", "-updatedAt", "board"]
RecurrenceFrom: TypeAlias = Literal["due", "completion"]
Visibility: TypeAlias = Literal["server-readable", "zero-knowledge"]


class EncryptedBody(Model, frozen=True, kw_only=True):
    """A body that its owner's client has sealed; the service cannot open it."""

    version: int
    algorithm: str
    key_id: str
    nonce: str
    ciphertext: str


class TaskPlacement(Model, frozen=True, kw_only=True):
    board_id: str
    column_id: str
    rank: str
    #: 0-based; None in lists.
    position: int | None = None


class Attachment(Model, frozen=True, kw_only=True):
    """An asset or a video; `deleted` if it is gone."""

    id: str
    deleted: bool


class ChecklistItem(Model, frozen=True, kw_only=True):
    id: str
    title: str
    done: bool = False
    done_at: int | None = None
    done_by: str | None = None


class FurtherReminder(Model, frozen=True, kw_only=True):
    """Either a time, or milliseconds before the task is due."""

    at: int | None = None
    before_due: int | None = None


class ImportedFrom(Model, frozen=True, kw_only=True):
    """The author of a comment that was written elsewhere, and when."""

    author: str
    at: int | None = None


class Comment(Model, frozen=True, kw_only=True):
    id: str
    #: None for a token of a space.
    author: str | None
    body: str
    mentions: tuple[str, ...]
    created_at: int
    edited_at: int | None
    version: int
    imported: ImportedFrom | None
    actor: Actor | None = None


class Following(Model, frozen=True, kw_only=True):
    """`following` is true if you follow the task with this id."""

    id: str
    following: bool


class Task(Model, frozen=True, kw_only=True):
    """Timestamps are milliseconds since the epoch."""

    id: str
    title: str
    body: str | None
    status: str
    due_at: int | None
    reminder: int | None
    recurrence: str | None
    time_zone: str
    tags: tuple[str, ...]
    #: None if the task is on no board.
    placement: TaskPlacement | None
    archived: bool
    visibility: str
    idempotency_key: str | None
    has_body: bool
    created_at: int
    updated_at: int
    completed_at: int | None
    version: int
    #: 0 (no priority) to 3 (most urgent).
    priority: int = 0
    attachments: tuple[Attachment, ...] = ()
    metadata: dict[str, str] = msgspec.field(default_factory=dict)
    space_id: str = ""
    #: The person who made it, and the one who changed it last; None for a token of a space.
    created_by: str | None = None
    updated_by: str | None = None
    assignees: tuple[str, ...] = ()
    checklist: tuple[ChecklistItem, ...] = ()
    start_at: int | None = None
    reminders: tuple[FurtherReminder, ...] = ()
    recurrence_from: str = "due"
    comment_count: int = 0
    #: The time since which it is in the trash.
    trashed_at: int | None = None
    #: The day on which it is due, such as 2026-12-24; `due_at` is then the last second of it.
    due_on: str | None = None
    #: The service shows it only to interactive tokens.
    encrypted_body: EncryptedBody | None = None


class BatchError(Model, frozen=True, kw_only=True):
    code: str
    message: str


class BatchResult(Model, frozen=True, kw_only=True):
    """The result of one operation: the task after it, or the error."""

    status: int
    task: Task | None
    error: BatchError | None


class RefusedOperation(Model, frozen=True, kw_only=True):
    #: None for a creation that failed.
    id: str | None
    code: str
    message: str


class BatchMeta(Model, frozen=True, kw_only=True):
    done: int
    refused: tuple[RefusedOperation, ...]


class BatchResults(Model, frozen=True, kw_only=True):
    """Results in the order of the operations."""

    items: tuple[BatchResult, ...] = msgspec.field(name="data")
    meta: BatchMeta


class Occurrence(Model, frozen=True, kw_only=True):
    """A completed occurrence of a recurring task."""

    number: int
    due_at: int | None
    completed_at: int
    due_on: str | None = None


class Upcoming(Model, frozen=True, kw_only=True):
    """A date on which a recurring task will be due."""

    due_at: int
    due_on: str | None = None


class CalendarAddress(Model, frozen=True, kw_only=True):
    #: A secret address: it needs no token. The service shows it only this once.
    url: str
    titles: bool
    space_id: str = ""


class QuickSpan(Model, frozen=True, kw_only=True):
    """A part of a line that was understood: from `start` up to `end`, and what it means."""

    start: int
    end: int
    kind: str
    value: str


class QuickTask(Model, frozen=True, kw_only=True):
    """A task that quick add would make of a line."""

    title: str
    status: str
    due_at: int | None
    reminder: int | None
    recurrence: str | None
    time_zone: str
    tags: tuple[str, ...]
    board_id: str | None
    column_id: str | None
    priority: int = 0
    recurrence_from: str = "due"
    #: A day, in place of `due_at`.
    due_on: str | None = None


class ParsedTask(Model, frozen=True, kw_only=True):
    spans: tuple[QuickSpan, ...]
    task: QuickTask


class Backfill(Model, frozen=True, kw_only=True):
    """The progress of the owner's index."""

    complete: bool
    status: str
    processed: int
    processed_total: int
