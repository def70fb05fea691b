"""The tables `webhook_delivery` and `webhook_attempt`. A writer has locked the webhook.

Only the first pending delivery of a subject is due. When it has ended, or failed often enough, it makes the next one
due. So an index finds what may be sent, however much waits behind it.
"""

from collections.abc import Sequence

from stowboard.core.cursor import Position
from stowboard.core.ids import is_id
from stowboard.db.database import Row, Tx
from stowboard.db.scan import IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.db.table import Table
from stowboard.events.feed import Event
from stowboard.events.webhooks.delivery import BLOCKING_ATTEMPTS, DeliveryAttempt, DeliveryStatus, WebhookDelivery

_DELIVERIES = Table("webhook_delivery", WebhookDelivery)
_ATTEMPTS = Table("webhook_attempt", DeliveryAttempt)
_LATEST = ScanOrder(("position",), descending=True)
_NOT_ITS_TURN = (
    "EXISTS (SELECT 1 FROM webhook_delivery AS earlier WHERE earlier.webhook_id = $1 AND earlier.subject = $5"
    f" AND earlier.status = 'pending' AND earlier.position < $3 AND earlier.attempts < {BLOCKING_ATTEMPTS})"
)


async def order(tx: Tx, webhook_id: str, events: Sequence[Event]) -> None:
    """Order deliveries of these events, which come in the order of positions. A delivered event goes out again."""
    sql = f"""
    INSERT INTO webhook_delivery
        (webhook_id, event_id, position, type, subject, status, attempts, tries, due, created_at)
    VALUES ($1, $2, $3, $4, $5, 'pending', 0, 0, CASE WHEN {_NOT_ITS_TURN} THEN NULL ELSE now_ms() END, now_ms())
    ON CONFLICT (webhook_id, event_id) DO UPDATE SET
        status = 'pending', attempts = 0, due = excluded.due, ended_at = NULL
    WHERE webhook_delivery.status <> 'pending'
    """
    await tx.run_many(sql, [(webhook_id, e.id, e.position, e.type, e.subject) for e in events])


async def find(tx: Tx, webhook_id: str, event_id: str) -> WebhookDelivery | None:
    if not is_id("evt", event_id):
        return None
    return await _DELIVERIES.find(tx, "webhook_id = $1 AND event_id = $2", webhook_id, event_id)


async def list_newest(
    tx: Tx, webhook_id: str, status: DeliveryStatus | None, after: Position | None, size: int
) -> RowPage[WebhookDelivery]:
    """A page of deliveries, the latest event first."""
    arguments = SqlArguments(webhook_id)
    asked = () if status is None else (f"status = {arguments.add(status)}",)
    ranges = (IndexRange(_DELIVERIES.name, ("webhook_id = $1", *asked)),)
    return await Scan(_DELIVERIES.fields, _DELIVERIES.read_all, ranges, _LATEST).page(tx, arguments, after, size)


async def oldest_failed(tx: Tx, webhook_id: str, limit: int) -> list[str]:
    """The ids of events whose deliveries failed, oldest first."""
    rows = await tx.all(
        "SELECT event_id FROM webhook_delivery WHERE webhook_id = $1 AND status = 'failed' ORDER BY position LIMIT $2",
        webhook_id, limit,
    )  # fmt: skip
    return [row[0] for row in rows]


async def list_due(tx: Tx, webhook_id: str, limit: int) -> list[str]:
    """The ids of the events that may be sent now, at most one of a subject."""
    rows = await tx.all(
        "SELECT event_id, subject FROM webhook_delivery"
        " WHERE webhook_id = $1 AND status = 'pending' AND due IS NOT NULL AND due <= now_ms() ORDER BY due LIMIT $2",
        webhook_id, limit,
    )  # fmt: skip
    first = {subject: event_id for event_id, subject in reversed(rows)}
    return [event_id for event_id, subject in rows if first[subject] == event_id]


