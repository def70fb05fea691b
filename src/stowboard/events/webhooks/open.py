"""Builds the components that send webhooks."""

from stowboard.core.sealing import Sealing
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.events.webhooks.deliver import DeliverySlots
from stowboard.events.webhooks.sending import EventResources, WebhookSender
from stowboard.events.webhooks.settings import WebhookSettings
from stowboard.http.outgoing.client import Outgoing


def open_webhooks(services: Services, resources: EventResources, settings: WebhookSettings | None = None) -> None:
    settings = settings or WebhookSettings()
    services.add(DeliverySlots, DeliverySlots(settings.at_once_in_all))
    db, outgoing, seal = services.use(Database), services.use(Outgoing), services.use(Sealing)
    services.add(WebhookSender, WebhookSender(db, outgoing, seal, resources, settings))
