"""Messages in the formats of services that people choose: a function and a row of the table for each."""

from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import quote

import msgspec

from stowboard.core import clock
from stowboard.deliveries.signature import signature_headers
from stowboard.notifications.channel import ChannelAddress, ChannelFormat
from stowboard.notifications.words import NotificationMessage

_encode = msgspec.json.Encoder().encode
_JSON = ("content-type", "application/json")


class ChannelRequest(NamedTuple):
    method: str
    url: str
    headers: list[tuple[str, str]]
    body: bytes


class ShownMessage(NamedTuple):
    """A message as a channel shows it, with titles or without."""

    id: str
    kind: str
    heading: str
    title: str
    link: str
    urgent: bool

    @property
    def text(self) -> str:
        return f"{self.heading}: {self.title}" if self.title else self.heading


class FormatRow(NamedTuple):
    write: Callable[[ChannelAddress, ShownMessage], ChannelRequest]
    #: The secret that it needs, in words. Without words it takes one, and needs none.
    secret: str | None = None


def write_request(
    channel_format: ChannelFormat, address: ChannelAddress, message: NotificationMessage, link: str, titles: bool
) -> ChannelRequest:
    heading, title = (message.heading, message.title) if titles else (message.discreet, "")
    shown = ShownMessage(message.id, message.kind, heading, title, link, message.urgent)
    return FORMATS[channel_format].write(address, shown)


def _ntfy(address: ChannelAddress, message: ShownMessage) -> ChannelRequest:
    root, _, topic = address.url.rstrip("/").rpartition("/")
    shown = {"title": message.heading, "message": message.title or message.heading, "click": message.link}
    body = _encode({"topic": topic, **shown, "priority": 4 if message.urgent else 3})
    return ChannelRequest("POST", f"{root}/", [_JSON, *_bearer(address)], body)


def _gotify(address: ChannelAddress, message: ShownMessage) -> ChannelRequest:
    shown = {"title": message.heading, "message": message.title or message.heading}
    extras = {"client::notification": {"click": {"url": message.link}}}
    body = _encode({**shown, "priority": 8 if message.urgent else 5, "extras": extras})
    key = ("x-gotify-key", address.secret or "")
    return ChannelRequest("POST", f"{address.url.rstrip('/')}/message", [_JSON, key], body)


def _slack(address: ChannelAddress, message: ShownMessage) -> ChannelRequest:
    # Escaped, a title makes no link and calls nobody.
    escaped = message.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return ChannelRequest("POST", address.url, [_JSON], _encode({"text": f"{escaped}\n{message.link}"}))


def _matrix(address: ChannelAddress, message: ShownMessage) -> ChannelRequest:
    url = f"{address.url.rstrip('/')}/send/m.room.message/{quote(message.id)}"
    body = _encode({"msgtype": "m.text", "body": f"{message.text}\n{message.link}"})
    return ChannelRequest("PUT", url, [_JSON, *_bearer(address)], body)


def _json(address: ChannelAddress, message: ShownMessage) -> ChannelRequest:
    payload = _encode({"id": message.id, "kind": message.kind, "title": message.text, "url": message.link})
    signed = signature_headers([address.secret or ""], message.id, clock.now_ms() // 1000, payload)
    return ChannelRequest("POST", address.url, [_JSON, *signed], payload)


def _bearer(address: ChannelAddress) -> list[tuple[str, str]]:
    return [("authorization", f"Bearer {address.secret}")] if address.secret else []


FORMATS = {
    ChannelFormat.NTFY: FormatRow(_ntfy),
    ChannelFormat.GOTIFY: FormatRow(_gotify, "the application's token"),
    ChannelFormat.SLACK: FormatRow(_slack),
    ChannelFormat.MATRIX: FormatRow(_matrix, "an access token"),
    ChannelFormat.JSON: FormatRow(_json, "whsec_ and 24 to 64 bytes in base64, which you choose"),
}
