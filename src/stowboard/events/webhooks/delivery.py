"""A delivery: one event for one webhook, with its attempts."""

from enum import StrEnum

import msgspec

#: A later event of the same subject waits for at most this many failures of the one before it.
BLOCKING_ATTEMPTS = 3


class DeliveryStatus(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class WebhookDelivery(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table `webhook_delivery`, without the webhook's id."""

    event_id: str
    position: int
    type: str
    subject: str
    status: DeliveryStatus
    #: Attempts since the delivery was last ordered, and attempts in all.
    attempts: int
    tries: int
    #: The time from which it may be sent. None if it has ended, or waits for an earlier delivery of its subject.
    due: int | None
    created_at: int
    ended_at: int | None


class DeliveryAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """One request. `status` is null where there was no answer, and `error` says why; `answer` is its first kilobyte."""

    at: int
    ms: int
    status: int | None
    error: str | None
    answer: str
