"""`/notifications/channels` and `/notifications/key`: the browsers and addresses of a person."""

import base64
import hashlib
import re
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.access.accounts.person import get_person_themselves
from stowboard.access.base.errors import AccountRequired
from stowboard.api.endpoint import Call, Deleted, Endpoint
from stowboard.core import clock
from stowboard.core.errors import ValidationFailed
from stowboard.core.ids import new_id
from stowboard.db.database import Database, Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.delivery import DeliveryAttempt, DeliveryOrder, DeliveryOutcome
from stowboard.deliveries.upkeep import clear_later
from stowboard.deliveries.verdict import write_down
from stowboard.deliveries.wire import DestinationName, DestinationUrl
from stowboard.notifications import channel_store
from stowboard.notifications.channel import (
    MOST_CHANNELS,
    ChannelAddress,
    ChannelFormat,
    NotificationChannel,
    PushUnavailable,
    TooManyChannels,
)
from stowboard.notifications.formats import FORMATS
from stowboard.notifications.sender import NotificationSender
from stowboard.notifications.webpush import AUTH_BYTES, is_point
from stowboard.notifications.words import NotificationMessage

_MOST_SHOWN = 20
_SECRET = re.compile(r"[\x21-\x7e]{1,500}")
_SIGNING_SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{32,88}={0,2}")
Titles = Annotated[bool, Meta(description="Whether titles are sent, or only that there is something.")]


class PushKeysBody(msgspec.Struct, frozen=True):
    """`keys` of the browser's subscription, in base64url."""

    p256dh: Annotated[str, Meta(max_length=200)]
    auth: Annotated[str, Meta(max_length=100)]


class CreateChannelBody(msgspec.Struct, frozen=True, kw_only=True):
    """A channel to be made: a browser by `endpoint` and `keys` of its subscription, or an address by `format` and
    `url`."""

    kind: Literal["push", "url"]
    name: DestinationName | None = None
    endpoint: DestinationUrl | None = None
    keys: PushKeysBody | None = None
    format: Literal["ntfy", "gotify", "slack", "matrix", "json"] | None = None
    url: DestinationUrl | None = None
    secret: Annotated[str, Meta(max_length=500, description="Never shown again.")] | None = None
    titles: Titles | None = None


class ChannelPatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes to a channel."""

    name: DestinationName | UnsetType = UNSET
    titles: Titles | UnsetType = UNSET
    enabled: Annotated[bool, Meta(description="true turns it on again.")] | UnsetType = UNSET


class ChannelView(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A channel, without its address and its secret. `offReason` says why it is off."""

    id: str
    kind: str
    format: ChannelFormat
    name: str
    host: str
    titles: bool
    failing_since: int | None
    off_reason: str | None
    seen_at: int
    created_at: int


class ChannelWithLog(ChannelView, frozen=True, kw_only=True, rename="camel"):
    """The same with the last attempts to send something, newest first."""

    log: list[DeliveryAttempt]


class PushKeyView(msgspec.Struct, frozen=True):
    """The key that a browser subscribes with (`applicationServerKey`), in base64url."""

    key: str


class CheckedChannel(NamedTuple):
    format: ChannelFormat
    address: ChannelAddress
    host: str


async def get_push_key(tx: Tx, call: Call[None, None]) -> PushKeyView:
    """Read the public key with which a browser subscribes to pushes."""
    await get_person_themselves(tx, call.caller)
    return PushKeyView(call.use(NotificationSender).push_key)


async def check_channel(call: Call[CreateChannelBody, None]) -> CheckedChannel:
    """Refuse now what would be refused later. It runs before the transaction, since it looks the host name up."""
    await call.use(Database).read(get_person_themselves, call.caller)
    read = _push_address if call.body.kind == "push" else _url_address
    channel_format, address = read(call.body)
    host = await call.use(NotificationSender).check(channel_format, address.url, call.caller.owner)
    return CheckedChannel(channel_format, address, host)


