"""A delivery: one message on its way to one destination, with its attempts and what came of them."""

from enum import StrEnum
from typing import Any, NamedTuple, Protocol

import msgspec

from stowboard.db.database import Tx
from stowboard.deliveries.settings import DeliverySettings

#: An event waits until the one before it, of the same subject, has failed this often.
BLOCKING_ATTEMPTS = 3


class DeliveryStatus(StrEnum):
    PENDING = "pending"
    DELIVERED = "delivered"
    FAILED = "failed"


class Delivery(msgspec.Struct, frozen=True, kw_only=True):
    """A row of the table `delivery`, without the destination's id."""

    message_id: str
    position: int
    type: str
    subject: str
    #: The notifications that the message is made of; none for an event.
    about: list[str]
    status: DeliveryStatus
    #: Attempts since the delivery was last ordered, and attempts in all.
    attempts: int
    tries: int
    #: The time from which it may be sent. None if it has ended, or waits for an earlier delivery of its subject.
    due: int | None
    #: The time until which it is of use; None for ever.
    until: int | None
    created_at: int
    ended_at: int | None


class DeliveryOrder(NamedTuple):
    """A delivery to be made. Those of one subject are sent in the order of their positions."""

    message_id: str
    position: int
    type: str
    subject: str
    about: tuple[str, ...] = ()
    until: int | None = None


class DeliveryAttempt(msgspec.Struct, frozen=True, kw_only=True):
    """One request. `status` is null where there was no answer, and `error` says why; `answer` is its first kilobyte."""

    at: int
    ms: int
    status: int | None
    error: str | None
    answer: str


class DeliveryOutcome(msgspec.Struct, frozen=True):
    attempt: DeliveryAttempt
    succeeded: bool = False
    #: The receiver wants no more.
    gone: bool = False
    #: Another attempt makes no sense.
    final: bool = False
    #: Nothing was asked, and the destination is not to blame.
    unsent: bool = False
    #: The wait that the receiver asks for.
    retry_after_s: float | None = None


class DestinationKind(Protocol):
    """The parts in which webhooks and channels differ.

    The rows that it gets are those that it found: structs with `id`, `owner`, `enabled`, `failures`, `failing_since`
    and `resting_until`.
    """

    settings: DeliverySettings

    async def find(self, tx: Tx, destination_id: str) -> Any | None: ...

    async def lock(self, tx: Tx, destination_id: str) -> Any | None: ...

    async def prepare(self, tx: Tx, destination: Any, delivery: Delivery) -> Any | None:
        """The message as things are now; None if there is nothing to tell any more."""

    async def send(self, destination: Any, message: Any) -> DeliveryOutcome: ...

    async def change(self, tx: Tx, destination: Any) -> None:
        """Store how it does."""

    async def turn_off(self, tx: Tx, destination: Any, outcome: DeliveryOutcome) -> None:
        """It is gone, or has refused everything for as long as the settings bear."""
