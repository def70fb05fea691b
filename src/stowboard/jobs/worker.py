"""Runs jobs as they become due, in the server's own event loop or in a worker process.

A turn reads what is due, and claims the due jobs that have a free slot (one write, only if there is such a job). Then
the worker rests until it is woken, a slot becomes free, the next job is due or it is time to poll. An idle worker
writes nothing. It claims jobs of the kinds that it knows and leaves all others. Several workers, in several processes
and on several nodes, share the queues without knowing each other.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence

from stowboard.core.background_loop import BackgroundLoop
from stowboard.core.services import Services
from stowboard.core.turns import Turns
from stowboard.db.database import Database, Tx
from stowboard.jobs import lease
from stowboard.jobs.attempt import CANCEL_S, JobAttempt
from stowboard.jobs.lease import JobClaim, QueueDemand
from stowboard.jobs.queue import CHANNEL
from stowboard.jobs.registry import AnyKind, by_name
from stowboard.jobs.schedule import AnyPeriodic, next_ticks, tick
from stowboard.jobs.settings import JobSettings

#: The pause if another worker was faster or a request holds the row: long enough not to spin, too short to notice.
MISSED_S = 0.05
_NO_SHARE = 1_000_000

log = logging.getLogger("stowboard.jobs")


class Worker:
    def __init__(
        self,
        db: Database,
        services: Services,
        kinds: Sequence[AnyKind],
        periodics: Sequence[AnyPeriodic] = (),
        settings: JobSettings | None = None,
    ) -> None:
        self._db = db
        self._services = services
        self._kinds = by_name(kinds)
        self._periodics = periodics
        self._settings = settings or JobSettings()
        self._queues: dict[str, list[str]] = {}
        for kind in kinds:
            self._queues.setdefault(kind.queue, []).append(kind.name)
        self._running: dict[asyncio.Task[None], JobAttempt] = {}
        self._busy: Counter[str] = Counter()
        self._turns = {queue: Turns(self._settings.shares.get(queue, _NO_SHARE)) for queue in self._queues}
        self._loop = BackgroundLoop(log, "looking for jobs", self._turn, retry_s=self._settings.poll_ms / 1000)

    def start(self) -> None:
        """Begin to work, on the running event loop."""
        self._db.listen(CHANNEL, self._loop.wake)
        self._loop.start()

    async def stop(self, grace_s: float) -> None:
        """Claim nothing more, let running jobs end within the grace period, and hand back the rest."""
        await self._loop.finish()
        await self._wait_for_running(grace_s)
        for attempt in self._running.values():
            attempt.stop()
        await self._wait_for_running(2 * CANCEL_S)
        for task in self._running:
            task.cancel()
        await self._wait_for_running(CANCEL_S)

    async def _wait_for_running(self, seconds: float) -> None:
        if self._running:
            await asyncio.wait(set(self._running), timeout=seconds)

    async def _turn(self) -> float:
        """Order, claim and begin what is due; returns the seconds until there is more to do."""
        demands = self._demands()
        waits, ticks, set_back = await self._db.read(_look, demands, self._periodics)
        if set_back:
            log.warning("the clock was set back; %d jobs wait again", await self._db.transact(lease.restart_waits))
            return 0
        if late := [periodic for periodic, wait in ticks if wait <= 0]:
            await self._db.transact(tick, late)
            return 0
        if due := [demand for demand in demands if waits.get(demand.queue, 1) <= 0]:
            claims = await self._db.transact(lease.claim, due, self._settings.lease_ms)
            for claim in claims:
                self._begin(claim, self._kinds[claim.kind])
            if claims or not all(demand.queue in self._settings.shares for demand in due):
                return 0 if claims else MISSED_S
        # Owners who have their share wait until one of their jobs ends.
        waits_ms = [wait for wait in (*waits.values(), *(wait for _, wait in ticks)) if wait > 0]
        return min([self._settings.poll_ms, *waits_ms]) / 1000

    def _demands(self) -> list[QueueDemand]:
        """The queues that have a free slot here."""
        slots = self._settings.slots
        demands = [
            QueueDemand(
                queue,
                kinds,
                slots.get(queue, self._settings.default_slots) - self._busy[queue],
                self._turns[queue],
            )
            for queue, kinds in self._queues.items()
        ]
        return [demand for demand in demands if demand.slots > 0]

    def _begin(self, claim: JobClaim, kind: AnyKind) -> None:
        attempt = JobAttempt(self._db, self._services, kind, claim, self._settings.lease_ms)
        task = asyncio.create_task(attempt.run())
        self._running[task] = attempt
        self._busy[claim.queue] += 1
        self._turns[claim.queue].begin(claim.owner)
        task.add_done_callback(lambda task: self._end(task, claim))

    def _end(self, task: asyncio.Task[None], claim: JobClaim) -> None:
        del self._running[task]
        self._busy[claim.queue] -= 1
        self._turns[claim.queue].end(claim.owner)
        self._loop.wake()


async def _look(
    tx: Tx, demands: Sequence[QueueDemand], periodics: Sequence[AnyPeriodic]
) -> tuple[dict[str, int], list[tuple[AnyPeriodic, int]], bool]:
    return await lease.next_due(tx, demands), await next_ticks(tx, periodics), await lease.clock_was_set_back(tx)
