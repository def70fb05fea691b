"""Webhooks: events sent to an address of the owner's choice, and how their receiver checks them."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from msgspec import UNSET

from stowboard_client.events.verifying import verify_payload
from stowboard_client.transport.call import Actor, Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource

Include: TypeAlias = Literal["resource"]
DeliveryStatus: TypeAlias = Literal["pending", "delivered", "failed"]


class Webhook(Model, frozen=True, kw_only=True):
    """A webhook without its secret. Timestamps are milliseconds since the epoch."""

    id: str
    url: str
    types: tuple[str, ...]
    name: str
    include: str | None
    enabled: bool
    #: `owner`, `gone` after an answer of 410, or `failing` after days without one success.
    disabled_reason: str | None
    failing_since: int | None
    old_secret_until: int | None
    created_at: int
    updated_at: int
    space_id: str = ""


class IssuedWebhook(Webhook, frozen=True, kw_only=True):
    #: For `verify`. The service shows it this once.
    secret: str


class DeliveryAttempt(Model, frozen=True, kw_only=True):
    """One request. `status` is None where there was no answer, and `error` says why."""

    at: int
    ms: int
    status: int | None
    error: str | None
    answer: str


class WebhookDelivery(Model, frozen=True, kw_only=True):
    event_id: str
    type: str
    subject: str
    sequence: int
    status: str
    attempts: int
    next_attempt_at: int | None
    created_at: int
    ended_at: int | None
    #: Only in the answer about one delivery: its latest attempts, newest first.
    log: tuple[DeliveryAttempt, ...] = ()


class WebhookTest(Model, frozen=True, kw_only=True):
    event_id: str


class Replay(Model, frozen=True, kw_only=True):
    """How many events are sent again. If there are more, go on with `since`; else it is None."""

    replayed: int
    since: int | None


class WebhookEvent(Model, frozen=True, kw_only=True):
    """The body that a receiver gets. `resource` is set if the webhook includes it."""

    id: str
    type: str
    timestamp: str
    sequence: int
    subject: str
    data: dict[str, Any]
    space_id: str = ""
    actor: Actor | None = None
    resource: dict[str, Any] | None = None


def verify(secret: str, headers: Mapping[str, str], body: bytes, *, tolerance: float = 300.0) -> WebhookEvent:
    """The event in a request to a receiver. Raises WebhookInvalid if the signature is wrong or the request too old.

    `body` must be the bytes as they came; `headers` may have any case. An event may come more than once: `id` tells.
    """
    return verify_payload(WebhookEvent, secret, headers, body, tolerance)


def create_webhook(
    url: str,
    types: Sequence[str],
    *,
    name: Maybe[str | None] = UNSET,
    include: Maybe[Include | None] = UNSET,
    space: str | None = None,
    idempotency_key: str | None = None,
) -> Call[IssuedWebhook]:
    """Have events of these types (`task.completed`, `task.*`, `*`) sent to an address.

    Without `space` it gets events of the token's own space and of the Library.
    """
    body = members(url=url, types=list(types), name=name, include=include)
    return Call("POST", "/webhooks", data(IssuedWebhook), body=body, idempotency_key=idempotency_key, space=space)


def list_webhooks(*, space: str | None = None, limit: int | None = None) -> Call[Page[Webhook]]:
    """Newest first."""
    return Call("GET", "/webhooks", whole(Page[Webhook]), query={"limit": limit}, space=space)


def get_webhook(webhook_id: str) -> Call[Webhook]:
    return Call("GET", path("/webhooks/{}", webhook_id), data(Webhook))


def update_webhook(
    webhook_id: str,
    *,
    url: Maybe[str] = UNSET,
    types: Maybe[Sequence[str]] = UNSET,
    name: Maybe[str | None] = UNSET,
    include: Maybe[Include | None] = UNSET,
    enabled: Maybe[bool] = UNSET,
    idempotency_key: str | None = None,
) -> Call[Webhook]:
    """Change a webhook. When it is enabled again, waiting events are sent; `replay` sends those that it missed."""
    body = members(url=url, types=types, name=name, include=include, enabled=enabled)
    return Call("PATCH", path("/webhooks/{}", webhook_id), data(Webhook), body=body, idempotency_key=idempotency_key)


def delete_webhook(webhook_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    return Call("DELETE", path("/webhooks/{}", webhook_id), data(Deleted), idempotency_key=idempotency_key)


def rotate_webhook_secret(webhook_id: str, *, idempotency_key: str | None = None) -> Call[IssuedWebhook]:
    """Make a new secret. For 24 hours events are also signed with the old one."""
    address = path("/webhooks/{}/rotate-secret", webhook_id)
    return Call("POST", address, data(IssuedWebhook), idempotency_key=idempotency_key)


def send_webhook_test(webhook_id: str, *, idempotency_key: str | None = None) -> Call[WebhookTest]:
    """Send a `webhook.test` event to this webhook alone."""
    return Call("POST", path("/webhooks/{}/test", webhook_id), data(WebhookTest), idempotency_key=idempotency_key)


def replay_webhook(
    webhook_id: str, *, failed: Maybe[bool] = UNSET, since: Maybe[int] = UNSET, idempotency_key: str | None = None
) -> Call[Replay]:
    """Send failed events again, or all since a time, at most 1,000; continue with the answer's `since`."""
    body = members(failed=failed, since=since)
    address = path("/webhooks/{}/replay", webhook_id)
    return Call("POST", address, data(Replay), body=body, idempotency_key=idempotency_key)


def list_webhook_deliveries(
    webhook_id: str, *, status: DeliveryStatus | None = None, limit: int | None = None
) -> Call[Page[WebhookDelivery]]:
    """Latest event first."""
    address = path("/webhooks/{}/deliveries", webhook_id)
    return Call("GET", address, whole(Page[WebhookDelivery]), query={"status": status, "limit": limit})


def get_webhook_delivery(webhook_id: str, event_id: str) -> Call[WebhookDelivery]:
    """One delivery with its attempts. The event's id is the `webhook-id` that the receiver was sent."""
    return Call("GET", path("/webhooks/{}/deliveries/{}", webhook_id, event_id), data(WebhookDelivery))


def replay_webhook_delivery(
    webhook_id: str, event_id: str, *, idempotency_key: str | None = None
) -> Call[WebhookDelivery]:
    """Send one event again, whether or not it was delivered."""
    address = path("/webhooks/{}/deliveries/{}/replay", webhook_id, event_id)
    return Call("POST", address, data(WebhookDelivery), idempotency_key=idempotency_key)


class Webhooks(Resource[D]):
    create = Operation("createWebhook", create_webhook)
    list = Listing("listWebhooks", list_webhooks)
    get = Operation("getWebhook", get_webhook)
    update = Operation("updateWebhook", update_webhook)
    delete = Operation("deleteWebhook", delete_webhook)
    rotate_secret = Operation("rotateWebhookSecret", rotate_webhook_secret)
    test = Operation("sendWebhookTest", send_webhook_test)
    replay = Operation("replayWebhook", replay_webhook)
    deliveries = Listing("listWebhookDeliveries", list_webhook_deliveries)
    delivery = Operation("getWebhookDelivery", get_webhook_delivery)
    replay_delivery = Operation("replayWebhookDelivery", replay_webhook_delivery)
