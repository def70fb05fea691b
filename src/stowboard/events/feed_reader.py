"""The loop of those who read the feed and make something of each event: deliveries of webhooks, notifications."""

import asyncio
import logging
from typing import ClassVar

from stowboard.core.background_loop import BackgroundLoop
from stowboard.db.database import Database
from stowboard.events.sequencer import READABLE

#: Seconds to wait for further events, which are then handed out together.
GATHER_SECONDS = 0.05
POLL_SECONDS = 1.0
log = logging.getLogger("stowboard.events")


class FeedReader:
    """A reader of the feed. If it stops, another process or the next start hands out the events that are left."""

    #: For the log, as in "placing events".
    does: ClassVar[str]
    #: Events that it takes in one transaction.
    batch: ClassVar[int] = 500
    #: Seconds that it rests after a full batch, so that requests get the database.
    rest_s: ClassVar[float] = 0

    def __init__(self, db: Database) -> None:
        self.db = db
        self._loop = BackgroundLoop(log, self.does, self._turn, gather_s=GATHER_SECONDS)

    def start(self) -> None:
        self.db.listen(READABLE[self.db.dialect], self._loop.wake)
        self._loop.start()

    async def stop(self) -> None:
        await self._loop.stop()

    async def hand_out(self, limit: int) -> int:
        """Take the next events, at most `limit`; returns how many there were, or `limit` if there may be more."""
        raise NotImplementedError

    async def _turn(self) -> float:
        if await self.hand_out(self.batch) < self.batch:
            return POLL_SECONDS
        await asyncio.sleep(self.rest_s)
        return 0
