"""Messages in the formats of services that people choose: ntfy, Gotify, Slack and its likes, Matrix, plain JSON."""

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


def write_request(
    channel_format: ChannelFormat, address: ChannelAddress, message: NotificationMessage, link: str, titles: bool
) -> ChannelRequest:
    heading, title = (message.heading, message.title) if titles else (message.discreet, "")
    text = f"{heading}: {title}" if title else heading
    bearer = [("authorization", f"Bearer {address.secret}")] if address.secret else []
    base = address.url.rstrip("/")
    match channel_format:
        case ChannelFormat.NTFY:
            root, _, topic = base.rpartition("/")
            shown = {"topic": topic, "title": heading, "message": title or heading, "click": link}
            body = _encode({**shown, "priority": 4 if message.urgent else 3})
            return ChannelRequest("POST", f"{root}/", [_JSON, *bearer], body)
        case ChannelFormat.GOTIFY:
            extras = {"client::notification": {"click": {"url": link}}}
            shown = {"title": heading, "message": title or heading}
            body = _encode({**shown, "priority": 8 if message.urgent else 5, "extras": extras})
            return ChannelRequest("POST", f"{base}/message", [_JSON, ("x-gotify-key", address.secret or "")], body)
        case ChannelFormat.SLACK:
            # Escaped, a title makes no link and calls nobody.
            escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return ChannelRequest("POST", address.url, [_JSON], _encode({"text": f"{escaped}\n{link}"}))
        case ChannelFormat.MATRIX:
            url = f"{base}/send/m.room.message/{quote(message.id)}"
            body = _encode({"msgtype": "m.text", "body": f"{text}\n{link}"})
            return ChannelRequest("PUT", url, [_JSON, *bearer], body)
        case _:
            payload = _encode({"id": message.id, "kind": message.kind, "title": text, "url": link})
            signed = signature_headers([address.secret or ""], message.id, clock.now_ms() // 1000, payload)
            return ChannelRequest("POST", address.url, [_JSON, *signed], payload)
