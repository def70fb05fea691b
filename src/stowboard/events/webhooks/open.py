"""Builds the components that send webhooks."""

from stowboard.core.sealing import Sealing
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.events.webhooks.sending import EventResources, WebhookSender
from stowboard.events.webhooks.settings import WebhookSettings
from stowboard.http.outgoing.client import Outgoing


def open_webhooks(services: Services, resources: EventResources, settings: WebhookSettings | None = None) -> None:
    db, outgoing, seal = services.use(Database), services.use(Outgoing), services.use(Sealing)
    services.add(WebhookSender, WebhookSender(db, outgoing, seal, resources, settings or WebhookSettings()))
