"""`/notifications`: a person's inbox."""

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from stowboard.access.accounts.person import get_person
from stowboard.access.base.errors import AccountRequired
from stowboard.api.endpoint import Answer, Call, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.core.errors import ValidationFailed
from stowboard.core.reach import space_id_of
from stowboard.db.database import Tx
from stowboard.notifications import notification_store
from stowboard.notifications.notification import Notification, NotificationKind
from stowboard.notifications.subjects import SCOPES, NotifiedSubject, find_subjects
from stowboard.notifications.words import find_comment_ids

MOST_IDS = 100


class InboxQuery(PageQuery, frozen=True):
    unread: Annotated[bool, Meta(description="true for unread ones alone.")] = False


class InboxMeta(PageMeta, frozen=True, rename="camel"):
    """`meta` of the inbox: `unread` is counted up to 100."""

    unread: int


class NotificationView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A notification. `title` is that of its subject as it is now; null if it is gone or has none."""

    id: str
    kind: NotificationKind
    space_id: str
    subject: str
    actor: Annotated[str | None, Meta(description="The person who did it.")]
    title: str | None
    comment_id: Annotated[str | None, Meta(description="The comment that it is about, for 30 days.")]
    created_at: int
    read_at: int | None


class ReadBody(msgspec.Struct, frozen=True):
    """The notifications that were read: some, or one and all that are older."""

    EITHER: ClassVar = ("ids", "until")

    ids: Annotated[list[Annotated[str, Meta(max_length=64)]], Meta(min_length=1, max_length=MOST_IDS)] | None = None
    until: (
        Annotated[str, Meta(max_length=64, description="The id of the newest one; at most 10,000 are marked.")] | None
    ) = None


class ReadView(msgspec.Struct, frozen=True):
    """How many were unread before."""

    read: int


async def list_notifications(tx: Tx, call: Call[None, InboxQuery]) -> Answer:
    """List what you were told, newest first, in the spaces that the token reaches. They stay for 90 days.

    `meta.unread` is the number of unread ones, up to 100.
    """
    await get_person(tx, call.caller)
    page, access = Page(call, "notifications", call.caller.owner, call.query.unread), call.access
    listed = await notification_store.list_inbox(tx, access, call.query.unread, page.after, page.size)
    shown = [each.subject for each in listed.items if _scope(each.subject) in (None, *call.caller.scopes)]
    subjects = await find_subjects(tx, access, shown)
    comments = await find_comment_ids(tx, [each for each in listed.items if each.subject in subjects])
    views = [_view(each, subjects.get(each.subject), comments.get(each.cause)) for each in listed.items]
    answer = page.answer(views, listed.end)
    unread = await notification_store.count_unread(tx, access)
    return Answer(answer.data, InboxMeta(**msgspec.structs.asdict(answer.meta), unread=unread))


async def read_notifications(tx: Tx, call: Call[ReadBody, None]) -> ReadView:
    """Mark notifications as read: those with these ids, or the one that `until` names and all that are older."""
    await get_person(tx, call.caller)
    ids, until = call.body.ids, call.body.until
    if (ids is None) == (until is None):
        raise ValidationFailed("Send either ids or until.")
    if until is not None:
        count = await notification_store.mark_read_until(tx, call.access, until)
    else:
        count = await notification_store.mark_read(tx, call.access, list(dict.fromkeys(ids or [])))
    await notification_store.tell_of_change(tx, [call.caller.owner] if count else [])
    return ReadView(count)


def _scope(subject: str) -> str | None:
    return SCOPES.get(subject.partition("_")[0])


def _view(notification: Notification, subject: NotifiedSubject | None, comment_id: str | None) -> NotificationView:
    return NotificationView(
        id=notification.id,
        kind=notification.kind,
        space_id=space_id_of(notification.space),
        subject=notification.subject,
        actor=notification.actor,
        title=subject.title if subject is not None else None,
        comment_id=comment_id if subject is not None else None,
        created_at=notification.created_at,
        read_at=notification.read_at,
    )


_ID = "ntf_01kbr2x4q8e9w6y3t7n5m1c0vz"
_EXAMPLE = {
    "id": _ID, "kind": "completed", "spaceId": "spc_01ka2z5v8x9g3j7m1q5r8t0v2x",
    "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd", "actor": "bob", "title": "Renew cert",
    "commentId": None, "createdAt": 1794700000000, "readAt": None,
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "GET", "/notifications", list_notifications, list[NotificationView], query=InboxQuery, meta=InboxMeta,
        errors=[AccountRequired], example=[_EXAMPLE],
    ),
    Endpoint(
        "POST", "/notifications/read", read_notifications, ReadView, body=ReadBody, errors=[AccountRequired],
        example_body={"until": _ID}, example={"read": 3},
    ),
]  # fmt: skip
