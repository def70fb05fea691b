"""The text of a notification, made when it is sent: a title and a link, for a browser also the beginning of a comment.

The title of a zero-knowledge task never leaves: it is "A task" everywhere. Nothing is sent of a subject that is done,
deleted or out of the person's reach by then.
"""

from collections.abc import Sequence
from datetime import date

import msgspec

from stowboard.access.spaces import space_store
from stowboard.core.time_zones import wall_of, zone_of
from stowboard.db.database import Tx
from stowboard.events.feed import find_event, find_events
from stowboard.events.kinds import TASK_COMMENTED, TASK_REMINDER
from stowboard.notifications.notification import Notification, NotificationKind
from stowboard.notifications.subjects import find_for_service
from stowboard.tasks.base import comment_store
from stowboard.tasks.base.task import Status, Task
from stowboard.tasks.reminders import has_reminder

LONGEST_TITLE = 200
MOST_NAMED = 10
#: The heading of each kind, and the one for a channel that is sent no titles.
_SAID = {
    NotificationKind.ASSIGNED: ("{} assigned a task to you", "A task was assigned to you"),
    NotificationKind.MENTIONED: ("{} mentioned you", "You were mentioned"),
    NotificationKind.COMMENTED: ("{} commented", "A task has a comment"),
    NotificationKind.COMPLETED: ("{} completed a task", "A task was completed"),
    NotificationKind.REMINDER: ("Reminder", "A task is due"),
    NotificationKind.SHARED: ("{} shared a space with you", "A space was shared with you"),
    NotificationKind.FILES_ARRIVED: ("{} sent files", "Files have arrived"),
    NotificationKind.FAILED: ("Something failed", "Something failed"),
    NotificationKind.TOKEN_MADE: ("A token was made for you", "A token was made for you"),
}
#: Paths of pages by the prefix of the subject's id.
_PAGES = {
    "": "/notifications",
    "tsk": "/tasks/{}", "ast": "/media/{}", "vid": "/media/{}", "spc": "/spaces/{}", "tok": "/settings/tokens",
    "whk": "/settings/webhooks?webhook={}",
}  # fmt: skip
_OF_COMMENTS = (NotificationKind.MENTIONED, NotificationKind.COMMENTED)
_URGENT = (NotificationKind.REMINDER, NotificationKind.MENTIONED)
_read_reminder = msgspec.json.Decoder(TASK_REMINDER.data).decode
_read_comment = msgspec.json.Decoder(TASK_COMMENTED.data).decode


class NotificationMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message that is ready to be sent, whatever the way. `page` is the path of its link."""

    id: str
    kind: str
    heading: str
    #: The heading for a channel that is sent no titles.
    discreet: str
    title: str = ""
    #: The beginning of a comment. It is for browsers alone, which get everything sealed.
    excerpt: str = ""
    page: str = "/"
    subject: str = ""
    #: The number of unread notifications, for the icon of an installed console.
    unread: int | None = None
    urgent: bool = False
    #: Further lines of a mail.
    lines: list[str] = []
    created_at: int

    @property
    def line(self) -> str:
        return f"{self.heading}: {self.title}" if self.title else self.heading


def useful_s(kind: str) -> int:
    """How long a message is of use, for retries and for push services: a late reminder is of none."""
    return (4 if kind == NotificationKind.REMINDER else 24) * 3600


async def compose(tx: Tx, notifications: list[Notification]) -> NotificationMessage | None:
    """One message made of all that can still be sent of one person's notifications; None if nothing can."""
    said = [message for each in notifications if (message := await _compose_one(tx, each)) is not None]
    if len(said) < 2:
        return said[0] if said else None
    heading = f"{len(said)} notifications"
    lines = [message.line for message in said[:MOST_NAMED]]
    return NotificationMessage(
        id=said[-1].id, kind="several", heading=heading, discreet=heading, title="; ".join(lines)[:LONGEST_TITLE],
        page="/notifications", lines=lines, created_at=said[-1].created_at,
    )  # fmt: skip


async def find_comment_ids(tx: Tx, told: Sequence[Notification]) -> dict[str, str]:
    """The comments that these notifications are about, by their causes, while the events are kept."""
    causes = {each.cause for each in told if each.kind in _OF_COMMENTS}
    return {event.id: _read_comment(event.data).comment_id for event in await find_events(tx, sorted(causes))}


async def _compose_one(tx: Tx, told: Notification) -> NotificationMessage | None:
    prefix = told.subject.partition("_")[0]
    subject = (await find_for_service(tx, [told.space], [told.subject])).get(told.subject)
    if subject is None and prefix not in ("tok", "whk"):
        return None
    task = subject.task if subject is not None else None
    if not await space_store.find_reaching(tx, [told.person], [task.owner if task is not None else told.space]):
        return None
    if task is not None and await _is_pointless(tx, told, task):
        return None
    title = "" if subject is None else subject.shown
    heading, discreet = _SAID[told.kind]
    comment_id = (await find_comment_ids(tx, [told])).get(told.cause)
    return NotificationMessage(
        id=told.id,
        kind=told.kind,
        heading=heading.format(told.actor or "Somebody"),
        discreet=discreet,
        title=title[:LONGEST_TITLE],
        page=_page_of(told) + (f"?comment={comment_id}" if comment_id else ""),
        subject=told.subject,
        urgent=told.kind in _URGENT,
        excerpt=await _excerpt(tx, task, comment_id) if task is not None and comment_id else "",
        lines=_due(task) if task is not None and told.kind is NotificationKind.REMINDER else [],
        created_at=told.created_at,
    )


def _page_of(told: Notification) -> str:
    prefix = told.subject.partition("_")[0]
    # A space that waits for a yes is not in reach.
    return _PAGES["" if prefix == "spc" and told.subject != told.space else prefix].format(told.subject)


async def _is_pointless(tx: Tx, told: Notification, task: Task) -> bool:
    """True if there is nothing to tell any more: the task is archived, was done before, or reminds at another time."""
    if task.archived or task.in_trash or (task.status is Status.DONE and told.kind is not NotificationKind.COMPLETED):
        return True
    if told.kind is not NotificationKind.REMINDER:
        return False
    event = await find_event(tx, told.cause)
    return event is None or not has_reminder(task, _read_reminder(event.data).reminder)


async def _excerpt(tx: Tx, task: Task, comment_id: str) -> str:
    comment = None if task.zero_knowledge else await comment_store.find_comment(tx, task.id, comment_id)
    return comment.body[:LONGEST_TITLE] if comment is not None else ""


def _due(task: Task) -> list[str]:
    """A line with the time at which the task is due, as a clock in its zone shows it."""
    if task.due_at is None:
        return []
    if task.due_on is not None:
        return [f"Due: {date.fromisoformat(task.due_on):%A, %d %B %Y}"]
    try:
        due = wall_of(zone_of(task.time_zone), task.due_at)
    except OverflowError:
        return []  # the zone's wall clock has left the year 9999
    return [f"Due: {due:%A, %d %B %Y, %H:%M} ({task.time_zone})"]
