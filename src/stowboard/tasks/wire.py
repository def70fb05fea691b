"""Tasks as JSON: what requests may say and what answers show."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.core.clock import LATEST_MS
from stowboard.core.tags import Tags
from stowboard.tasks.task import MAX_BODY, MAX_TITLE, Status, Task, Visibility

#: What is more than spaces; the check itself, with its own words, is in task.py.
NOT_BLANK = {"pattern": r"\S"}
Title = Annotated[
    str, Meta(min_length=1, max_length=MAX_TITLE, description="Trimmed; not empty.", extra_json_schema=NOT_BLANK)
]
Body = Annotated[str, Meta(max_length=MAX_BODY, description="Only for server-readable tasks.")]
Timestamp = Annotated[int, Meta(ge=0, le=LATEST_MS, description="Milliseconds since 1970, UTC.")]
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
Base64 = r"^[A-Za-z0-9_-]*$"


class Envelope(msgspec.Struct, frozen=True, rename="camel"):
    """A body that its owner's client has sealed; docs/api/zero-knowledge.md says how."""

    version: Annotated[int, Meta(ge=1, le=1000)]
    algorithm: Annotated[str, Meta(min_length=1, max_length=32)]
    key_id: Annotated[str, Meta(min_length=1, max_length=200)]
    nonce: Annotated[str, Meta(min_length=1, max_length=64, pattern=Base64)]
    ciphertext: Annotated[str, Meta(min_length=1, max_length=350_000, pattern=Base64)]


class CreateBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new task. Only the title is required."""

    title: Title
    body: Body | None = None
    encrypted_body: Envelope | None = None
    status: Status = Status.TODO
    due_at: Timestamp | None = None
    reminder: Timestamp | None = None
    recurrence: Rule | None = None
    time_zone: Zone | None = None
    tags: Tags = []
    visibility: Visibility = Visibility.SERVER_READABLE
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
    tags: Tags | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    clear_due_at: bool = False
    clear_reminder: bool = False


class MoveBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """Where a task shall be. Without an order it goes to the end of another column, and stays in its own place."""

    status: Status
    board: Annotated[str, Meta(max_length=100)] | None | UnsetType = UNSET
    board_id: Annotated[str, Meta(max_length=100, description="The same as board.")] | None | UnsetType = UNSET
    column_id: Annotated[str, Meta(max_length=100, description="One of several columns of the status.")] | None = None
    position: Annotated[int, Meta(ge=0, le=1_000_000_000, description="0-based; past the end is the end.")] | None = (
        None
    )
    before_task_id: Annotated[str, Meta(max_length=100, description="Lands directly before it.")] | None = None
    after_task_id: Annotated[str, Meta(max_length=100, description="Lands directly after it.")] | None = None


class PlacementView(msgspec.Struct, frozen=True, rename="camel"):
    """Where on a board a task is. `position` is given where one task is answered."""

    board_id: str
    column_id: str
    rank: str
    position: int | UnsetType = UNSET


class TaskView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A task."""

    id: str
    title: str
    body: str | None
    status: Status
    due_at: int | None
    reminder: int | None
    recurrence: str | None
    time_zone: str
    tags: list[str]
    placement: PlacementView | None
    archived: bool
    visibility: Visibility
    idempotency_key: str | None
    has_body: bool
    created_at: int
    updated_at: int
    completed_at: int | None
    version: int
    #: Shown to interactive tokens alone.
    encrypted_body: Envelope | None | UnsetType = UNSET


def view(task: Task, position: int | UnsetType = UNSET, interactive: bool = False) -> TaskView:
    return TaskView(
        id=task.id,
        title=task.title,
        body=task.body,
        status=task.status,
        due_at=task.due_at,
        reminder=task.reminder,
        recurrence=task.recurrence,
        time_zone=task.time_zone,
        tags=task.tags,
        placement=_placement(task, position),
        archived=task.archived,
        visibility=task.visibility,
        idempotency_key=task.idempotency_key,
        has_body=task.has_body,
        created_at=task.created_at,
        updated_at=task.updated_at,
        completed_at=task.completed_at,
        version=task.version,
        encrypted_body=_envelope(task.encrypted_body) if interactive else UNSET,
    )


_encode = msgspec.json.Encoder().encode


def render(task: Task) -> bytes:
    """The task's document: what lists show of it, and what one that is on no board looks like alone."""
    return _encode(view(task))


def etag(version: int) -> tuple[tuple[str, str], ...]:
    return (("etag", f'"{version}"'),)


def with_envelope(document: bytes, envelope: bytes | None) -> bytes:
    """A rendered document with `encryptedBody` added."""
    return document[:-1] + b',"encryptedBody":' + (envelope or b"null") + b"}"


def joined(documents: list[bytes]) -> msgspec.Raw:
    """Rendered documents as one list."""
    return msgspec.Raw(b"[" + b",".join(documents) + b"]")


def without_body(reply: bytes) -> bytes:
    """A kept reply about a task, with the plaintext taken out."""
    envelope = msgspec.json.decode(reply)
    if isinstance(envelope.get("data"), dict) and "body" in envelope["data"]:
        envelope["data"]["body"] = None
    return _encode(envelope)


def _placement(task: Task, position: int | UnsetType) -> PlacementView | None:
    if task.board_id is None or task.column_id is None:
        return None
    return PlacementView(task.board_id, task.column_id, task.rank, position)


def _envelope(stored: bytes | None) -> Any:
    return msgspec.Raw(stored) if stored is not None else None
