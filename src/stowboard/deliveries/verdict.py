"""The outcome of an attempt: the delivery ends or waits, the destination rests or is turned off."""

import secrets
from typing import Any, NamedTuple

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.delivery import (
    BLOCKING_ATTEMPTS,
    Delivery,
    DeliveryOutcome,
    DeliveryStatus,
    DestinationKind,
)
from stowboard.deliveries.settings import DeliverySettings


class DeliveryConsequence(NamedTuple):
    """`following` is the subject's next message, if that may be sent now. `goes_on`: more may be sent there now."""

    following: str | None
    goes_on: bool


async def write_down(
    tx: Tx, kind: DestinationKind, destination_id: str, message_id: str, tries: int, outcome: DeliveryOutcome
) -> DeliveryConsequence:
    """Record an attempt. Nothing happens if the destination is gone, or another process has tried it meanwhile."""
    destination = await kind.lock(tx, destination_id)
    delivery = await delivery_store.find(tx, destination_id, message_id)
    if destination is None or delivery is None or delivery.tries != tries:
        return DeliveryConsequence(None, goes_on=False)
    await delivery_store.add_attempt(tx, destination_id, delivery, outcome.attempt)
    ended = await _end_or_wait(tx, destination_id, delivery, outcome, kind.settings)
    following = None
    if delivery.attempts < BLOCKING_ATTEMPTS and (ended or delivery.attempts + 1 == BLOCKING_ATTEMPTS):
        following = await delivery_store.hand_on(tx, destination_id, delivery.subject)
    goes_on = outcome.unsent or await _judge(tx, kind, destination, outcome)
    return DeliveryConsequence(following if outcome.succeeded else None, goes_on)


async def _end_or_wait(
    tx: Tx, destination_id: str, delivery: Delivery, outcome: DeliveryOutcome, settings: DeliverySettings
) -> bool:
    """End the delivery or plan its next attempt; True if it has ended, well or not."""
    pause_ms = None
    if not outcome.succeeded and not outcome.final and delivery.attempts < len(settings.pauses_s):
        pause_ms = int(max(_jittered(settings.pauses_s[delivery.attempts]), _asked_for(outcome, settings)) * 1000)
    if pause_ms is None or (delivery.until is not None and clock.now_ms() + pause_ms > delivery.until):
        status = DeliveryStatus.DELIVERED if outcome.succeeded else DeliveryStatus.FAILED
        await delivery_store.end(tx, destination_id, delivery.message_id, status)
        return True
    await delivery_store.try_again(tx, destination_id, delivery.message_id, pause_ms)
    return False


async def _judge(tx: Tx, kind: DestinationKind, destination: Any, outcome: DeliveryOutcome) -> bool:
    """Note how the destination does; True if more may be sent to it at once."""
    if outcome.succeeded:
        if destination.failures:
            await kind.change(tx, msgspec.structs.replace(destination, failures=0, failing_since=None, resting_until=0))
        return True
    now, settings = clock.now_ms(), kind.settings
    failing = msgspec.structs.replace(
        destination,
        failures=destination.failures + 1,
        failing_since=destination.failing_since or now,
        resting_until=now + int(_rest_s(destination.failures + 1, outcome, settings) * 1000),
    )
    await kind.change(tx, failing)
    if outcome.gone or now - failing.failing_since >= settings.disabled_after_s * 1000:
        if failing.enabled:
            await kind.turn_off(tx, failing, outcome)
        return False
    return bool(failing.enabled and failing.resting_until <= now)


def _rest_s(failures: int, outcome: DeliveryOutcome, settings: DeliverySettings) -> float:
    """The pause grows with each failure beyond `patience`, so that a dead receiver costs next to nothing."""
    beyond = failures - settings.patience
    rest_s = min(settings.longest_rest_s, settings.rest_s * 2 ** min(beyond, 20)) if beyond >= 0 else 0.0
    overloaded = outcome.attempt.status in (429, 503)
    return max(_jittered(rest_s), _asked_for(outcome, settings) if overloaded else 0.0)


def _asked_for(outcome: DeliveryOutcome, settings: DeliverySettings) -> float:
    return min(outcome.retry_after_s or 0.0, settings.longest_wait_s)


def _jittered(seconds: float) -> float:
    """Give or take a fifth, so that what failed together is not tried again together."""
    return seconds * (0.8 + 0.4 * secrets.randbelow(1001) / 1000)
