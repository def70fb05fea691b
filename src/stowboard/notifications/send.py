"""Orders what is sent of notifications: deliveries to channels, and the job that mails."""

import logging

import msgspec

from stowboard.access.base.account_store import find_mail_address
from stowboard.db.database import Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.deliver import deliver_later
from stowboard.deliveries.delivery import DeliveryOrder
from stowboard.events.mail.mailer import Mailer, MailRefused
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import AnyKind, Job, JobKind
from stowboard.notifications import notification_store
from stowboard.notifications.channel import ChannelFormat
from stowboard.notifications.notification import Notification, NotificationWay
from stowboard.notifications.words import NotificationMessage, compose, useful_s

log = logging.getLogger("stowboard.notifications")


class MailOrder(msgspec.Struct, frozen=True):
    ids: list[str]


async def send_later(tx: Tx, notifications: list[Notification], channels: list[tuple[str, ChannelFormat]]) -> None:
    """Order what sends these notifications, all of one person, to channels and by mail."""
    for channel_id, channel_format in channels:
        told = [each for each in notifications if channel_format.way in each.via]
        if told:
            await delivery_store.order(tx, channel_id, [_delivery_of(told)])
            await deliver_later(tx, channel_id, told[0].person)
    mailed = [each.id for each in notifications if NotificationWay.MAIL in each.via]
    if mailed:
        await enqueue(tx, MAIL, MailOrder(mailed), owner=notifications[0].person)


def _delivery_of(told: list[Notification]) -> DeliveryOrder:
    """One message about these notifications, of use as long as the last of them."""
    last, kind = told[-1], told[-1].kind if len(told) == 1 else "several"
    until = last.created_at + useful_s(kind) * 1000
    return DeliveryOrder(last.id, last.created_at, kind, last.id, tuple(each.id for each in told), until)


async def send_mail(job: Job, order: MailOrder) -> None:
    mailer = job.use(Mailer)
    found, message, address = await job.db.read(_prepare_mail, order)
    if message is not None and address is not None and mailer.is_set:
        name = found[0].cause if len(found) == 1 else message.id
        try:
            await mailer.send(mailer.message(name, address, message.line, text_of(message, mailer.public_url)))
        except MailRefused as refusal:
            log.error("the notification %s cannot be mailed: %s", message.id, refusal)
    await job.db.transact(job.complete)


async def _prepare_mail(tx: Tx, order: MailOrder) -> tuple[list[Notification], NotificationMessage | None, str | None]:
    found = await notification_store.find_some(tx, order.ids)
    message = await compose(tx, found)
    return found, message, await find_mail_address(tx, found[0].person) if message is not None else None


def text_of(message: NotificationMessage, public_url: str | None) -> str:
    link = [public_url + message.page, ""] if public_url is not None else []
    lines = [message.title or message.heading, "", *message.lines, *([""] if message.lines else []), *link]
    return "\n".join([*lines, "You get this because your account asks for it by mail.", ""])


MAIL = JobKind("notifications.mail", "mail", send_mail, args=MailOrder, max_attempts=30, retry_ms=15_000)
JOBS: list[AnyKind] = [MAIL]
