"""Quiet hours, after which all that waited is sent as one message; and the digest, a mail at a chosen time."""

import contextlib
from datetime import timedelta

import msgspec

from stowboard.access.base import account_store
from stowboard.access.spaces.space_store import find_reached
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.time_zones import instant_of, wall_of, zone_of
from stowboard.db.database import Tx
from stowboard.events.mail.mailer import Mailer, MailRefused
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import AnyKind, Job, JobKind, NoArgs
from stowboard.jobs.schedule import PeriodicJob
from stowboard.notifications import channel_store, notification_store
from stowboard.notifications.send import send_later
from stowboard.notifications.subjects import find_subjects
from stowboard.tasks.base import task_store

MOST_NAMED = 20
BATCH = 100


class TellingOrder(msgspec.Struct, frozen=True):
    """`at` is the time that a digest is for."""

    person: str
    at: int = 0


async def wait_until(tx: Tx, person: str, end: int) -> None:
    """Order a job that sends all that waits when the quiet hours end."""
    await enqueue(tx, SUM_UP, TellingOrder(person), due=end, dedup=person, owner=person)


async def sum_up(job: Job, order: TellingOrder) -> None:
    while not await job.db.transact(_sum_up, job, order.person):
        pass


async def _sum_up(tx: Tx, job: Job, person: str) -> bool:
    """Send one message about the notifications that waited longest; True if these were all."""
    waiting = await notification_store.find_waiting(tx, person, BATCH)
    await send_later(tx, waiting, (await channel_store.find_on(tx, [person]))[person])
    await notification_store.end_waiting(tx, waiting)
    is_last = len(waiting) < BATCH
    if is_last:
        await job.complete(tx)
    return is_last


async def order_digests(job: Job, _: NoArgs) -> None:
    while await job.db.transact(_order_digests) == BATCH:
        pass


async def _order_digests(tx: Tx) -> int:
    due = await account_store.find_with_digest(tx, clock.now_ms(), BATCH)
    for account, at in due:
        await enqueue(tx, DIGEST, TellingOrder(account.username, at), dedup=account.username, owner=account.username)
        await account_store.set_profile(tx, account)  # with the time of the next one
    return len(due)


async def send_digest(job: Job, order: TellingOrder) -> None:
    lines, address = await job.db.read(_digest, order)
    mailer = job.use(Mailer)
    if lines and address is not None and mailer.is_set:
        link = [mailer.public_url, ""] if mailer.public_url is not None else []
        text = "\n".join([*lines, "", *link, "You get this because your account asks for a digest.", ""])
        with contextlib.suppress(MailRefused):  # the address is wrong, and tomorrow's digest is another one
            await mailer.send(mailer.message(f"digest-{order.person}-{order.at}", address, "Your day", text))
    await job.db.transact(job.complete)


async def _digest(tx: Tx, order: TellingOrder) -> tuple[list[str], str | None]:
    """The digest: tasks due until the end of the day, and unread notifications. Spaces that they left give nothing."""
    account = await account_store.find_by_username(tx, order.person)
    if account is None or account.disabled or account.digest is None:
        return [], None
    zone = zone_of(account.time_zone or "UTC")
    tomorrow = wall_of(zone, order.at).replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
    spaces = await find_reached(tx, order.person)
    access = Access.of_service(order.person, *spaces)
    due = await task_store.find_due(tx, order.person, spaces, instant_of(zone, tomorrow), MOST_NAMED)
    unread = (await notification_store.list_inbox(tx, access, unread=True, after=None, size=MOST_NAMED)).items
    subjects = await find_subjects(tx, access, [each.subject for each in unread])
    news = [subjects[each.subject].shown for each in unread if each.subject in subjects]
    parts = [("Due:", ["A task" if task.zero_knowledge else task.title for task in due]), ("Unread:", news)]
    lines = [line for heading, titles in parts if titles for line in (heading, *(f"- {each}" for each in titles))]
    return lines, await account_store.find_mail_address(tx, order.person)


SUM_UP = JobKind("notifications.sum_up", "notify", sum_up, args=TellingOrder)
DIGEST = JobKind("notifications.digest", "mail", send_digest, args=TellingOrder, max_attempts=30, retry_ms=15_000)
_ORDER = JobKind("notifications.order_digests", "sweep", order_digests, args=NoArgs)
PERIODICS = [PeriodicJob("notifications.order_digests", 60_000, _ORDER, NoArgs())]
JOBS: list[AnyKind] = [SUM_UP, DIGEST, _ORDER]
