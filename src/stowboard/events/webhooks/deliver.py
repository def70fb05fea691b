"""The job that sends a webhook's deliveries: one job for each webhook, so that one receiver cannot hold up another.

A webhook has at most one living job in all processes together, so its order and its bound of requests at once hold
everywhere. A turn sends what is due, the events of a subject one after the other and some subjects side by side, and
ends after some seconds; the rest follows after the other webhooks. Each attempt is recorded as soon as it has ended. A
killed process loses only that record: an event arrives at least once, and may arrive twice.
"""

import asyncio
import secrets
import time
from collections import deque
from typing import NamedTuple

import msgspec

from stowboard.core import clock
from stowboard.db.database import Database, Tx
from stowboard.events.kinds import WEBHOOK_DISABLED, WebhookDisabled
from stowboard.events.outbox import emit
from stowboard.events.webhooks import delivery_store, webhook_store
from stowboard.events.webhooks.delivery import BLOCKING_ATTEMPTS, DeliveryStatus, WebhookDelivery
from stowboard.events.webhooks.sending import DeliveryOutcome, DeliveryRequest, WebhookSender
from stowboard.events.webhooks.settings import WebhookSettings
from stowboard.events.webhooks.webhook import DisabledReason, Webhook
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind

#: Deliveries that a turn looks at, in one read.
_LOOKED_AT = 100


class DeliverArgs(msgspec.Struct, frozen=True):
    webhook_id: str


async def deliver_later(tx: Tx, webhook: Webhook, due: int | None = None) -> None:
    await enqueue(tx, DELIVER, DeliverArgs(webhook.id), due=due, dedup=webhook.id, owner=webhook.owner)


async def deliver(job: Job, args: DeliverArgs) -> None:
    turn = DeliveryTurn(job.db, job.use(WebhookSender), args.webhook_id)
    await turn.run()
    await job.db.transact(_end_turn, job, args.webhook_id)


class DeliveryTurn:
    """One turn of a webhook: some seconds of sending."""

    def __init__(self, db: Database, sender: WebhookSender, webhook_id: str) -> None:
        self._db, self._sender, self._webhook_id = db, sender, webhook_id
        self._until = time.monotonic() + sender.settings.turn_s
        self._goes_on = True

    async def run(self) -> None:
        at_once, found = await self._db.read(self._look)
        waiting = deque(found)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(at_once, len(waiting))):
                group.create_task(self._send_in_turn(waiting))

    async def _look(self, tx: Tx) -> tuple[int, list[str]]:
        """The number of deliveries that may be sent at once, and the events that are due."""
        webhook = await webhook_store.find(tx, self._webhook_id)
        if webhook is None or not webhook.enabled or webhook.resting_until > clock.now_ms():
            return 0, []
        settings = self._sender.settings
        on_trial = webhook.failures >= settings.patience
        due = await delivery_store.list_due(tx, webhook.id, 1 if on_trial else _LOOKED_AT)
        return 1 if on_trial else settings.at_once, due

    async def _send_in_turn(self, waiting: deque[str]) -> None:
        """Take one subject after the other, and send its events until the receiver refuses one."""
        while waiting:
            following: str | None = waiting.popleft()
            while following is not None and not self._is_over():
                following = await self._send_one(following)

    async def _send_one(self, event_id: str) -> str | None:
        """Send one event; returns the next one of the same subject, if that may follow."""
        request = await self._sender.prepare(self._webhook_id, event_id)
        if request is None:
            return None
        async with self._sender.lanes.place(request.webhook.owner):
            outcome = await self._sender.send(request)
        consequence = await self._db.transact(write_down, request, outcome, self._sender.settings)
        self._goes_on = self._goes_on and consequence.goes_on
        return consequence.following

    def _is_over(self) -> bool:
        return not self._goes_on or time.monotonic() > self._until


async def _end_turn(tx: Tx, job: Job, webhook_id: str) -> None:
    """End the turn, and order the next one for when a delivery is due."""
    webhook = await webhook_store.lock(tx, webhook_id)
    due = await delivery_store.next_due(tx, webhook_id) if webhook is not None and webhook.enabled else None
    await job.complete(tx)
    if webhook is not None and due is not None:
        await deliver_later(tx, webhook, max(due, webhook.resting_until, clock.now_ms()))


#: It is given up only if the database was away for hours. Then the upkeep, which runs each minute, orders it again.
DELIVER = JobKind("webhooks.deliver", "webhook", deliver, args=DeliverArgs, max_attempts=20)


class DeliveryConsequence(NamedTuple):
    """`following` is the subject's next event, if that may be sent now. `goes_on`: the webhook may be sent more now."""

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
