"""Webhooks as destinations of deliveries: the event as things are now, signed, and a webhook that is turned off."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import msgspec
from msgspec import UNSET, UnsetType

from stowboard import __version__
from stowboard.core import clock
from stowboard.core.sealing import SealedElsewhere, Sealing
from stowboard.db.database import Tx
from stowboard.deliveries.ask import ask, without_answer
from stowboard.deliveries.delivery import Delivery, DeliveryOutcome
from stowboard.deliveries.settings import DeliverySettings
from stowboard.deliveries.signature import signature_headers
from stowboard.events.feed import Event, find_event
from stowboard.events.kinds import WEBHOOK_DISABLED, WebhookDisabled
from stowboard.events.outbox import emit
from stowboard.events.wire import EventView, view
from stowboard.http.outgoing.client import Outgoing
from stowboard.webhooks import webhook_store
from stowboard.webhooks.webhook import DisabledReason, Webhook, WebhookInclude, sealing_purpose

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


class EventMessage(NamedTuple):
    """`payload` is None if the event is gone."""

    event_id: str
    payload: bytes | None


class WebhookSender:
    """Webhooks as a kind of destinations."""

    find = staticmethod(webhook_store.find)
    lock = staticmethod(webhook_store.lock)
    change = staticmethod(webhook_store.change)

    def __init__(
        self, outgoing: Outgoing, seal: Sealing, resources: EventResources, settings: DeliverySettings | None = None
    ) -> None:
        self._outgoing, self._seal, self._resources = outgoing, seal, resources
        self.settings = settings or DeliverySettings()

    async def prepare(self, tx: Tx, destination: Webhook, delivery: Delivery) -> EventMessage:
        event = await find_event(tx, delivery.message_id)
        payload = await self._payload(tx, destination, event) if event is not None else None
        return EventMessage(delivery.message_id, payload)

    async def send(self, destination: Webhook, message: EventMessage) -> DeliveryOutcome:
        if message.payload is None:
            return msgspec.structs.replace(without_answer("The event is no longer kept."), final=True, unsent=True)
        try:
            secrets = self._secrets(destination)
        except SealedElsewhere:
            return without_answer("The webhook's secret was sealed with another key; rotate it.")
        signed = signature_headers(secrets, message.event_id, clock.now_ms() // 1000, message.payload)
        seconds, owner = self.settings.seconds, destination.owner
        headers = [*_HEADERS, *signed]
        return await ask(
            self._outgoing, "POST", destination.url, headers, message.payload, seconds=seconds, owner=owner
        )

    async def turn_off(self, tx: Tx, destination: Webhook, outcome: DeliveryOutcome) -> None:
        reason = DisabledReason.GONE if outcome.gone else DisabledReason.FAILING
        await webhook_store.change(tx, msgspec.structs.replace(destination, enabled=False, disabled_reason=reason))
        told = WebhookDisabled(destination.id, reason)
        await emit(tx, WEBHOOK_DISABLED, destination.owner, destination.id, told)

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
