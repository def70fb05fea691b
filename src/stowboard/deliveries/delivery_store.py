"""The tables `delivery` and `delivery_attempt`. A writer has locked the destination.

Only the first pending delivery of a subject is due. When it has ended, or failed often enough, it makes the next one
due. So an index finds what may be sent, however much waits behind it.
"""

from collections.abc import Sequence

import msgspec

from stowboard.core.cursor import Position
from stowboard.db.database import Row, Tx
from stowboard.db.scan import IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.db.table import Table
from stowboard.deliveries.delivery import BLOCKING_ATTEMPTS, Delivery, DeliveryAttempt, DeliveryOrder, DeliveryStatus

_DELIVERIES = Table("delivery", Delivery, "about")
_ATTEMPTS = Table("delivery_attempt", DeliveryAttempt)
_LATEST = ScanOrder(("position",), descending=True)
_NOT_ITS_TURN = (
    "EXISTS (SELECT 1 FROM delivery AS earlier WHERE earlier.destination_id = $1 AND earlier.subject = $5"
    f" AND earlier.status = 'pending' AND earlier.position < $3 AND earlier.attempts < {BLOCKING_ATTEMPTS})"
)

_json = msgspec.json.Encoder().encode


async def order(tx: Tx, destination_id: str, orders: Sequence[DeliveryOrder]) -> None:
    """Order deliveries, which come in the order of positions. A delivered message goes out again."""
    sql = f"""
    INSERT INTO delivery
        (destination_id, message_id, position, type, subject, about, until, status, attempts, tries, due, created_at)
    VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', 0, 0,
        CASE WHEN {_NOT_ITS_TURN} THEN NULL ELSE now_ms() END, now_ms())
    ON CONFLICT (destination_id, message_id) DO UPDATE SET
        status = 'pending', attempts = 0, due = excluded.due, ended_at = NULL
    WHERE delivery.status <> 'pending'
    """
    rows = [(destination_id, *each[:4], _json(each.about).decode(), each.until) for each in orders]
    await tx.run_many(sql, rows)


async def find(tx: Tx, destination_id: str, message_id: str) -> Delivery | None:
    return await _DELIVERIES.find(tx, "destination_id = $1 AND message_id = $2", destination_id, message_id)


async def list_newest(
    tx: Tx, destination_id: str, status: DeliveryStatus | None, after: Position | None, size: int
) -> RowPage[Delivery]:
    """A page of deliveries, the latest message first."""
    arguments = SqlArguments(destination_id)
    asked = () if status is None else (f"status = {arguments.add(status)}",)
    ranges = (IndexRange(_DELIVERIES.name, ("destination_id = $1", *asked)),)
    return await Scan(_DELIVERIES.fields, _DELIVERIES.read_all, ranges, _LATEST).page(tx, arguments, after, size)


async def oldest_failed(tx: Tx, destination_id: str, limit: int) -> list[str]:
    """The ids of messages whose deliveries failed, oldest first."""
    rows = await tx.all(
        "SELECT message_id FROM delivery WHERE destination_id = $1 AND status = 'failed' ORDER BY position LIMIT $2",
        destination_id, limit,
    )  # fmt: skip
    return [row[0] for row in rows]


async def list_due(tx: Tx, destination_id: str, limit: int) -> list[str]:
    """The ids of the messages that may be sent now, at most one of a subject."""
    rows = await tx.all(
        "SELECT message_id, subject FROM delivery"
        " WHERE destination_id = $1 AND status = 'pending' AND due IS NOT NULL AND due <= now_ms()"
        " ORDER BY due LIMIT $2",
        destination_id, limit,
    )  # fmt: skip
    first = {subject: message_id for message_id, subject in reversed(rows)}
    return [message_id for message_id, subject in rows if first[subject] == message_id]


async def next_due(tx: Tx, destination_id: str) -> int | None:
    row = await tx.one(
        "SELECT due FROM delivery WHERE destination_id = $1 AND status = 'pending' AND due IS NOT NULL"
        " ORDER BY due LIMIT 1",
        destination_id,
    )  # fmt: skip
    return row[0] if row is not None else None


async def add_attempt(tx: Tx, destination_id: str, delivery: Delivery, attempt: DeliveryAttempt) -> None:
    await _ATTEMPTS.insert(
        tx, attempt, destination_id=destination_id, message_id=delivery.message_id, number=delivery.tries + 1
    )


