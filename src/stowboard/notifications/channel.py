"""A channel: a browser, or an address of a person's choice, that notifications are sent to."""

from enum import StrEnum

import msgspec

from stowboard.core.errors import Conflict, Problem
from stowboard.deliveries.settings import DeliverySettings
from stowboard.notifications.notification import NotificationWay

MOST_CHANNELS = 10
#: A browser that has not come for this time is forgotten: some push services take messages for browsers that are gone.
UNSEEN_MS = 60 * 24 * 3600 * 1000
#: A channel that refuses everything for three days is turned off.
SETTINGS = DeliverySettings(disabled_after_s=3 * 24 * 3600)


class ChannelFormat(StrEnum):
    WEBPUSH = "webpush"
    NTFY = "ntfy"
    GOTIFY = "gotify"
    SLACK = "slack"
    MATRIX = "matrix"
    JSON = "json"

    @property
    def way(self) -> NotificationWay:
        return NotificationWay.PUSH if self is ChannelFormat.WEBPUSH else NotificationWay.URL


class ChannelAddress(msgspec.Struct, frozen=True):
    """The secret part of a channel; it is kept sealed. `p256dh` and `auth` are the keys of a browser."""

    url: str
    secret: str | None = None
    p256dh: bytes = b""
    auth: bytes = b""


class NotificationChannel(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table `notification_channel`."""

    id: str
    person: str
    format: ChannelFormat
    name: str
    host: str
    #: False if titles are not sent, but only the news that there is something.
    titles: bool
    #: The beginning of links.
    origin: str
    digest: bytes
    address: bytes
    seen_at: int
    failures: int = 0
    failing_since: int | None
    resting_until: int = 0
    #: Why it is off: the answer after which it was turned off, or its person's wish. None while it is on.
    off_reason: str | None
    created_at: int

    @property
    def owner(self) -> str:
        return self.person

    @property
    def enabled(self) -> bool:
        return self.off_reason is None


class TooManyChannels(Conflict):
    message = f"You have {MOST_CHANNELS} channels already; delete one first."


class PushUnavailable(Problem):
    status, code = 409, "push_unavailable"
    message = (
        "This installation cannot send pushes: push services ask for an address of its operator. Set"
        " STOWBOARD_MAIL_FROM, or STOWBOARD_PUBLIC_URL with https and a public name."
    )
    advice = "Ask the operator; `stowboard doctor` says what is missing."


def sealing_purpose(channel_id: str) -> str:
    """The purpose that the address of a channel is sealed for: in another row it could not be opened."""
    return f"notification channel {channel_id}"
