"""A webhook: an address of an owner, and the events that are sent there."""

from enum import StrEnum
from functools import lru_cache

import msgspec

from stowboard.core.errors import Conflict
from stowboard.events.feed import Event, EventFilter
from stowboard.events.kinds import ANY_SCOPE, KINDS, WEBHOOK_TEST
from stowboard.events.wanted import matches

MOST_WEBHOOKS = 100
#: After a rotation both secrets sign for this time.
OVERLAP_MS = 24 * 3600 * 1000


class WebhookInclude(StrEnum):
    RESOURCE = "resource"


class DisabledReason(StrEnum):
    OWNER = "owner"
    GONE = "gone"
    FAILING = "failing"
    #: The account is disabled, or the application that made it has lost its consent.
    ACCESS = "access"
    #: The person who made it is no longer in its space.
    CREATOR_LEFT = "creator_left"


class TooManyWebhooks(Conflict):
    message = f"There are {MOST_WEBHOOKS} webhooks already; delete one first."


class Webhook(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table `webhook`."""

    id: str
    owner: str
    #: The owners of the spaces whose events it receives.
    spaces: list[str]
    #: The person who made it or last gave it an address; None for a token of a space.
    made_by: str | None
    name: str
    url: str
    #: Kinds of events, `task.*` and `*` among them.
    types: list[str]
    include: WebhookInclude | None
    #: The scopes of its maker, which decide what it receives.
    scopes: list[str]
    #: The beginning of links.
    origin: str
    #: The grant or OAuth client that made it or last gave it an address. It ends with that; empty if there is none.
    made_through: str
    secret: bytes
    old_secret: bytes | None
    old_secret_until: int | None
    enabled: bool
    disabled_reason: DisabledReason | None
    since_position: int
    failures: int
    failing_since: int | None
    resting_until: int
    created_at: int
    updated_at: int


def sealing_purpose(webhook_id: str) -> str:
    """The purpose that the webhook's secrets are sealed for: in another row they could not be opened."""
    return f"webhook {webhook_id}"


def wanted_by(webhook: Webhook) -> EventFilter:
    """The events that the webhook receives: the kinds that it asks for, as far as its maker could see them."""
    return EventFilter(frozenset(webhook.spaces), _kinds(tuple(webhook.types), tuple(webhook.scopes)))


def is_told(webhook: Webhook, event: Event) -> bool:
    if event.position <= webhook.since_position:
        return False
    return event.subject == webhook.id if event.type == WEBHOOK_TEST.name else wanted_by(webhook).includes(event)


@lru_cache(1024)
def _kinds(types: tuple[str, ...], scopes: tuple[str, ...]) -> frozenset[str]:
    visible = [kind for kind in KINDS if kind.scope in (ANY_SCOPE, *scopes)]
    return frozenset(kind.name for kind in visible if any(matches(each, kind.name) for each in types))