async def end(tx: Tx, destination_id: str, message_id: str, status: DeliveryStatus) -> None:
    await tx.run(
        "UPDATE delivery SET status = $3, attempts = attempts + 1, tries = tries + 1, due = NULL,"
        " ended_at = now_ms() WHERE destination_id = $1 AND message_id = $2",
        destination_id, message_id, status,
    )  # fmt: skip


async def try_again(tx: Tx, destination_id: str, message_id: str, pause_ms: int) -> None:
    await tx.run(
        "UPDATE delivery SET attempts = attempts + 1, tries = tries + 1, due = now_ms() + $3"
        " WHERE destination_id = $1 AND message_id = $2",
        destination_id, message_id, pause_ms,
    )  # fmt: skip


async def hand_on(tx: Tx, destination_id: str, subject: str) -> str | None:
    """Make the subject's next delivery due; returns the id of its message."""
    row = await tx.one(
        "UPDATE delivery SET due = now_ms() WHERE destination_id = $1 AND message_id = ("
        " SELECT message_id FROM delivery WHERE destination_id = $1 AND subject = $2 AND status = 'pending'"
        " AND due IS NULL ORDER BY position LIMIT 1) RETURNING message_id",
        destination_id, subject,
    )  # fmt: skip
    return row[0] if row is not None else None


async def unblock(tx: Tx, destination_id: str) -> None:
    """Make due the deliveries that wait for one that no longer exists."""
    await tx.run(
        "UPDATE delivery SET due = now_ms() WHERE destination_id = $1 AND status = 'pending' AND due IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM delivery AS earlier WHERE earlier.destination_id = $1"
        " AND earlier.subject = delivery.subject AND earlier.status = 'pending'"
        f" AND earlier.position < delivery.position AND earlier.attempts < {BLOCKING_ATTEMPTS})",
        destination_id,
    )


async def attempts_of(tx: Tx, destination_id: str, message_id: str) -> list[DeliveryAttempt]:
    condition = "destination_id = $1 AND message_id = $2 ORDER BY number DESC LIMIT 100"
    return await _ATTEMPTS.find_all(tx, condition, destination_id, message_id)


async def find_unattended(tx: Tx, job_kind: str, limit: int) -> list[str]:
    """Destinations with a delivery that is due, and no job that sends it."""
    rows = await tx.all(
        "SELECT DISTINCT destination_id FROM delivery WHERE status = 'pending' AND due IS NOT NULL AND due <= now_ms()"
        " AND NOT EXISTS (SELECT 1 FROM job WHERE kind = $1 AND dedup = destination_id AND dead = 0) LIMIT $2",
        job_kind, limit,
    )  # fmt: skip
    return [row[0] for row in rows]


async def last_attempts(tx: Tx, destination_id: str, limit: int) -> list[DeliveryAttempt]:
    """Newest first, of all deliveries."""
    return await _ATTEMPTS.find_all(
        tx, "destination_id = $1 ORDER BY at DESC, number DESC LIMIT $2", destination_id, limit
    )


async def forget(tx: Tx, destination_id: str, message_id: str) -> None:
    await _forget(tx, [(destination_id, message_id)])


async def forget_before(tx: Tx, created_before: int, limit: int) -> int:
    """Remove the oldest deliveries with their attempts, a bounded number of them; returns how many."""
    rows = await tx.all(
        "SELECT destination_id, message_id FROM delivery WHERE created_at < $1 ORDER BY created_at LIMIT $2",
        created_before, limit,
    )  # fmt: skip
    return await _forget(tx, rows)


async def forget_of(tx: Tx, destination_id: str, limit: int) -> int:
    """Remove deliveries of one destination in the same way."""
    rows = await tx.all(
        "SELECT destination_id, message_id FROM delivery WHERE destination_id = $1 LIMIT $2", destination_id, limit
    )
    return await _forget(tx, rows)


async def _forget(tx: Tx, keys: Sequence[Row]) -> int:
    for table in ("delivery_attempt", "delivery"):
        await tx.run_many(
            f"DELETE FROM {table} WHERE destination_id = $1 AND message_id = $2", [tuple(key) for key in keys]
        )
    return len(keys)
