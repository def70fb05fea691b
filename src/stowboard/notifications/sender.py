"""Sends one message to one channel, through the guard of outgoing requests."""

import time

import msgspec

from stowboard import __version__
from stowboard.core.errors import ValidationFailed
from stowboard.core.sealing import SealedElsewhere, Sealing
from stowboard.events.webhooks.sending import DeliveryOutcome, ask, without_answer
from stowboard.http.outgoing.client import SECONDS, Outgoing
from stowboard.http.outgoing.failure import OutgoingFailed, OutgoingReason
from stowboard.http.outgoing.target import read_target
from stowboard.notifications.channel import (
    ChannelAddress,
    ChannelFormat,
    NotificationChannel,
    PushUnavailable,
    sealing_purpose,
)
from stowboard.notifications.formats import ChannelRequest, write_request
from stowboard.notifications.settings import PUSH_SERVICES, NotificationSettings, is_among
from stowboard.notifications.webpush import PushKey, seal
from stowboard.notifications.words import NotificationMessage

_USER_AGENT = ("user-agent", f"Stowboard/{__version__} (notifications)")
_encode = msgspec.json.Encoder().encode


class NotificationSender:
    def __init__(self, outgoing: Outgoing, sealing: Sealing, key: PushKey, settings: NotificationSettings) -> None:
        self._outgoing, self._sealing, self._key, self._settings = outgoing, sealing, key, settings

    @property
    def push_key(self) -> str:
        """Raises PushUnavailable."""
        if self._settings.push_subject is None:
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
        elif self._settings.notify_hosts and not is_among(target.host, self._settings.notify_hosts):
            raise ValidationFailed(f"url: the operator allows {', '.join(self._settings.notify_hosts)} alone.")
        return target.host

    def _check_push(self, host: str, door: str) -> None:
        if self._settings.push_subject is None:
            raise PushUnavailable
        known = is_among(host, PUSH_SERVICES) and door == "https 443"
        if not known and not is_among(host, self._settings.push_hosts):
            raise ValidationFailed(
                f"endpoint: {host} is no push service of a browser, by https. An operator can allow it with"
                " STOWBOARD_PUSH_HOSTS."
            )

    def seal(self, channel_id: str, address: ChannelAddress) -> bytes:
        return self._sealing.seal(sealing_purpose(channel_id), _encode(address))

    async def send(self, channel: NotificationChannel, message: NotificationMessage) -> DeliveryOutcome:
        """Send it; a push service that finds it too large is sent the heading alone. One clock bounds both."""
        until = time.monotonic() + SECONDS
        try:
            sealed = self._sealing.open(sealing_purpose(channel.id), channel.address)
            address = msgspec.json.decode(sealed, type=ChannelAddress)
            await self.check(
                channel.format, address.url, channel.person
            )  # hosts may have been taken from the list since
        except SealedElsewhere:
            return without_answer("The address was sealed with another key; add the channel again.")
        except (ValidationFailed, PushUnavailable) as problem:
            return without_answer(problem.message)
        outcome = await self._ask(channel, self._request(channel, address, message), SECONDS)
        if outcome.attempt.status == 413 and message.title:
            brief = msgspec.structs.replace(message, title="", excerpt="")
            outcome = await self._ask(channel, self._request(channel, address, brief), until - time.monotonic())
        return outcome

    async def _ask(self, channel: NotificationChannel, request: ChannelRequest, seconds: float) -> DeliveryOutcome:
        headers, owner = [_USER_AGENT, *request.headers], channel.person
        return await ask(
            self._outgoing, request.method, request.url, headers, request.body, max(seconds, 0.001), owner=owner
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
        subject = self._settings.push_subject or ""
        headers = [
            ("content-type", "application/octet-stream"),
            ("content-encoding", "aes128gcm"),
            ("ttl", str(message.useful_s)),
            ("urgency", "high" if message.urgent else "normal"),
            # Apple's service decodes it as base64; of 24 characters that always works.
            ("topic", message.id[-24:]),
            ("authorization", self._key.proof(address.url, subject)),
        ]
        return ChannelRequest("POST", address.url, headers, seal(address.p256dh, address.auth, text))
