"""No statement about webhooks goes through a whole table, however much waits or was delivered."""

from typing import Any

from stowboard.core.sealing import Sealing
from stowboard.db.database import Database, Tx
from stowboard.events import kinds
from stowboard.events.feed import read_after
from stowboard.events.kinds import TaskChanged
from stowboard.events.outbox import emit_many
from stowboard.events.sequencer import place_events
from stowboard.events.webhooks import delivery_store, manage
from stowboard.events.webhooks.delivery import DeliveryStatus
from stowboard.tasks.calendar import calendar_store
from support.database.query_plans import plans_of
from support.database.statements import execute, rows
from support.webhooks.installation import ALICE, KEY, Installation

LARGE = {"event", "webhook_delivery", "webhook_attempt", "task", "earlier"}
MANY = 5000


async def test_deliveries_are_found_by_indexes(database: Database) -> None:
    installation = Installation(database, Sealing(None, KEY))
    webhook, _ = await installation.webhook("http://127.0.0.1:1/")
    await database.transact(_fill, webhook.id)
    await execute(database, "ANALYZE")
    [(event_id,)] = await rows(database, "SELECT event_id FROM webhook_delivery ORDER BY position DESC LIMIT 1")
    works: list[Any] = [
        (delivery_store.list_due, webhook.id, 100),
        (delivery_store.next_due, webhook.id),
        (delivery_store.hand_on, webhook.id, "tsk_7"),
        (delivery_store.list_newest, webhook.id, None, None, 50),
        (delivery_store.list_newest, webhook.id, DeliveryStatus.FAILED, None, 50),
        (delivery_store.oldest_failed, webhook.id, 100),
        (delivery_store.attempts_of, webhook.id, event_id),
        (delivery_store.forget_before, 1, 100),
        (manage.replay_one, ALICE, webhook.id, event_id),
    ]
    if database.dialect == "sqlite":  # PostgreSQL reads a table without rows as a whole
        works.append((calendar_store.find_versions, ["alice"], 1, None))
    for work, *arguments in works:
        for plan in await plans_of(database, work, *arguments):
            assert not LARGE & set(plan.scanned), (work.__name__, plan)


async def _fill(tx: Tx, webhook_id: str) -> None:
    told = [(f"tsk_{n % 50}", TaskChanged(f"tsk_{n % 50}", n, [])) for n in range(MANY)]
    await emit_many(tx, kinds.TASK_UPDATED, "alice", told)
    while tx.dialect == "postgres" and await place_events(tx):
        pass
    await delivery_store.order(tx, webhook_id, await read_after(tx, 0, MANY))
    sql = "UPDATE webhook_delivery SET status = 'delivered', due = NULL WHERE position % 100 <> 0"
    await tx.run(sql)
    await tx.run(
        "INSERT INTO webhook_attempt (webhook_id, event_id, number, at, ms, status, answer)"
        " SELECT webhook_id, event_id, 1, 1, 1, 200, '' FROM webhook_delivery"
    )
