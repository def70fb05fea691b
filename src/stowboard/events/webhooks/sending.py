"""One attempt of a delivery: build the request as things are now, send it through the guard, return the outcome."""

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol

import msgspec
from msgspec import UNSET, UnsetType

from stowboard import __version__
from stowboard.core import clock
from stowboard.core.sealing import SealedElsewhere, Sealing
from stowboard.core.turns import Lanes
from stowboard.db.database import Database, Tx
from stowboard.events.feed import Event, find_event
from stowboard.events.webhooks import delivery_store, webhook_store
from stowboard.events.webhooks.delivery import DeliveryAttempt, DeliveryStatus
from stowboard.events.webhooks.settings import WebhookSettings
from stowboard.events.webhooks.signature import signature_headers
from stowboard.events.webhooks.webhook import Webhook, WebhookInclude, sealing_purpose
from stowboard.events.wire import EventView, view
from stowboard.http.outgoing.client import Outgoing, OutgoingReply
from stowboard.http.outgoing.failure import OutgoingFailed

ANSWER_BYTES = 1024
_encode = msgspec.json.Encoder().encode
_HEADERS = [("content-type", "application/json"), ("user-agent", f"Stowboard/{__version__} (webhooks)")]


class EventResources(Protocol):
    """Given by the composition root: it knows tasks, boards, assets and videos."""

    async def find(
        self, tx: Tx, owners: Sequence[str], scopes: frozenset[str], origin: str, subject: str
    ) -> msgspec.Raw | None:
        """The resource as the API answers a GET in the spaces of these owners; None if it is gone or not there."""


class DeliveryPayload(EventView, frozen=True):
    """The body of a delivery: the event, and its resource where `include` asks for it."""

    resource: msgspec.Raw | None | UnsetType = UNSET


class DeliveryRequest(msgspec.Struct, frozen=True):
    """A delivery that is ready to be sent. `tries` counts earlier attempts; `payload` is None if the event is gone."""

    webhook: Webhook
    event_id: str
    tries: int
    payload: bytes | None


class DeliveryOutcome(msgspec.Struct, frozen=True):
    attempt: DeliveryAttempt
    succeeded: bool = False
    #: The receiver answered 410: it wants no more events.
    gone: bool = False
    #: Another attempt makes no sense.
    final: bool = False
    #: The wait that the receiver asks for.
    retry_after_s: float | None = None


class WebhookSender:
    def __init__(
        self, db: Database, outgoing: Outgoing, seal: Sealing, resources: EventResources, settings: WebhookSettings
    ):
        self._db, self._outgoing, self._seal, self._resources = db, outgoing, seal, resources
        self.settings = settings
        #: Requests of this process to addresses of webhooks.
        self.lanes = Lanes(settings.at_once_in_all, settings.at_once_of_one)

    async def prepare(self, webhook_id: str, event_id: str) -> DeliveryRequest | None:
        """None if the delivery is over, or the webhook is disabled or gone."""
        return await self._db.read(self._prepare, webhook_id, event_id)

    async def send(self, request: DeliveryRequest) -> DeliveryOutcome:
        if request.payload is None:
            return msgspec.structs.replace(without_answer("The event is no longer kept."), final=True)
        try:
            secrets = self._secrets(request.webhook)
        except SealedElsewhere:
            return without_answer("The webhook's secret was sealed with another key; rotate it.")
        signed = signature_headers(secrets, request.event_id, clock.now_ms() // 1000, request.payload)
        headers, seconds = [*_HEADERS, *signed], self.settings.seconds
        url, owner = request.webhook.url, request.webhook.owner
        return await ask(self._outgoing, "POST", url, headers, request.payload, seconds, owner=owner)

    async def _prepare(self, tx: Tx, webhook_id: str, event_id: str) -> DeliveryRequest | None:
        webhook = await webhook_store.find(tx, webhook_id)
        delivery = await delivery_store.find(tx, webhook_id, event_id)
        if webhook is None or delivery is None or not webhook.enabled or delivery.status != DeliveryStatus.PENDING:
            return None
        event = await find_event(tx, event_id)
        payload = await self._payload(tx, webhook, event) if event is not None else None
        return DeliveryRequest(webhook, event_id, delivery.tries, payload)

    async def _payload(self, tx: Tx, webhook: Webhook, event: Event) -> bytes:
        shown = msgspec.structs.asdict(view(event))
        if webhook.include != WebhookInclude.RESOURCE:
            return _encode(DeliveryPayload(**shown))
        scopes = frozenset(webhook.scopes)
        resource = await self._resources.find(tx, webhook.spaces, scopes, webhook.origin, event.subject)
        return _encode(DeliveryPayload(**shown, resource=resource))

    def _secrets(self, webhook: Webhook) -> list[str]:
        """The secrets that sign now. Raises SealedElsewhere."""
        sealed = [webhook.secret]
        if webhook.old_secret is not None and (webhook.old_secret_until or 0) > clock.now_ms():
            sealed.append(webhook.old_secret)
        return [self._seal.open(sealing_purpose(webhook.id), each).decode() for each in sealed]


async def ask(
    outgoing: Outgoing,
    method: str,
    url: str,
    headers: Sequence[tuple[str, str]],
    payload: bytes,
    seconds: float,
    *,
    owner: str,
) -> DeliveryOutcome:
    """Send one request through the guard, and say what came of it."""
    started, at = time.monotonic(), clock.now_ms()
    try:
        reply = await outgoing.fetch(
            method, url, headers, payload, most=ANSWER_BYTES, beginning=True, seconds=seconds, owner=owner
        )  # fmt: skip
    except OutgoingFailed as failure:
        return without_answer(_clean(str(failure)), at, _ms_since(started))
    answer = _clean(reply.body.decode("utf-8", "replace"))
    attempt = DeliveryAttempt(at=at, ms=_ms_since(started), status=reply.status, error=None, answer=answer)
    if 200 <= reply.status < 300:
        return DeliveryOutcome(attempt, succeeded=True)
    return DeliveryOutcome(attempt, gone=reply.status == 410, retry_after_s=_retry_after(reply))


def without_answer(error: str, at: int | None = None, ms: int = 0) -> DeliveryOutcome:
    """The outcome of an attempt that was not sent, or not answered."""
    at = clock.now_ms() if at is None else at
    return DeliveryOutcome(DeliveryAttempt(at=at, ms=ms, status=None, error=error, answer=""))


def _ms_since(started: float) -> int:
    return int((time.monotonic() - started) * 1000)


def _retry_after(reply: OutgoingReply) -> float | None:
    """Retry-After in seconds or as a date; None if it cannot be read."""
    text = reply.headers.get("retry-after", "").strip()
    if text.isdecimal() and len(text) < 10:
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _clean(text: str) -> str:
    """PostgreSQL has no NUL in texts."""
    return text.replace("\0", "")
