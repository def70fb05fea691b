"""Channels as destinations of deliveries.

The text is made when it is sent, from the present state, and membership is checked again. A killed process loses only
its note of an answer. Then a browser may be sent a message twice, but shows it once, since topic and tag are the same.
"""

import time

import msgspec

from stowboard import __version__
from stowboard.access.spaces.space_store import find_reached
from stowboard.core.caller import Access
from stowboard.core.errors import ValidationFailed
from stowboard.core.sealing import SealedElsewhere, Sealing
from stowboard.db.database import Tx
from stowboard.deliveries.ask import ask, without_answer
from stowboard.deliveries.delivery import Delivery, DeliveryOutcome
from stowboard.http.outgoing.client import Outgoing
from stowboard.http.outgoing.failure import OutgoingFailed, OutgoingReason
from stowboard.http.outgoing.target import read_target
from stowboard.notifications import channel_store, notification_store
from stowboard.notifications.channel import (
    SETTINGS,
    ChannelAddress,
    ChannelFormat,
    NotificationChannel,
    PushUnavailable,
    sealing_purpose,
)
from stowboard.notifications.formats import ChannelRequest, write_request
from stowboard.notifications.settings import PUSH_SERVICES, NotificationSettings, is_among
from stowboard.notifications.webpush import PushKey, seal
from stowboard.notifications.words import NotificationMessage, compose, useful_s

_USER_AGENT = ("user-agent", f"Stowboard/{__version__} (notifications)")
_encode = msgspec.json.Encoder().encode


