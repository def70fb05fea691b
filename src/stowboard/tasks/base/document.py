"""A task as JSON, as answers show it. It is stored in the task's row, rendered, so that a list is joined bytes.

The space and the extras of a task are not in the stored document: they follow it as a tail, which tasks of one owner
mostly share. So rows do not grow, and a transfer to another space renders nothing.
"""

from functools import lru_cache
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.core.reach import space_id_of
from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.tasks.base.task import (
    Attachment,
    BoardId,
    ChecklistItem,
    ColumnId,
    Day,
    FurtherReminder,
    RecurrenceBase,
    Status,
    Task,
    TaskId,
    Visibility,
    default_extras,
)

_encode = msgspec.json.Encoder().encode


def in_base64(longest: int) -> Meta:
    expected = f"1 to {longest} characters of base64url (A-Z, a-z, 0-9, '-', '_') without padding"
    pattern = r"^[A-Za-z0-9_-]*" + TEXT_END
    return Meta(min_length=1, max_length=longest, pattern=pattern, extra={EXPECTED: expected})


class Envelope(msgspec.Struct, frozen=True, rename="camel"):
    """A body that its owner's client has sealed; docs/api/zero-knowledge.md says how."""

    version: Annotated[int, Meta(ge=1, le=1000)]
    algorithm: Annotated[str, Meta(min_length=1, max_length=32)]
    key_id: Annotated[str, Meta(min_length=1, max_length=200)]
    nonce: Annotated[str, in_base64(64)]
    ciphertext: Annotated[str, in_base64(350_000)]


class PlacementView(msgspec.Struct, frozen=True, rename="camel"):
    """Where on a board a task is. `position` is given if the answer is one task."""

    board_id: BoardId
    column_id: ColumnId
    rank: str
    position: int | UnsetType = UNSET


class TaskDocument(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """The members of a task that are stored as its document."""

    id: TaskId
    title: str
    body: str | None
    status: Status
    due_at: int | None
    due_on: Day | None
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
    priority: int
    attachments: list[Attachment]
    metadata: dict[str, str]


class TaskView(TaskDocument, frozen=True, rename="camel", kw_only=True):
    """A task."""

    space_id: str
    created_by: Annotated[str | None, Meta(description="The person who made it; null for a token of a space.")]
    updated_by: str | None
    assignees: Annotated[list[str], Meta(description="Usernames of members of the space.")]
    checklist: list[ChecklistItem]
    start_at: int | None
    reminders: Annotated[list[FurtherReminder], Meta(description="Further reminders, beside `reminder`.")]
    recurrence_from: Annotated[
        RecurrenceBase, Meta(description="`completion` counts the next date from when the task is completed.")
    ]
    comment_count: int
    trashed_at: Annotated[int | None, Meta(description="Since when it is in the trash; null if it is not.")]
    #: Shown to interactive tokens alone.
    encrypted_body: Envelope | None | UnsetType = UNSET


def show(
    task: Task, position: int | UnsetType = UNSET, interactive: bool = False, document: bytes | None = None
) -> msgspec.Raw:
    """The task as a `TaskView`. `document` is its document, if that is rendered already."""
    document = document or render(task, position)
    return msgspec.Raw(complete(document, task.owner, task.more, task.encrypted_body if interactive else UNSET))


def render(task: Task, position: int | UnsetType = UNSET) -> bytes:
    """The task's document: what answers show of it, up to where its tail begins."""
    placement = None
    if task.board_id is not None:
        assert task.column_id is not None
        placement = PlacementView(task.board_id, task.column_id, task.rank, position)
    document = TaskDocument(
        id=task.id,
        title=task.title,
        body=task.body,
        status=task.status,
        due_at=task.due_at,
        due_on=task.due_on,
        reminder=task.reminder,
        recurrence=task.recurrence,
        time_zone=task.time_zone,
        tags=task.tags,
        placement=placement,
        archived=task.archived,
        visibility=task.visibility,
        idempotency_key=task.idempotency_key,
        has_body=task.has_body,
        created_at=task.created_at,
        updated_at=task.updated_at,
        completed_at=task.completed_at,
        version=task.version,
        priority=task.priority,
        attachments=task.attachments,
        metadata=task.metadata,
    )
    return _encode(document)[:-1]


def complete(document: bytes, owner: str, more: bytes | None, envelope: bytes | None | UnsetType = UNSET) -> bytes:
    """A document with its tail; for an interactive token also with its envelope, None if it has none."""
    whole = document + tail(owner, more)
    return whole if envelope is UNSET else whole[:-1] + b',"encryptedBody":%b}' % (envelope or b"null")


def tail(owner: str, more: bytes | None) -> bytes:
    """The end of a task's JSON, behind its document."""
    return _default_tail(owner) if more is None else _tail(owner, more)


@lru_cache(4096)
def _default_tail(owner: str) -> bytes:
    return _tail(owner, _encode(default_extras(owner)))


def _tail(owner: str, extras: bytes) -> bytes:
    return b',"spaceId":%b,%b' % (_encode(space_id_of(owner)), extras[1:])


def without_bodies(reply: bytes) -> bytes:
    """A kept reply about many tasks without the plaintext of any of them, whichever task was meant."""
    envelope = msgspec.json.decode(reply)
    for result in envelope.get("data", ()):
        if result["task"] is not None:
            result["task"]["body"] = None
    return _encode(envelope)
