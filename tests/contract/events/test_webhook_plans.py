"""No statement about webhooks goes through a whole table, however much waits or was delivered."""

from typing import Any

from stowboard.core.sealing import Sealing
from stowboard.db.database import Database, Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.delivery import DeliveryStatus
from stowboard.events import kinds
from stowboard.events.feed import read_after
from stowboard.events.kinds import TaskChanged
from stowboard.events.outbox import emit_many
from stowboard.events.sequencer import place_events
from stowboard.tasks.calendar import calendar_store
from stowboard.webhooks import manage
from stowboard.webhooks.fan_out import order_events
from stowboard.webhooks.webhook import Webhook
from support.database.query_plans import plans_of
from support.database.statements import execute, rows
from support.webhooks.installation import ALICE, KEY, Installation

LARGE = {"event", "delivery", "delivery_attempt", "task", "earlier"}
MANY = 5000


async def test_deliveries_are_found_by_indexes(database: Database) -> None:
    installation = Installation(database, Sealing(None, KEY))
    webhook, _ = await installation.webhook("http://127.0.0.1:1/")
    await database.transact(_fill, webhook)
    await execute(database, "ANALYZE")
    [(event_id,)] = await rows(database, "SELECT message_id FROM delivery ORDER BY position DESC LIMIT 1")
    works: list[Any] = [
        (delivery_store.list_due, webhook.id, 100),
        (delivery_store.next_due, webhook.id),
        (delivery_store.hand_on, webhook.id, "tsk_7"),
        (delivery_store.list_newest, webhook.id, None, None, 50),
        (delivery_store.list_newest, webhook.id, DeliveryStatus.FAILED, None, 50),
        (delivery_store.oldest_failed, webhook.id, 100),
        (delivery_store.attempts_of, webhook.id, event_id),
        (delivery_store.last_attempts, webhook.id, 20),
        (delivery_store.forget_before, 1, 100),
        (manage.replay_one, ALICE, webhook.id, event_id),
    ]
    if database.dialect == "sqlite":  # PostgreSQL reads a table without rows as a whole
        works.append((calendar_store.find_versions, ["alice"], 1, None))
    for work, *arguments in works:
        for plan in await plans_of(database, work, *arguments):
            assert not LARGE & set(plan.scanned), (work.__name__, plan)


async def _fill(tx: Tx, webhook: Webhook) -> None:
    told = [(f"tsk_{n % 50}", TaskChanged(f"tsk_{n % 50}", n, [])) for n in range(MANY)]
    await emit_many(tx, kinds.TASK_UPDATED, "alice", told)
    while tx.dialect == "postgres" and await place_events(tx):
        pass
    await order_events(tx, webhook, await read_after(tx, 0, MANY))
    sql = "UPDATE delivery SET status = 'delivered', due = NULL WHERE position % 100 <> 0"
    await tx.run(sql)
    await tx.run(
        "INSERT INTO delivery_attempt (destination_id, message_id, number, at, ms, status, answer)"
        " SELECT destination_id, message_id, 1, 1, 1, 200, '' FROM delivery"
    )