class NotificationSender:
    """Channels as a kind of destinations."""

    find = staticmethod(channel_store.find)
    lock = staticmethod(channel_store.find_and_lock)
    change = staticmethod(channel_store.put)

    def __init__(self, outgoing: Outgoing, sealing: Sealing, key: PushKey, settings: NotificationSettings) -> None:
        self._outgoing, self._sealing, self._key, self._operator = outgoing, sealing, key, settings
        self.settings = SETTINGS

    @property
    def push_key(self) -> str:
        """Raises PushUnavailable."""
        if self._operator.push_subject is None:
            raise PushUnavailable
        return self._key.public

    async def check(self, channel_format: ChannelFormat, url: str, owner: str) -> str:
        """The host. Raises ValidationFailed for an address that nothing is sent to, or PushUnavailable."""
        try:
            host = self._check_host(channel_format, url)
            await self._outgoing.check(url, owner=owner)
        except OutgoingFailed as failure:
            if failure.reason is OutgoingReason.FORBIDDEN:  # a host name that is unknown today may be known tomorrow
                name = "endpoint" if channel_format is ChannelFormat.WEBPUSH else "url"
                raise ValidationFailed(f"{name}: {failure}") from None
        return host

    def _check_host(self, channel_format: ChannelFormat, url: str) -> str:
        """The host, if the operator lets this format be sent there. Raises ValidationFailed, PushUnavailable."""
        target = read_target(url)
        if channel_format is ChannelFormat.WEBPUSH:
            self._check_push(target.host, f"{target.scheme} {target.port}")
        elif self._operator.notify_hosts and not is_among(target.host, self._operator.notify_hosts):
            raise ValidationFailed(f"url: the operator allows {', '.join(self._operator.notify_hosts)} alone.")
        return target.host

    def _check_push(self, host: str, door: str) -> None:
        if self._operator.push_subject is None:
            raise PushUnavailable
        known = is_among(host, PUSH_SERVICES) and door == "https 443"
        if not known and not is_among(host, self._operator.push_hosts):
            raise ValidationFailed(
                f"endpoint: {host} is no push service of a browser, by https. An operator can allow it with"
                " STOWBOARD_PUSH_HOSTS."
            )

    def seal(self, channel_id: str, address: ChannelAddress) -> bytes:
        return self._sealing.seal(sealing_purpose(channel_id), _encode(address))

    async def prepare(self, tx: Tx, destination: NotificationChannel, delivery: Delivery) -> NotificationMessage | None:
        """None if nothing can be sent, as when the browser is another person's by now."""
        found = await notification_store.find_some(tx, delivery.about)
        message = await compose(tx, [each for each in found if each.person == destination.person])
        if message is None or destination.format is not ChannelFormat.WEBPUSH:
            return message
        access = Access.of_service(destination.person, *await find_reached(tx, destination.person))
        return msgspec.structs.replace(message, unread=await notification_store.count_unread(tx, access))

    async def send(self, destination: NotificationChannel, message: NotificationMessage) -> DeliveryOutcome:
        """Send it; a push service that finds it too large is sent the heading alone. One clock bounds both."""
        until = time.monotonic() + self.settings.seconds
        try:
            sealed = self._sealing.open(sealing_purpose(destination.id), destination.address)
            address = msgspec.json.decode(sealed, type=ChannelAddress)
            self._check_host(destination.format, address.url)  # hosts may have been taken from the list since
        except SealedElsewhere:
            return without_answer("The address was sealed with another key; add the channel again.")
        except (ValidationFailed, PushUnavailable) as problem:
            return without_answer(problem.message)
        outcome = await self._ask(destination, self._request(destination, address, message), until)
        if outcome.attempt.status == 413 and message.title:
            brief = msgspec.structs.replace(message, title="", excerpt="")
            outcome = await self._ask(destination, self._request(destination, address, brief), until)
        status, is_push = outcome.attempt.status, destination.format is ChannelFormat.WEBPUSH
        return msgspec.structs.replace(
            outcome,
            gone=is_push and status in (404, 410),
            final=status is not None and status != 429 and status < 500,
        )

    async def turn_off(self, tx: Tx, destination: NotificationChannel, outcome: DeliveryOutcome) -> None:
        """A browser that is gone loses its channel; another is off, for the reason that it gave last."""
        if outcome.gone:
            await channel_store.remove(tx, destination.id)
            return
        attempt = outcome.attempt
        said = attempt.error or f"It answered {attempt.status}: {attempt.answer[:200]}".rstrip(": ")
        await channel_store.put(tx, msgspec.structs.replace(destination, off_reason=said))

    async def _ask(self, channel: NotificationChannel, request: ChannelRequest, until: float) -> DeliveryOutcome:
        method, url, headers, body = request
        seconds = max(until - time.monotonic(), 0.001)
        return await ask(
            self._outgoing, method, url, [_USER_AGENT, *headers], body, seconds=seconds, owner=channel.person
        )

    def _request(
        self, channel: NotificationChannel, address: ChannelAddress, message: NotificationMessage
    ) -> ChannelRequest:
        link = channel.origin + message.page
        if channel.format is not ChannelFormat.WEBPUSH:
            return write_request(channel.format, address, message, link, channel.titles)
        shown = {
            "title": message.heading, "body": f"{message.title}\n{message.excerpt}".strip(), "navigate": link,
            "tag": message.id,
            "data": {"id": message.id, "kind": message.kind, "subject": message.subject},
        }  # fmt: skip
        # A browser with declarative push shows this by itself, others give it to the console's worker.
        badge = {} if message.unread is None else {"app_badge": message.unread}
        text = _encode({"web_push": 8030, "notification": shown, **badge})
        subject = self._operator.push_subject or ""
        headers = [
            ("content-type", "application/octet-stream"),
            ("content-encoding", "aes128gcm"),
            ("ttl", str(useful_s(message.kind))),
            ("urgency", "high" if message.urgent else "normal"),
            # Apple's service decodes it as base64; of 24 characters that always works.
            ("topic", message.id[-24:]),
            ("authorization", self._key.proof(address.url, subject)),
        ]
        return ChannelRequest("POST", address.url, headers, seal(address.p256dh, address.auth, text))
