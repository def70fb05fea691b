"""Events are kept for a time, then swept away in the order of their positions."""

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.events.settings import EventSettings
from stowboard.jobs.schedule import sweep


async def forget_events(tx: Tx, kept_ms: int, limit: int) -> int:
    """Remove the oldest events whose time is over, a bounded number of them; returns how many.

    `swept` moves in the same transaction: it tells which cursors have expired.
    """
    head = await tx.one("SELECT position, swept FROM feed FOR UPDATE")
    assert head is not None
    last, swept = head
    upto = min(swept + limit, last)
    kept = await tx.one(
        "SELECT position FROM event WHERE position > $1 AND position <= $2 AND created_at >= $3"
        " ORDER BY position LIMIT 1",
        swept, upto, clock.now_ms() - kept_ms,
    )  # fmt: skip
    upto = kept[0] - 1 if kept is not None else upto
    if upto > swept:
        await tx.run("DELETE FROM event WHERE position > $1 AND position <= $2", swept, upto)
        await tx.run("UPDATE feed_head SET position = $1, swept = $2", last, upto)
    return int(upto - swept)


PERIODICS = [sweep("platform.sweep_events", 600_000, forget_events, lambda job: job.use(EventSettings).kept_ms)]
