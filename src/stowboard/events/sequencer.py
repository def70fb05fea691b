"""Gives committed events their positions, where the database does not do so itself.

PostgreSQL shows an insert when it is committed, which may be long after it took its number. So events are written
without a position, and one sequencer at a time, in any process, places those that it sees. That keeps the order of
effects: the second change of a task writes its event after the first was committed, so the sequencer that sees the
second sees the first too, with a smaller `seq`. For this, a verb locks the subject in one statement and inserts the
event in a later one.

It is woken by what this process commits, and looks for the rest every second. On SQLite there is nothing to place.
"""

import logging

from stowboard.core.background_loop import BackgroundLoop
from stowboard.db.database import Database, Tx
from stowboard.events.outbox import WRITTEN

#: The channel on PostgreSQL that says: there are new positions.
PLACED = "events.placed"
#: The channel of those who read events, by database.
READABLE = {"sqlite": WRITTEN, "postgres": PLACED}
BATCH = 500
#: Seconds to wait for further commits, which are then placed together: after a quiet time, and between two batches.
GATHER_SECONDS, SPACING_SECONDS = 0.005, 0.1
POLL_SECONDS = 1.0
log = logging.getLogger("stowboard.events")


class Sequencer:
    def __init__(self, db: Database) -> None:
        self._db = db
        self._loop = BackgroundLoop(
            log, "placing events", self._turn, gather_s=GATHER_SECONDS, spacing_s=SPACING_SECONDS
        )

    def start(self) -> None:
        if self._db.dialect == "postgres":
            self._db.listen(WRITTEN, self._loop.wake)
            self._loop.start()

    async def stop(self) -> None:
        """Events that are not placed yet are placed by another process, or after the next start."""
        await self._loop.stop()

    async def _turn(self) -> float:
        if not await self._db.read(any_unplaced):
            return POLL_SECONDS
        placed = await self._db.transact(place_events)
        self._db.notify(PLACED)
        return 0 if placed == BATCH else POLL_SECONDS


async def any_unplaced(tx: Tx) -> bool:
    return await tx.one("SELECT 1 FROM event WHERE position IS NULL LIMIT 1") is not None


async def place_events(tx: Tx) -> int:
    """Give the next events their positions, a bounded number of them; returns how many."""
    # The lock is a statement of its own: a statement that waits for a lock sees events as they were before the wait.
    head = await tx.one("SELECT position FROM feed FOR UPDATE")
    assert head is not None
    placed = await tx.run(
        "UPDATE event SET position = $1 + batch.number FROM (SELECT seq, row_number() OVER (ORDER BY seq) AS number"
        " FROM (SELECT seq FROM event WHERE position IS NULL ORDER BY seq LIMIT $2) AS unplaced) AS batch"
        " WHERE event.seq = batch.seq AND event.position IS NULL",
        head[0], BATCH,
    )  # fmt: skip
    if placed:
        await tx.run("UPDATE feed_head SET position = $1", head[0] + placed)
    return placed
