"""`/webhooks`: the owner's webhooks over the API."""

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from stowboard.api.endpoint import Answer, AnyCall, Call, Deleted, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery, given
from stowboard.core.errors import InsufficientScope, NotFound, ValidationFailed
from stowboard.core.ids import checked_id
from stowboard.core.reach import SpaceId
from stowboard.core.sealing import Sealing
from stowboard.db.database import Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.delivery import DeliveryStatus
from stowboard.events.kinds import ANY_SCOPE, KINDS
from stowboard.events.wanted import matches
from stowboard.http.outgoing.client import Outgoing
from stowboard.http.outgoing.failure import OutgoingFailed, OutgoingReason
from stowboard.webhooks import manage, webhook_store
from stowboard.webhooks.webhook import TooManyWebhooks, Webhook
from stowboard.webhooks.wire import (
    CreateWebhookBody,
    DeliveryView,
    DeliveryWithAttempts,
    ReplayBody,
    ReplayView,
    SentTest,
    WebhookPatch,
    WebhookView,
    WebhookWithSecret,
    checked_types,
    checked_url,
    delivery_view,
    delivery_with_attempts,
    view,
    with_secret,
)

SCOPE = "webhooks:manage"


class WebhooksQuery(PageQuery, frozen=True, rename="camel"):
    space_id: SpaceId | UnsetType = UNSET


class DeliveriesQuery(PageQuery, frozen=True):
    status: Annotated[DeliveryStatus, Meta(description="Only those.")] | UnsetType = UNSET


async def check_address(call: Call[CreateWebhookBody, None]) -> str:
    """Refuse now what would be refused at delivery. It runs before the transaction, since it looks the host name up."""
    return await _checked(call, call.body.url)


async def check_other_address(call: Call[WebhookPatch, None], webhook_id: str) -> str | UnsetType:  # noqa: ARG001
    return UNSET if call.body.url is UNSET else await _checked(call, call.body.url)


async def _checked(call: AnyCall, url: str) -> str:
    try:
        await call.use(Outgoing).check(checked_url(url), owner=call.caller.owner)
    except OutgoingFailed as failure:
        if failure.reason is OutgoingReason.FORBIDDEN:  # a host name that is unknown today may be known tomorrow
            raise ValidationFailed(f"url: {failure}") from None
    return url


async def create_webhook(tx: Tx, call: Call[CreateWebhookBody, None], url: str) -> WebhookWithSecret:
    """Make a webhook: events are sent to its address.

    Each request is signed as Standard Webhooks say, with the `secret` that is shown this once. The webhook receives
    what the token that makes it can see: events of tasks and boards with `tasks:read`, of media with `media:read`.
    """
    wanted = replace(call.body, url=url, types=_visible(call, checked_types(call.body.types)))
    return with_secret(*await manage.create_webhook(tx, call.access, call.use(Sealing), call.origin, wanted))


async def list_webhooks(tx: Tx, call: Call[None, WebhooksQuery]) -> Answer:
    """List the webhooks of a space, by default of the token's own, newest first."""
    owner = call.access.in_tasks(call.query.space_id or None)
    page = Page(call, "webhooks", owner)
    listed = await webhook_store.list_owned(tx, owner, page.after, page.size)
    return page.answer([view(webhook) for webhook in listed.items], listed.end)


async def get_webhook(tx: Tx, call: Call[None, None], webhook_id: str) -> WebhookView:
    """Read one webhook."""
    return view(await webhook_store.get_owned(tx, call.access, webhook_id))


async def update_webhook(tx: Tx, call: Call[WebhookPatch, None], webhook_id: str, url: str | UnsetType) -> WebhookView:
    """Change a webhook.

    A webhook that is enabled again is sent what was waiting; `…/replay` sends events from while it was disabled.
    """
    body = call.body
    types = body.types if body.types is UNSET else _visible(call, checked_types(body.types))
    changes = replace(body, url=url, types=types)
    return view(await manage.change_webhook(tx, call.access, webhook_id, changes))


async def delete_webhook(tx: Tx, call: Call[None, None], webhook_id: str) -> Deleted:
    """Delete a webhook with its log."""
    await manage.delete_webhook(tx, call.access, webhook_id)
    return Deleted(webhook_id)


async def rotate_webhook_secret(tx: Tx, call: Call[None, None], webhook_id: str) -> WebhookWithSecret:
    """Make another secret, shown this once. For 24 hours the one before signs as well."""
    return with_secret(*await manage.rotate_secret(tx, call.access, webhook_id, call.use(Sealing)))


async def send_webhook_test(tx: Tx, call: Call[None, None], webhook_id: str) -> SentTest:
    """Send a `webhook.test` event to this webhook alone."""
    return SentTest(await manage.send_test(tx, call.access, webhook_id))


async def replay_webhook(tx: Tx, call: Call[ReplayBody, None], webhook_id: str) -> ReplayView:
    """Send failed deliveries again, or all events since a time: at most 1,000, oldest first.

    With `since` the answer's `since` says where to go on. Receivers know an event by its `webhook-id`, which stays.
    """
    body = call.body
    if bool(body.failed) == (body.since is not None):
        raise ValidationFailed("Send either failed: true or since.")
    if body.since is None:
        return await manage.replay_failed(tx, call.access, webhook_id)
    return await manage.replay_since(tx, call.access, webhook_id, body.since)


async def list_webhook_deliveries(tx: Tx, call: Call[None, DeliveriesQuery], webhook_id: str) -> Answer:
    """List the deliveries of a webhook, latest event first."""
    webhook = await _get_with_log(tx, call, webhook_id)
    status = given(call.query.status)
    page = Page(call, "deliveries", webhook.id, status)
    listed = await delivery_store.list_newest(tx, webhook.id, status, page.after, page.size)
    return page.answer([delivery_view(delivery) for delivery in listed.items], listed.end)