async def next_due(tx: Tx, webhook_id: str) -> int | None:
    row = await tx.one(
        "SELECT due FROM webhook_delivery WHERE webhook_id = $1 AND status = 'pending' AND due IS NOT NULL"
        " ORDER BY due LIMIT 1",
        webhook_id,
    )  # fmt: skip
    return row[0] if row is not None else None


async def add_attempt(tx: Tx, webhook_id: str, delivery: WebhookDelivery, attempt: DeliveryAttempt) -> None:
    await _ATTEMPTS.insert(tx, attempt, webhook_id=webhook_id, event_id=delivery.event_id, number=delivery.tries + 1)


async def end(tx: Tx, webhook_id: str, event_id: str, status: DeliveryStatus) -> None:
    await tx.run(
        "UPDATE webhook_delivery SET status = $3, attempts = attempts + 1, tries = tries + 1, due = NULL,"
        " ended_at = now_ms() WHERE webhook_id = $1 AND event_id = $2",
        webhook_id, event_id, status,
    )  # fmt: skip


async def try_again(tx: Tx, webhook_id: str, event_id: str, pause_ms: int) -> None:
    await tx.run(
        "UPDATE webhook_delivery SET attempts = attempts + 1, tries = tries + 1, due = now_ms() + $3"
        " WHERE webhook_id = $1 AND event_id = $2",
        webhook_id, event_id, pause_ms,
    )  # fmt: skip


async def hand_on(tx: Tx, webhook_id: str, subject: str) -> str | None:
    """Make the subject's next delivery due; returns the id of its event."""
    row = await tx.one(
        "UPDATE webhook_delivery SET due = now_ms() WHERE webhook_id = $1 AND event_id = ("
        " SELECT event_id FROM webhook_delivery WHERE webhook_id = $1 AND subject = $2 AND status = 'pending'"
        " AND due IS NULL ORDER BY position LIMIT 1) RETURNING event_id",
        webhook_id, subject,
    )  # fmt: skip
    return row[0] if row is not None else None


async def unblock(tx: Tx, webhook_id: str) -> None:
    """Make due the deliveries that wait for one that no longer exists."""
    await tx.run(
        "UPDATE webhook_delivery SET due = now_ms() WHERE webhook_id = $1 AND status = 'pending' AND due IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM webhook_delivery AS earlier WHERE earlier.webhook_id = $1"
        " AND earlier.subject = webhook_delivery.subject AND earlier.status = 'pending'"
        f" AND earlier.position < webhook_delivery.position AND earlier.attempts < {BLOCKING_ATTEMPTS})",
        webhook_id,
    )


async def attempts_of(tx: Tx, webhook_id: str, event_id: str) -> list[DeliveryAttempt]:
    condition = "webhook_id = $1 AND event_id = $2 ORDER BY number DESC LIMIT 100"
    return await _ATTEMPTS.find_all(tx, condition, webhook_id, event_id)


async def forget_before(tx: Tx, created_before: int, limit: int) -> int:
    """Remove the oldest deliveries with their attempts, a bounded number of them; returns how many."""
    rows = await tx.all(
        "SELECT webhook_id, event_id FROM webhook_delivery WHERE created_at < $1 ORDER BY created_at LIMIT $2",
        created_before, limit,
    )  # fmt: skip
    return await _forget(tx, rows)


async def forget_of(tx: Tx, webhook_id: str, limit: int) -> int:
    """Remove deliveries of one webhook in the same way."""
    rows = await tx.all(
        "SELECT webhook_id, event_id FROM webhook_delivery WHERE webhook_id = $1 LIMIT $2", webhook_id, limit
    )
    return await _forget(tx, rows)


async def _forget(tx: Tx, keys: Sequence[Row]) -> int:
    for table in ("webhook_attempt", "webhook_delivery"):
        await tx.run_many(f"DELETE FROM {table} WHERE webhook_id = $1 AND event_id = $2", [tuple(key) for key in keys])
    return len(keys)
