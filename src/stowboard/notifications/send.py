"""The jobs that send notifications: one for each channel, and one for mail.

The text is made when it is sent, from the present state, and membership is checked again. A killed process loses only
its note of an answer. Then a browser may be sent a message twice, but shows it once, since topic and tag are the same.
Each message is tried for as long as it is of use.
"""

import logging
from typing import NamedTuple

import msgspec

from stowboard.access.base.account_store import find_mail_address
from stowboard.access.spaces.space_store import find_reached
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.db.database import Tx
from stowboard.events.mail.mailer import Mailer, MailRefused
from stowboard.events.webhooks.sending import DeliveryOutcome
from stowboard.events.webhooks.settings import WebhookSettings
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import AnyKind, Job, JobKind
from stowboard.notifications import channel_store, notification_store
from stowboard.notifications.channel import FAILING_MS, ChannelFormat, NotificationChannel
from stowboard.notifications.notification import Notification, NotificationWay
from stowboard.notifications.sender import NotificationSender
from stowboard.notifications.words import NotificationMessage, compose

_PAUSES_S = WebhookSettings().pauses_s
log = logging.getLogger("stowboard.notifications")


class SendOrder(msgspec.Struct, frozen=True):
    ids: list[str]
    channel_id: str
    tries: int = 0


class MailOrder(msgspec.Struct, frozen=True):
    ids: list[str]


class PreparedMessage(NamedTuple):
    message: NotificationMessage
    notifications: list[Notification]


async def send_later(tx: Tx, notifications: list[Notification], channels: list[tuple[str, ChannelFormat]]) -> None:
    """Order the jobs that send these notifications, all of one person, to channels and by mail."""
    for channel_id, channel_format in channels:
        ids = [each.id for each in notifications if channel_format.way in each.via]
        if ids:
            await enqueue(tx, SEND, SendOrder(ids, channel_id), owner=notifications[0].person)
    mailed = [each.id for each in notifications if NotificationWay.MAIL in each.via]
    if mailed:
        await enqueue(tx, MAIL, MailOrder(mailed), owner=notifications[0].person)


async def send(job: Job, order: SendOrder) -> None:
    channel, prepared = await job.db.read(_prepare_to_send, order)
    outcome = None
    if channel is not None and prepared is not None:
        outcome = await job.use(NotificationSender).send(channel, prepared.message)
    await job.db.transact(_end, job, order, prepared, outcome)


async def _prepare_to_send(tx: Tx, order: SendOrder) -> tuple[NotificationChannel | None, PreparedMessage | None]:
    channel = await channel_store.find(tx, order.channel_id)
    if channel is None or channel.off_reason is not None:
        return None, None
    prepared = await _prepare(tx, order.ids, channel.person)
    if prepared is None or channel.format is not ChannelFormat.WEBPUSH:
        return channel, prepared
    access = Access.of_service(channel.person, *await find_reached(tx, channel.person))
    unread = await notification_store.count_unread(tx, access)
    return channel, prepared._replace(message=msgspec.structs.replace(prepared.message, unread=unread))


async def _prepare(tx: Tx, ids: list[str], person: str | None) -> PreparedMessage | None:
    """The message; None if nothing can be sent. `person` is the browser's person now, perhaps another than before."""
    found = [each for each in await notification_store.find_some(tx, ids) if person in (None, each.person)]
    message = await compose(tx, found)
    return PreparedMessage(message, found) if message is not None else None


async def _end(
    tx: Tx, job: Job, order: SendOrder, prepared: PreparedMessage | None, outcome: DeliveryOutcome | None
) -> None:
    again_s = None
    if outcome is not None and prepared is not None and await judge(tx, order.channel_id, outcome):
        again_s = max(_PAUSES_S[min(order.tries, len(_PAUSES_S) - 1)], outcome.retry_after_s or 0)
        if clock.now_ms() + again_s * 1000 > prepared.message.created_at + prepared.message.useful_s * 1000:
            again_s = None
    await job.complete(tx)
    if again_s is not None:
        again = msgspec.structs.replace(order, tries=order.tries + 1)
        await enqueue(tx, SEND, again, wait_ms=int(again_s * 1000), owner=job.owner)


async def judge(tx: Tx, channel_id: str, outcome: DeliveryOutcome) -> bool:
    """Log an attempt, and note whether the channel works; True if the message has to be tried again."""
    channel = await channel_store.find_and_lock(tx, channel_id)
    if channel is None:
        return False
    status, now = outcome.attempt.status, clock.now_ms()
    await channel_store.add_attempt(tx, channel_id, outcome.attempt)
    if outcome.succeeded:
        # A channel that was turned off because it failed is on again. A channel that a person turned off stays off.
        failing_since, off_reason = None, None if channel.failing_since is not None else channel.off_reason
    elif channel.format is ChannelFormat.WEBPUSH and status in (404, 410):
        await channel_store.remove(tx, channel_id)
        return False
    else:
        failing_since = channel.failing_since or now
        is_over = channel.off_reason is None and now - failing_since >= FAILING_MS
        said = outcome.attempt.error or f"It answered {status}: {outcome.attempt.answer[:200]}".rstrip(": ")
        off_reason = said if is_over else channel.off_reason
    await channel_store.put(tx, msgspec.structs.replace(channel, failing_since=failing_since, off_reason=off_reason))
    return not outcome.succeeded and off_reason is None and (status is None or status == 429 or status >= 500)


async def send_mail(job: Job, order: MailOrder) -> None:
    mailer = job.use(Mailer)
    prepared, address = await job.db.read(_prepare_mail, order)
    if prepared is not None and address is not None and mailer.is_set:
        message, causes = prepared.message, [each.cause for each in prepared.notifications]
        name = causes[0] if len(causes) == 1 else message.id
        try:
            await mailer.send(mailer.message(name, address, message.line, text_of(message, mailer.public_url)))
        except MailRefused as refusal:
            log.error("the notification %s cannot be mailed: %s", message.id, refusal)
    await job.db.transact(job.complete)


async def _prepare_mail(tx: Tx, order: MailOrder) -> tuple[PreparedMessage | None, str | None]:
    prepared = await _prepare(tx, order.ids, None)
    if prepared is None:
        return None, None
    return prepared, await find_mail_address(tx, prepared.notifications[0].person)


def text_of(message: NotificationMessage, public_url: str | None) -> str:
    link = [public_url + message.page, ""] if public_url is not None else []
    lines = [message.title or message.heading, "", *message.lines, *([""] if message.lines else []), *link]
    return "\n".join([*lines, "You get this because your account asks for it by mail.", ""])


SEND = JobKind("notifications.send", "notify", send, args=SendOrder, max_attempts=20)
MAIL = JobKind("notifications.mail", "mail", send_mail, args=MailOrder, max_attempts=30, retry_ms=15_000)
JOBS: list[AnyKind] = [SEND, MAIL]
