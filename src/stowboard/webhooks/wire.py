"""Webhooks as JSON."""

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.core.clock import Timestamp
from stowboard.core.errors import InvalidParameter, ValidationFailed
from stowboard.core.reach import SpaceId, space_id_of
from stowboard.deliveries.delivery import Delivery, DeliveryAttempt, DeliveryStatus
from stowboard.deliveries.wire import DestinationName, DestinationUrl
from stowboard.events.wanted import ONE_TYPE, named_kinds
from stowboard.http.outgoing.failure import OutgoingFailed
from stowboard.http.outgoing.target import read_target
from stowboard.webhooks.webhook import DisabledReason, Webhook, WebhookInclude

MOST_TYPES = 50
Type = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        extra_json_schema={"pattern": rf"^(\*|{ONE_TYPE})$", "examples": ["*", "task.*", "task.completed"]},
    ),
]
Types = Annotated[
    list[Type],
    Meta(min_length=1, max_length=MOST_TYPES, description="Kinds of events; `task.*` is all that begin so, `*` all."),
]


class CreateWebhookBody(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A webhook to be made: an address, and the kinds of events that are sent there."""

    url: DestinationUrl
    types: Types
    name: DestinationName | None = None
    include: Annotated[WebhookInclude, Meta(description="`resource` adds what the event is about.")] | None = None
    space_id: Annotated[SpaceId, Meta(description="By default the token's own space, and the Library.")] | None = None


class WebhookPatch(msgspec.Struct, frozen=True, kw_only=True):
    """Changes to a webhook. What is omitted keeps its value; null clears `name` and `include`."""

    url: DestinationUrl | UnsetType = UNSET
    types: Types | UnsetType = UNSET
    name: DestinationName | None | UnsetType = UNSET
    include: WebhookInclude | None | UnsetType = UNSET
    enabled: Annotated[bool, Meta(description="true also starts a disabled one again.")] | UnsetType = UNSET


class ReplayBody(msgspec.Struct, frozen=True, kw_only=True):
    """The events to send again: all that failed, or all since a time."""

    EITHER: ClassVar = ("failed", "since")

    failed: bool | None = False
    since: Timestamp | None = None


class WebhookView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A webhook, without its secret."""

    id: str
    url: str
    types: list[str]
    name: str
    include: WebhookInclude | None
    space_id: str
    enabled: bool
    disabled_reason: DisabledReason | None
    #: The time since which no delivery has succeeded.
    failing_since: int | None
    #: The time until which the old secret signs as well.
    old_secret_until: int | None
    created_at: int
    updated_at: int


class WebhookWithSecret(WebhookView, frozen=True, rename="camel", kw_only=True):
    """A webhook with its secret, which is shown this once."""

    secret: str


class DeliveryView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An event on its way to a webhook. `nextAttemptAt` is null while an earlier one of its subject is before it."""

    event_id: str
    type: str
    subject: str
    sequence: int
    status: DeliveryStatus
    attempts: int
    next_attempt_at: int | None
    created_at: int
    ended_at: int | None


class DeliveryWithAttempts(DeliveryView, frozen=True, rename="camel", kw_only=True):
    """The same with its latest attempts, newest first."""

    log: list[DeliveryAttempt]


class SentTest(msgspec.Struct, frozen=True, rename="camel"):
    """The event that was sent for a test; its delivery is found by this id."""

    event_id: str


class ReplayView(msgspec.Struct, frozen=True):
    """How many deliveries were ordered. `since` is the time to go on from, null if these were all."""

    replayed: int
    since: int | None


_SHOWN = tuple(name for name in WebhookView.__struct_fields__ if name != "space_id")


def view(webhook: Webhook) -> WebhookView:
    members = {name: getattr(webhook, name) for name in _SHOWN}
    return WebhookView(space_id=space_id_of(webhook.owner), **members)


def with_secret(webhook: Webhook, secret: str) -> WebhookWithSecret:
    return WebhookWithSecret(secret=secret, **msgspec.structs.asdict(view(webhook)))


def delivery_view(delivery: Delivery) -> DeliveryView:
    return DeliveryView(**_shown(delivery))


def delivery_with_attempts(delivery: Delivery, attempts: list[DeliveryAttempt]) -> DeliveryWithAttempts:
    return DeliveryWithAttempts(**_shown(delivery), log=attempts)


def checked_url(url: str) -> str:
    """Raises ValidationFailed."""
    try:
        read_target(url)
    except OutgoingFailed as failure:
        raise ValidationFailed(f"url: {failure}") from None
    return url


def checked_types(types: list[str]) -> list[str]:
    """The types without duplicates. Raises ValidationFailed."""
    try:
        named_kinds(name for name in types if name != "*")
    except InvalidParameter as problem:
        raise ValidationFailed(problem.message) from None
    return list(dict.fromkeys(types))


def _shown(delivery: Delivery) -> dict[str, Any]:
    alike = {name: getattr(delivery, name) for name in ("type", "subject", "status", "created_at", "ended_at")}
    named = {"event_id": delivery.message_id, "sequence": delivery.position, "attempts": delivery.tries}
    return {**alike, **named, "next_attempt_at": delivery.due}
