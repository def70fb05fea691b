"""The consequences of an attempt: for its delivery, for later ones of its subject, and for the webhook."""

import secrets
from typing import NamedTuple

import msgspec

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events.kinds import WEBHOOK_DISABLED, WebhookDisabled
from stowboard.events.outbox import emit
from stowboard.events.webhooks import delivery_store, webhook_store
from stowboard.events.webhooks.delivery import BLOCKING_ATTEMPTS, DeliveryStatus, WebhookDelivery
from stowboard.events.webhooks.sending import DeliveryOutcome, DeliveryRequest
from stowboard.events.webhooks.settings import WebhookSettings
from stowboard.events.webhooks.webhook import DisabledReason, Webhook


class DeliveryConsequence(NamedTuple):
    """`following` is the subject's next event, if that may be sent now; `goes_on`: anything may be sent now."""

    following: str | None
    goes_on: bool


async def write_down(
    tx: Tx, request: DeliveryRequest, outcome: DeliveryOutcome, settings: WebhookSettings
) -> DeliveryConsequence:
    """Record an attempt. Nothing happens if the webhook is gone, or another process has tried the same meanwhile."""
    webhook = await webhook_store.lock(tx, request.webhook.id)
    delivery = await delivery_store.find(tx, request.webhook.id, request.event_id)
    if webhook is None or delivery is None or delivery.tries != request.tries:
        return DeliveryConsequence(None, goes_on=False)
    await delivery_store.add_attempt(tx, webhook.id, delivery, outcome.attempt)
    ended = await _end_or_wait(tx, webhook, delivery, outcome, settings)
    following = None
    if delivery.attempts < BLOCKING_ATTEMPTS and (ended or delivery.attempts + 1 == BLOCKING_ATTEMPTS):
        following = await delivery_store.hand_on(tx, webhook.id, delivery.subject)
    goes_on = outcome.final or await _judge_webhook(tx, webhook, outcome, settings)
    return DeliveryConsequence(following if outcome.succeeded else None, goes_on)


async def _end_or_wait(
    tx: Tx, webhook: Webhook, delivery: WebhookDelivery, outcome: DeliveryOutcome, settings: WebhookSettings
) -> bool:
    """End the delivery or plan its next attempt; True if it has ended, well or not."""
    if outcome.succeeded:
        await delivery_store.end(tx, webhook.id, delivery.event_id, DeliveryStatus.DELIVERED)
    elif outcome.final or delivery.attempts >= len(settings.pauses_s):
        await delivery_store.end(tx, webhook.id, delivery.event_id, DeliveryStatus.FAILED)
    else:
        pause_s = max(_jittered(settings.pauses_s[delivery.attempts]), _asked_for(outcome, settings))
        await delivery_store.try_again(tx, webhook.id, delivery.event_id, int(pause_s * 1000))
        return False
    return True


async def _judge_webhook(tx: Tx, webhook: Webhook, outcome: DeliveryOutcome, settings: WebhookSettings) -> bool:
    """Note how the webhook does; True if more may be sent to it at once."""
    if outcome.succeeded:
        if webhook.failures:
            healthy = msgspec.structs.replace(webhook, failures=0, failing_since=None, resting_until=0)
            await webhook_store.change(tx, healthy)
        return True
    now = clock.now_ms()
    failing_since = webhook.failing_since or now
    reason = None
    if outcome.gone:
        reason = DisabledReason.GONE
    elif now - failing_since >= settings.disabled_after_s * 1000:
        reason = DisabledReason.FAILING
    failing = msgspec.structs.replace(
        webhook,
        failures=webhook.failures + 1,
        failing_since=failing_since,
        resting_until=now + int(_rest_s(webhook.failures + 1, outcome, settings) * 1000),
        enabled=webhook.enabled and reason is None,
        disabled_reason=reason or webhook.disabled_reason,
    )
    await webhook_store.change(tx, failing)
    if webhook.enabled and reason is not None:
        await emit(tx, WEBHOOK_DISABLED, webhook.owner, webhook.id, WebhookDisabled(webhook.id, reason))
    return failing.enabled and failing.resting_until <= now


def _rest_s(failures: int, outcome: DeliveryOutcome, settings: WebhookSettings) -> float:
    """The pause grows with each failure beyond `patience`, so that a dead receiver costs next to nothing."""
    beyond = failures - settings.patience
    rest_s = min(settings.longest_rest_s, settings.rest_s * 2 ** min(beyond, 20)) if beyond >= 0 else 0.0
    overloaded = outcome.attempt.status in (429, 503)
    return max(_jittered(rest_s), _asked_for(outcome, settings) if overloaded else 0.0)


def _asked_for(outcome: DeliveryOutcome, settings: WebhookSettings) -> float:
    return min(outcome.retry_after_s or 0.0, settings.longest_wait_s)


def _jittered(seconds: float) -> float:
    """Give or take a fifth, so that what failed together is not tried again together."""
    return seconds * (0.8 + 0.4 * secrets.randbelow(1001) / 1000)