async def create_notification_channel(
    tx: Tx, call: Call[CreateChannelBody, None], checked: CheckedChannel
) -> ChannelView:
    """Add a browser or an address. A browser that is sent again keeps its channel.

    A browser belongs to the person who sent it last.
    """
    body, person, now = call.body, call.caller.owner, clock.now_ms()
    await tx.lock(f"channels {person}")
    whose = b"" if checked.format is ChannelFormat.WEBPUSH else f"{person} {checked.format} ".encode()
    digest = hashlib.sha256(whose + checked.address.url.encode()).digest()
    before = await channel_store.find_and_lock_by_digest(tx, person, digest)
    if before is None and len(await channel_store.list_of(tx, person)) >= MOST_CHANNELS:
        raise TooManyChannels
    channel_id = before.id if before is not None else new_id("chn")
    # A browser is sent at each start of the console, so it stays off if it was off. A person who adds an address wants
    # it on.
    known = before if checked.format is ChannelFormat.WEBPUSH else None
    channel = NotificationChannel(
        id=channel_id,
        person=person,
        format=checked.format,
        name=body.name or (before.name if before is not None else ""),
        host=checked.host,
        titles=body.titles is not False,
        origin=call.origin,
        digest=digest,
        address=call.use(NotificationSender).seal(channel_id, checked.address),
        seen_at=now,
        failures=known.failures if known is not None else 0,
        failing_since=known.failing_since if known is not None else None,
        resting_until=known.resting_until if known is not None else 0,
        off_reason=known.off_reason if known is not None else None,
        created_at=before.created_at if before is not None else now,
    )
    await channel_store.put(tx, channel)
    return _view(channel)


async def list_notification_channels(tx: Tx, call: Call[None, None]) -> list[ChannelView]:
    """List your browsers and addresses, newest first."""
    await get_person_themselves(tx, call.caller)
    return [_view(channel) for channel in await channel_store.list_of(tx, call.caller.owner)]


async def get_notification_channel(tx: Tx, call: Call[None, None], channel_id: str) -> ChannelWithLog:
    """Read one with its last attempts: when, how long, status, and the beginning of the answer."""
    await get_person_themselves(tx, call.caller)
    return await _with_log(tx, await channel_store.get(tx, call.caller.owner, channel_id))


async def update_notification_channel(tx: Tx, call: Call[ChannelPatch, None], channel_id: str) -> ChannelView:
    """Rename a channel, send titles or none, or turn one on again."""
    await get_person_themselves(tx, call.caller)
    channel, body = await channel_store.lock(tx, call.caller.owner, channel_id), call.body
    changes = {name: given for name in ("name", "titles") if (given := getattr(body, name)) is not UNSET}
    if body.enabled is True:
        changes |= {"off_reason": None, "failures": 0, "failing_since": None, "resting_until": 0}
    elif body.enabled is False:
        changes |= {"off_reason": "You turned it off."}
    changed = msgspec.structs.replace(channel, **changes)
    await channel_store.put(tx, changed)
    return _view(changed)


async def delete_notification_channel(tx: Tx, call: Call[None, None], channel_id: str) -> Deleted:
    """Delete a channel: nothing more is sent to it."""
    await get_person_themselves(tx, call.caller)
    await channel_store.get(tx, call.caller.owner, channel_id)
    await channel_store.remove(tx, channel_id)
    await clear_later(tx, channel_id)
    return Deleted(channel_id)


async def send_test(call: Call[None, None], channel_id: str) -> DeliveryOutcome:
    db = call.use(Database)
    await db.read(get_person_themselves, call.caller)
    channel = await db.read(channel_store.get, call.caller.owner, channel_id)
    said = "This is a test of Stowboard"
    message = NotificationMessage(
        id=new_id("ntf"), kind="test", heading=said, discreet=said, title="It works.", created_at=clock.now_ms()
    )
    return await call.use(NotificationSender).send(channel, message)


async def send_channel_test(
    tx: Tx, call: Call[None, None], channel_id: str, outcome: DeliveryOutcome
) -> ChannelWithLog:
    """Send a test now. The first entry of `log` is its answer."""
    channel = await channel_store.lock(tx, call.caller.owner, channel_id)
    if outcome.succeeded and channel.failing_since is not None:  # it was turned off because it failed
        await channel_store.put(tx, msgspec.structs.replace(channel, off_reason=None))
    test, now = new_id("ntf"), clock.now_ms()
    await delivery_store.order(tx, channel_id, [DeliveryOrder(test, now, "test", test, until=now)])
    await write_down(tx, call.use(NotificationSender), channel_id, test, 0, outcome)
    # A browser that is gone has lost its channel by now; the answer says why.
    return await _with_log(tx, await channel_store.find(tx, channel_id) or channel)


