"""A task, and what may be said of one."""

import re
from enum import StrEnum
from typing import NewType

import msgspec

from stowboard.core.errors import ValidationFailed

TaskId = NewType("TaskId", str)
LATEST_MS = 253_402_300_799_999
MAX_TITLE = 500
MAX_BODY = 100_000
MAX_TAGS = 50
MAX_TAG = 64


class Status(StrEnum):
    TODO = "todo"
    IN_PROGRESS = "in_progress"
    DONE = "done"


class Visibility(StrEnum):
    SERVER_READABLE = "server-readable"
    ZERO_KNOWLEDGE = "zero-knowledge"


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
    board_id: str | None = None
    column_id: str | None = None
    lane: str = ""
    rank: str = ""
    created_at: int = 0
    updated_at: int = 0
    completed_at: int | None = None
    version: int = 0
    #: The version that the index knows; None if it does not know the task.
    indexed_version: int | None = None

    @property
    def has_body(self) -> bool:
        return self.body is not None or self.encrypted_body is not None

    @property
    def zero_knowledge(self) -> bool:
        return self.visibility is Visibility.ZERO_KNOWLEDGE


def lane_of(owner: str, status: Status, column_id: str | None) -> str:
    """Where a task is ordered: in its column, or off every board in one lane per owner and status."""
    return column_id or f"u:{status}:{owner}"


def searchable(title: str, body: str | None) -> str:
    """The text that a search looks into, without differences of case."""
    return f"{title}\n{body or ''}".casefold()


def checked_title(title: str) -> str:
    title = title.strip()
    if not title:
        raise ValidationFailed("title: expected at least one character that is not a space.")
    return title


#: Commas, control characters, line ends. Joiners are left: families of emoji and Persian words are written with them.
_NOT_IN_TAGS = re.compile("[,\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def checked_tags(tags: list[str]) -> list[str]:
    """Trimmed, each once, in the given order. Raises ValidationFailed."""
    trimmed = list(dict.fromkeys(tag.strip() for tag in tags))
    if len(trimmed) > MAX_TAGS:
        raise ValidationFailed(f"tags: expected at most {MAX_TAGS}.")
    for tag in trimmed:
        if not 1 <= len(tag) <= MAX_TAG:
            raise ValidationFailed(f"tags: each tag needs 1 to {MAX_TAG} characters.")
        if _NOT_IN_TAGS.search(tag):
            raise ValidationFailed("tags: a tag may have neither commas nor control characters.")
    return trimmed
