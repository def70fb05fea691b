"""Messages in the formats of services that people choose: ntfy, Gotify, Slack and its likes, Matrix, plain JSON."""

from typing import NamedTuple
from urllib.parse import quote

import msgspec

from stowboard.core import clock
from stowboard.events.webhooks.signature import signature_headers
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
    priority = {ChannelFormat.NTFY: 4, ChannelFormat.GOTIFY: 8} if message.urgent else {}
    base = address.url.rstrip("/")
    match channel_format:
        case ChannelFormat.NTFY:
            root, _, topic = base.rpartition("/")
            body = {
                "topic": topic, "title": heading, "message": title or heading, "click": link,
                "priority": priority.get(channel_format, 3),
            }  # fmt: skip
            return ChannelRequest("POST", f"{root}/", [_JSON, *bearer], _encode(body))
        case ChannelFormat.GOTIFY:
            extras = {"client::notification": {"click": {"url": link}}}
            body = {
                "title": heading, "message": title or heading, "priority": priority.get(channel_format, 5),
                "extras": extras,
            }  # fmt: skip
            headers = [_JSON, ("x-gotify-key", address.secret or "")]
            return ChannelRequest("POST", f"{base}/message", headers, _encode(body))
        case ChannelFormat.SLACK:
            # Escaped, a title makes no link and calls nobody.
            escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
            return ChannelRequest("POST", address.url, [_JSON], _encode({"text": f"{escaped}\n{link}"}))
        case ChannelFormat.MATRIX:
            url = f"{base}/send/m.room.message/{quote(message.id)}"
            body = {"msgtype": "m.text", "body": f"{text}\n{link}"}
            return ChannelRequest("PUT", url, [_JSON, *bearer], _encode(body))
        case _:
            payload = _encode({"id": message.id, "kind": message.kind, "title": text, "url": link})
            signed = signature_headers([address.secret or ""], message.id, clock.now_ms() // 1000, payload)
            return ChannelRequest("POST", address.url, [_JSON, *signed], payload)