def _push_address(body: CreateChannelBody) -> tuple[ChannelFormat, ChannelAddress]:
    if body.endpoint is None or body.keys is None:
        raise ValidationFailed("A push channel needs endpoint and keys, as the browser's subscription has them.")
    p256dh, auth = _bytes("p256dh", body.keys.p256dh), _bytes("auth", body.keys.auth)
    if not is_point(p256dh):
        raise ValidationFailed("keys.p256dh: expected 65 bytes, a point of the curve P-256.")
    if len(auth) != AUTH_BYTES:
        raise ValidationFailed(f"keys.auth: expected {AUTH_BYTES} bytes.")
    return ChannelFormat.WEBPUSH, ChannelAddress(body.endpoint, p256dh=p256dh, auth=auth)


def _url_address(body: CreateChannelBody) -> tuple[ChannelFormat, ChannelAddress]:
    if body.format is None or body.url is None:
        raise ValidationFailed("A url channel needs format and url.")
    channel_format = ChannelFormat(body.format)
    pattern = _SIGNING_SECRET if channel_format is ChannelFormat.JSON else _SECRET
    needed = FORMATS[channel_format].secret
    if (body.secret or needed) and not pattern.fullmatch(body.secret or ""):
        raise ValidationFailed(f"secret: expected {needed or '1 to 500 printable ASCII characters without spaces'}.")
    return channel_format, ChannelAddress(body.url, body.secret)


def _bytes(name: str, text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise ValidationFailed(f"keys.{name}: expected base64url.") from None


async def _with_log(tx: Tx, channel: NotificationChannel) -> ChannelWithLog:
    shown = msgspec.structs.asdict(_view(channel))
    return ChannelWithLog(**shown, log=await delivery_store.last_attempts(tx, channel.id, _MOST_SHOWN))


def _view(channel: NotificationChannel) -> ChannelView:
    shown = {name: getattr(channel, name) for name in ChannelView.__struct_fields__ if name != "kind"}
    return ChannelView(kind=channel.format.way, **shown)


_ID = "chn_01kbr2x4q8e9w6y3t7n5m1c0vz"
_EXAMPLE = {
    "id": _ID, "kind": "url", "format": "ntfy", "name": "Phone", "host": "ntfy.sh", "titles": True,
    "failingSince": None, "offReason": None, "seenAt": 1794700000000, "createdAt": 1794700000000,
}  # fmt: skip
_LOG = [{"at": 1794700000100, "ms": 140, "status": 200, "error": None, "answer": "ok"}]
_ALL, _ONE = "/notifications/channels", "/notifications/channels/{channel_id}"

ENDPOINTS = [
    Endpoint(
        "GET", "/notifications/key", get_push_key, PushKeyView, errors=[AccountRequired, PushUnavailable],
        example={"key": "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"},
    ),
    Endpoint(
        "POST", _ALL, create_notification_channel, ChannelView, body=CreateChannelBody, status=201, secret=True,
        prepare=check_channel, errors=[AccountRequired, PushUnavailable, TooManyChannels],
        example_body={"kind": "url", "format": "ntfy", "url": "https://ntfy.sh/alice-tasks", "name": "Phone"},
        example=_EXAMPLE,
    ),
    Endpoint(
        "GET", _ALL, list_notification_channels, list[ChannelView], errors=[AccountRequired], example=[_EXAMPLE]
    ),
    Endpoint(
        "GET", _ONE, get_notification_channel, ChannelWithLog, errors=[AccountRequired],
        example={**_EXAMPLE, "log": _LOG},
    ),
    Endpoint(
        "PATCH", _ONE, update_notification_channel, ChannelView, body=ChannelPatch, errors=[AccountRequired],
        example_body={"titles": False}, example={**_EXAMPLE, "titles": False},
    ),
    Endpoint(
        "DELETE", _ONE, delete_notification_channel, Deleted, errors=[AccountRequired],
        example={"id": _ID, "deleted": True},
    ),
    Endpoint(
        "POST", f"{_ONE}/test", send_channel_test, ChannelWithLog, prepare=send_test,
        errors=[AccountRequired], example={**_EXAMPLE, "log": _LOG},
    ),
]  # fmt: skip
