"""What happened, as rows in the transaction in which it happened: an event exists exactly if its effect does.

Events are thin: they name what changed and carry none of a task's text, so nothing has to be taken back from them.
"""

from typing import Any

import msgspec

from stowboard.core import clock
from stowboard.core.ids import new_id
from stowboard.db.database import Tx, Write
from stowboard.jobs.sweep import sweep

KEPT_MS = 30 * 24 * 3600 * 1000


async def emit(tx: Tx, kind: str, owner: str, subject: str, data: dict[str, Any]) -> None:
    """Record that something happened to the subject, a resource of the owner."""
    sql, args = recorded(kind, owner, subject, data)
    await tx.run(sql, *args)


def recorded(kind: str, owner: str, subject: str, data: dict[str, Any]) -> Write:
    """The same, for the caller to write together with other things."""
    return (
        "INSERT INTO event (id, type, owner, subject, data, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        (new_id("evt"), kind, owner, subject, msgspec.json.encode(data), clock.now_ms()),
    )


async def forget_events(tx: Tx, limit: int) -> int:
    """Remove events older than `KEPT_MS`, a bounded number of them. Ids sort by creation, so the oldest come first."""
    return await tx.run(
        "DELETE FROM event WHERE id IN (SELECT id FROM event ORDER BY id LIMIT $2) AND created_at < $1",
        clock.now_ms() - KEPT_MS, limit,
    )  # fmt: skip


PERIODICS = [sweep("platform.sweep_events", 600_000, forget_events)]
