"""A notification: one thing that one person is told, once."""

from enum import StrEnum

import msgspec

#: A notification stays in the inbox for this time.
KEPT_MS = 90 * 24 * 3600 * 1000


class NotificationKind(StrEnum):
    ASSIGNED = "assigned"
    MENTIONED = "mentioned"
    COMMENTED = "commented"
    COMPLETED = "completed"
    REMINDER = "reminder"
    SHARED = "shared"
    FILES_ARRIVED = "files_arrived"
    FAILED = "failed"
    TOKEN_MADE = "token_made"  # noqa: S105


class NotificationWay(StrEnum):
    """A way to a person: the inbox, their browsers, their mail, and addresses of their choice."""

    INBOX = "inbox"
    PUSH = "push"
    MAIL = "mail"
    URL = "url"


class Notification(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table `notification`."""

    id: str
    person: str
    kind: NotificationKind
    #: The owner whose space it is about.
    space: str
    subject: str
    cause: str
    #: The person who did it; None for the service itself, and for a token of a space.
    actor: str | None
    inbox: bool
    via: list[NotificationWay]
    waits: bool = False
    created_at: int
    read_at: int | None = None
