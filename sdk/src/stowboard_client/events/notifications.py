"""Notifications: what the person behind the token was told, by which rules, and where to."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET

from stowboard_client.events.webhooks import DeliveryAttempt
from stowboard_client.transport.call import Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource

ChannelFormat: TypeAlias = Literal["ntfy", "gotify", "slack", "matrix", "json"]
_CHANNELS, _CHANNEL = "/notifications/channels", "/notifications/channels/{}"


class Notification(Model, frozen=True, kw_only=True):
    """`title` is that of the subject as it is now; None if it is gone or has none."""

    id: str
    #: The kind, such as `reminder`, `completed`, `shared`.
    kind: str
    space_id: str
    subject: str
    actor: str | None
    title: str | None
    #: The comment that it is about, for 30 days.
    comment_id: str | None
    created_at: int
    read_at: int | None


class ReadNotifications(Model, frozen=True):
    #: How many were unread before.
    read: int


def list_notifications(*, unread: bool = False, limit: int | None = None) -> Call[Page[Notification]]:
    """Your notifications, newest first. `meta.unread` of a page counts the unread ones, up to 100."""
    query = {"unread": "true" if unread else None, "limit": limit}
    return Call("GET", "/notifications", whole(Page[Notification]), query=query)


def read_notifications(
    *, ids: Maybe[Sequence[str]] = UNSET, until: Maybe[str] = UNSET, idempotency_key: str | None = None
) -> Call[ReadNotifications]:
    """Mark these as read, or the one that `until` names and all that are older."""
    body = members(ids=ids, until=until)
    return Call("POST", "/notifications/read", data(ReadNotifications), body=body, idempotency_key=idempotency_key)


class NotificationRule(Model, frozen=True, kw_only=True):
    """The ways (`inbox`, `push`, `mail`, `url`) on which you are told of a kind; the narrowest scope wins."""

    #: `all`, the id of a space, or of a board.
    scope: str
    kind: str
    channels: tuple[str, ...]


class NotificationChannel(Model, frozen=True, kw_only=True):
    """A browser, or an address that notifications are sent to."""

    id: str
    kind: str
    format: str
    name: str
    host: str
    titles: bool
    failing_since: int | None
    #: Why nothing is sent to it; None while it is on.
    off_reason: str | None
    seen_at: int
    created_at: int
    #: Only in the answer about one channel: the last attempts, newest first.
    log: tuple[DeliveryAttempt, ...] = ()


class PushKey(Model, frozen=True):
    key: str


def list_notification_rules() -> Call[tuple[NotificationRule, ...]]:
    return Call("GET", "/notifications/rules", data(tuple[NotificationRule, ...]))


def update_notification_rules(
    rules: Sequence[Mapping[str, Any]], *, idempotency_key: str | None = None
) -> Call[tuple[NotificationRule, ...]]:
    """Set rules: `{"scope": "all", "kind": "completed", "channels": ["inbox", "push"]}`. `[]` mutes, None removes."""
    answer, body = data(tuple[NotificationRule, ...]), {"rules": list(rules)}
    return Call("PATCH", "/notifications/rules", answer, body=body, idempotency_key=idempotency_key)


def get_push_key() -> Call[PushKey]:
    """The key that a browser subscribes with."""
    return Call("GET", "/notifications/key", data(PushKey))


def create_notification_channel(
    kind: Literal["push", "url"],
    *,
    name: Maybe[str | None] = UNSET,
    endpoint: Maybe[str] = UNSET,
    keys: Maybe[Mapping[str, str]] = UNSET,
    format: Maybe[ChannelFormat] = UNSET,  # noqa: A002
    url: Maybe[str] = UNSET,
    secret: Maybe[str | None] = UNSET,
    titles: Maybe[bool | None] = UNSET,
    idempotency_key: str | None = None,
) -> Call[NotificationChannel]:
    """Add an address by `format` and `url`, or a browser by the `endpoint` and `keys` of its subscription."""
    body = members(
        kind=kind, name=name, endpoint=endpoint, keys=keys, format=format, url=url, secret=secret, titles=titles
    )
    return Call("POST", _CHANNELS, data(NotificationChannel), body=body, idempotency_key=idempotency_key)


def list_notification_channels() -> Call[tuple[NotificationChannel, ...]]:
    """Newest first."""
    return Call("GET", _CHANNELS, data(tuple[NotificationChannel, ...]))


def get_notification_channel(channel_id: str) -> Call[NotificationChannel]:
    """One channel with its last attempts."""
    return Call("GET", path(_CHANNEL, channel_id), data(NotificationChannel))


def update_notification_channel(
    channel_id: str,
    *,
    name: Maybe[str] = UNSET,
    titles: Maybe[bool] = UNSET,
    enabled: Maybe[bool] = UNSET,
    idempotency_key: str | None = None,
) -> Call[NotificationChannel]:
    body, address = members(name=name, titles=titles, enabled=enabled), path(_CHANNEL, channel_id)
    return Call("PATCH", address, data(NotificationChannel), body=body, idempotency_key=idempotency_key)


def delete_notification_channel(channel_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    return Call("DELETE", path(_CHANNEL, channel_id), data(Deleted), idempotency_key=idempotency_key)


def send_channel_test(channel_id: str, *, idempotency_key: str | None = None) -> Call[NotificationChannel]:
    """Send a test now; the first entry of `log` is its answer."""
    address = path("/notifications/channels/{}/test", channel_id)
    return Call("POST", address, data(NotificationChannel), idempotency_key=idempotency_key)


class Notifications(Resource[D]):
    list = Listing("listNotifications", list_notifications)
    read = Operation("readNotifications", read_notifications)
    rules = Operation("listNotificationRules", list_notification_rules)
    update_rules = Operation("updateNotificationRules", update_notification_rules)
    push_key = Operation("getPushKey", get_push_key)
    add_channel = Operation("createNotificationChannel", create_notification_channel)
    channels = Operation("listNotificationChannels", list_notification_channels)
    channel = Operation("getNotificationChannel", get_notification_channel)
    update_channel = Operation("updateNotificationChannel", update_notification_channel)
    delete_channel = Operation("deleteNotificationChannel", delete_notification_channel)
    test_channel = Operation("sendChannelTest", send_channel_test)