async def get_webhook_delivery(tx: Tx, call: Call[None, None], webhook_id: str, event_id: str) -> DeliveryWithAttempts:
    """Read one delivery with its attempts: when, how long, status, and the first kilobyte of the answer."""
    return await _delivery(tx, await _get_with_log(tx, call, webhook_id), event_id)


async def replay_webhook_delivery(
    tx: Tx, call: Call[None, None], webhook_id: str, event_id: str
) -> DeliveryWithAttempts:
    """Send one event again, whether or not it was delivered."""
    await manage.replay_one(tx, call.access, webhook_id, event_id)
    webhook = await webhook_store.get_owned(tx, call.access, webhook_id)
    return await _delivery(tx, webhook, event_id)


async def _get_with_log(tx: Tx, call: AnyCall, webhook_id: str) -> Webhook:
    """Raises NotFound; InsufficientScope, since the log names the subjects of events."""
    webhook = await webhook_store.get_owned(tx, call.access, webhook_id)
    manage.check_scopes(call.caller, webhook)
    return webhook


async def _delivery(tx: Tx, webhook: Webhook, event_id: str) -> DeliveryWithAttempts:
    delivery = await delivery_store.find(tx, webhook.id, checked_id("evt", event_id))
    if delivery is None:
        raise NotFound
    return delivery_with_attempts(delivery, await delivery_store.attempts_of(tx, webhook.id, event_id))


def _visible(call: AnyCall, types: list[str]) -> list[str]:
    """Raises InsufficientScope for a type that the caller cannot see."""
    for pattern in types:
        scopes = {kind.scope for kind in KINDS if matches(pattern, kind.name)}
        if not scopes & {*call.caller.scopes, ANY_SCOPE}:
            raise InsufficientScope(f"The token lacks the scope {min(scopes)}, which {pattern} needs.")
    return types


_ID, _EVENT = "whk_01ka2z5v8w8f2h6k0n4p7r9t1w", "evt_01ka2z5v8w8f2h6k0n4p7r9t1v"
_EXAMPLE = {
    "id": _ID, "url": "https://hooks.example.com/stowboard", "types": ["task.*"], "name": "n8n", "include": None,
    "spaceId": "~alice", "enabled": True, "disabledReason": None, "failingSince": None, "oldSecretUntil": None,
    "createdAt": 1794700000000, "updatedAt": 1794700000000,
}  # fmt: skip
_WITH_SECRET = {**_EXAMPLE, "secret": "whsec_…"}
_DELIVERY = {
    "eventId": _EVENT, "type": "task.completed", "subject": "tsk_01ka2z5v8qj6m3t9w4x7y0b2cd", "sequence": 4711,
    "status": "delivered", "attempts": 1, "nextAttemptAt": None, "createdAt": 1794700000000, "endedAt": 1794700000240,
}  # fmt: skip
_LOG = [{"at": 1794700000100, "ms": 140, "status": 200, "error": None, "answer": "ok"}]
_ONE = "/webhooks/{webhook_id}"
_DELIVERY_PATH = f"{_ONE}/deliveries/{{event_id}}"

ENDPOINTS = [
    Endpoint(
        "POST", "/webhooks", create_webhook, WebhookWithSecret, scope=SCOPE, body=CreateWebhookBody, status=201,
        secret=True, prepare=check_address, errors=[TooManyWebhooks],
        example_body={"url": "https://hooks.example.com/stowboard", "types": ["task.*"], "name": "n8n"},
        example=_WITH_SECRET,
    ),
    Endpoint(
        "GET", "/webhooks", list_webhooks, list[WebhookView], scope=SCOPE, query=WebhooksQuery, meta=PageMeta,
        example=[_EXAMPLE],
    ),
    Endpoint("GET", _ONE, get_webhook, WebhookView, scope=SCOPE, example=_EXAMPLE),
    Endpoint(
        "PATCH", _ONE, update_webhook, WebhookView, scope=SCOPE, body=WebhookPatch, secret=True,
        prepare=check_other_address, example_body={"types": ["task.completed"]},
        example={**_EXAMPLE, "types": ["task.completed"]},
    ),
    Endpoint("DELETE", _ONE, delete_webhook, Deleted, scope=SCOPE, example={"id": _ID, "deleted": True}),
    Endpoint(
        "POST", f"{_ONE}/rotate-secret", rotate_webhook_secret, WebhookWithSecret, scope=SCOPE, secret=True,
        example={**_WITH_SECRET, "oldSecretUntil": 1794786400000},
    ),
    Endpoint("POST", f"{_ONE}/test", send_webhook_test, SentTest, scope=SCOPE, example={"eventId": _EVENT}),
    Endpoint(
        "POST", f"{_ONE}/replay", replay_webhook, ReplayView, scope=SCOPE, body=ReplayBody,
        example_body={"failed": True}, example={"replayed": 12, "since": None},
    ),
    Endpoint(
        "GET", f"{_ONE}/deliveries", list_webhook_deliveries, list[DeliveryView], scope=SCOPE, query=DeliveriesQuery,
        meta=PageMeta, example=[_DELIVERY],
    ),
    Endpoint(
        "GET", _DELIVERY_PATH, get_webhook_delivery, DeliveryWithAttempts, scope=SCOPE,
        example={**_DELIVERY, "log": _LOG},
    ),
    Endpoint(
        "POST", f"{_DELIVERY_PATH}/replay", replay_webhook_delivery, DeliveryWithAttempts, scope=SCOPE,
        example={**_DELIVERY, "status": "pending", "log": _LOG},
    ),
]  # fmt: skip
