"""Notifications: what the person behind the token was told."""

from collections.abc import Sequence

from msgspec import UNSET

from stowboard_client.transport.call import Call, Maybe, Model, data, members, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


class Notification(Model, frozen=True, kw_only=True):
    """`title` is that of the subject as it is now; None if it is gone or has none."""

    id: str
    #: Such as `reminder`, `completed`, `shared`.
    kind: str
    space_id: str
    subject: str
    actor: str | None
    title: str | None
    created_at: int
    read_at: int | None


class ReadNotifications(Model, frozen=True):
    #: How many were unread before.
    read: int


def list_notifications(*, unread: bool = False, limit: int | None = None) -> Call[Page[Notification]]:
    """Newest first. `meta.unread` of a page counts unread ones, up to 100."""
    query = {"unread": "true" if unread else None, "limit": limit}
    return Call("GET", "/notifications", whole(Page[Notification]), query=query)


def read_notifications(
    *, ids: Maybe[Sequence[str]] = UNSET, until: Maybe[str] = UNSET, idempotency_key: str | None = None
) -> Call[ReadNotifications]:
    """Mark these as read, or the one that `until` names and all that are older."""
    body = members(ids=ids, until=until)
    return Call("POST", "/notifications/read", data(ReadNotifications), body=body, idempotency_key=idempotency_key)


class Notifications(Resource[D]):
    list = Listing("listNotifications", list_notifications)
    read = Operation("readNotifications", read_notifications)
