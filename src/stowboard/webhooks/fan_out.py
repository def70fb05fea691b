"""Fan-out from the feed to the webhooks: for each event, exactly one delivery to every webhook that it is for.

`webhook_head` says how far the feed was handed out. It moves in the transaction that writes the deliveries and orders
the jobs that send them, and one process at a time holds it. While no webhook exists, nothing is read or written; the
first webhook begins at the head of the feed.
"""

from collections import defaultdict
from collections.abc import Sequence

from stowboard.db.database import Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.deliver import deliver_later
from stowboard.deliveries.delivery import DeliveryOrder
from stowboard.events.feed import Event, read_after
from stowboard.events.feed_reader import FeedReader
from stowboard.webhooks import webhook_store
from stowboard.webhooks.webhook import Webhook, is_told


class FanOut(FeedReader):
    """Runs in every process that does background work."""

    does = "handing events to webhooks"

    async def hand_out(self, limit: int) -> int:
        return await self.db.transact(hand_out, limit) if await self.db.read(is_behind) else 0


async def is_behind(tx: Tx) -> bool:
    row = await tx.one(
        "SELECT 1 FROM webhook_head JOIN feed ON feed.position > webhook_head.position"
        " WHERE EXISTS (SELECT 1 FROM webhook WHERE enabled = 1)"
    )
    return row is not None


async def hand_out(tx: Tx, limit: int) -> int:
    """Write the deliveries of the next events, at most `limit`; returns how many events there were."""
    head = await tx.one("SELECT position FROM webhook_head FOR UPDATE")
    assert head is not None
    webhooks = await webhook_store.list_enabled(tx)
    if not webhooks:
        return 0
    after = max(head[0], min(webhook.since_position for webhook in webhooks))
    events = await read_after(tx, after, limit)
    for webhook_id, told in sorted(_told(webhooks, events).items()):
        locked = await webhook_store.lock(tx, webhook_id)
        if locked is not None and locked.enabled:
            await order_events(tx, locked, told)
    await tx.run("UPDATE webhook_head SET position = $1", events[-1].position if events else after)
    return len(events)


async def order_events(tx: Tx, webhook: Webhook, events: Sequence[Event]) -> None:
    """Order deliveries of these events, and the job that sends them."""
    if events:
        orders = [DeliveryOrder(each.id, each.position, each.type, each.subject) for each in events]
        await delivery_store.order(tx, webhook.id, orders)
        await deliver_later(tx, webhook.id, webhook.owner)


def _told(webhooks: Sequence[Webhook], events: Sequence[Event]) -> dict[str, list[Event]]:
    """The events for each webhook, by its id, in the order of positions."""
    by_owner: defaultdict[str, list[Webhook]] = defaultdict(list)
    for webhook in webhooks:
        for owner in webhook.spaces:
            by_owner[owner].append(webhook)
    told: defaultdict[str, list[Event]] = defaultdict(list)
    for event in events:
        for webhook in by_owner[event.owner]:
            if is_told(webhook, event):
                told[webhook.id].append(event)
    return told
