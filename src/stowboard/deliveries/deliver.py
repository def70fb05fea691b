"""The job that sends deliveries: one job for each destination, so that one receiver cannot hold up another.

A destination has at most one living job in all processes together, so its order and its bound of requests at once hold
everywhere. A turn sends what is due, the messages of a subject one after the other and some subjects side by side, and
ends after some seconds; the rest follows after other destinations. Claims go round the owners, and so do the requests
of a process. Each attempt is recorded as soon as it has ended. A killed process loses only that record: a message
arrives at least once, and may arrive twice.

Webhooks and channels are kinds of destinations. A kind says what a message is and how it is sent, and is known by the
prefix of its ids.
"""

import asyncio
import time
from collections import deque
from typing import Any

import msgspec

from stowboard.core import clock
from stowboard.core.turns import Lanes
from stowboard.db.database import Database, Tx
from stowboard.deliveries import delivery_store
from stowboard.deliveries.delivery import DeliveryStatus, DestinationKind
from stowboard.deliveries.settings import REQUESTS_AT_ONCE, REQUESTS_OF_ONE
from stowboard.deliveries.verdict import write_down
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind

#: Deliveries that a turn looks at, in one read.
_LOOKED_AT = 100


class DeliverArgs(msgspec.Struct, frozen=True):
    destination_id: str


class Deliverer:
    """The kinds of destinations, by the prefix of their ids, and the requests that this process makes."""

    def __init__(self, kept_ms: int = 30 * 24 * 3600 * 1000) -> None:
        #: How long the log is kept.
        self.kept_ms = kept_ms
        self._kinds: dict[str, DestinationKind] = {}
        self.lanes = Lanes(REQUESTS_AT_ONCE, REQUESTS_OF_ONE)

    def add(self, prefix: str, kind: DestinationKind) -> None:
        self._kinds[prefix] = kind

    def kind_of(self, destination_id: str) -> DestinationKind:
        return self._kinds[destination_id.partition("_")[0]]


async def deliver_later(tx: Tx, destination_id: str, owner: str, due: int | None = None) -> None:
    await enqueue(tx, DELIVER, DeliverArgs(destination_id), due=due, dedup=destination_id, owner=owner)


async def deliver(job: Job, args: DeliverArgs) -> None:
    deliverer = job.use(Deliverer)
    turn = DeliveryTurn(job.db, deliverer.kind_of(args.destination_id), deliverer.lanes, args.destination_id)
    await turn.run()
    await job.db.transact(_end_turn, job, turn.kind, args.destination_id)


class DeliveryTurn:
    """One turn of a destination: some seconds of sending."""

    def __init__(self, db: Database, kind: DestinationKind, lanes: Lanes, destination_id: str) -> None:
        self._db, self.kind, self._lanes, self._id = db, kind, lanes, destination_id
        self._until = time.monotonic() + kind.settings.turn_s
        self._goes_on = True

    async def run(self) -> None:
        at_once, found = await self._db.read(self._look)
        waiting = deque(found)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(at_once, len(waiting))):
                group.create_task(self._send_in_turn(waiting))

    async def _look(self, tx: Tx) -> tuple[int, list[str]]:
        """The number of deliveries that may be sent at once, and the messages that are due."""
        destination, settings = await self.kind.find(tx, self._id), self.kind.settings
        if destination is None or not destination.enabled or destination.resting_until > clock.now_ms():
            return 0, []
        on_trial = destination.failures >= settings.patience
        due = await delivery_store.list_due(tx, self._id, 1 if on_trial else _LOOKED_AT)
        return 1 if on_trial else settings.at_once, due

    async def _send_in_turn(self, waiting: deque[str]) -> None:
        """Take one subject after the other, and send its messages until the receiver refuses one."""
        while waiting:
            following: str | None = waiting.popleft()
            while following is not None and self._goes_on and time.monotonic() <= self._until:
                following = await self._send_one(following)

    async def _send_one(self, message_id: str) -> str | None:
        """Send one message; returns the next one of the same subject, if that may follow."""
        prepared = await self._db.read(self._prepare, message_id)
        if prepared is None:
            return None
        destination, tries, message = prepared
        if message is None:
            await self._db.transact(delivery_store.forget, self._id, message_id)
            return None
        async with self._lanes.place(destination.owner):
            outcome = await self.kind.send(destination, message)
        consequence = await self._db.transact(write_down, self.kind, self._id, message_id, tries, outcome)
        self._goes_on = self._goes_on and consequence.goes_on
        return consequence.following

    async def _prepare(self, tx: Tx, message_id: str) -> tuple[Any, int, Any] | None:
        """Destination, earlier attempts and message; None if the delivery is over, or the destination off or gone."""
        destination = await self.kind.find(tx, self._id)
        delivery = await delivery_store.find(tx, self._id, message_id)
        if destination is None or delivery is None:
            return None
        if not destination.enabled or delivery.status != DeliveryStatus.PENDING:
            return None
        return destination, delivery.tries, await self.kind.prepare(tx, destination, delivery)


async def _end_turn(tx: Tx, job: Job, kind: DestinationKind, destination_id: str) -> None:
    """End the turn, and order the next one for when a delivery is due."""
    destination = await kind.lock(tx, destination_id)
    is_on = destination is not None and destination.enabled
    due = await delivery_store.next_due(tx, destination_id) if is_on else None
    await job.complete(tx)
    if destination is not None and due is not None:
        later = max(due, destination.resting_until, clock.now_ms())
        await deliver_later(tx, destination_id, destination.owner, later)


#: It is given up only if the database was away for hours. Then the upkeep, which runs each minute, orders it again.
DELIVER = JobKind("deliveries.deliver", "deliver", deliver, args=DeliverArgs, max_attempts=20)
