"""Builds the components that send webhooks."""

from stowboard.core.sealing import Sealing
from stowboard.core.services import Services
from stowboard.deliveries.deliver import Deliverer
from stowboard.deliveries.settings import DeliverySettings
from stowboard.events.webhooks.sending import EventResources, WebhookSender
from stowboard.http.outgoing.client import Outgoing


def open_webhooks(services: Services, resources: EventResources, settings: DeliverySettings | None = None) -> None:
    """Needs the engine of deliveries, sealing and the outgoing client."""
    sender = WebhookSender(services.use(Outgoing), services.use(Sealing), resources, settings or DeliverySettings())
    services.use(Deliverer).add("whk", sender)
