"""Runs jobs as they become due, in the server's own event loop or alone.

The loop looks (one read), claims what is due and there are free slots for (one write, only if something is due), and
sleeps until it is woken, a slot is freed, the next job is due or a poll has passed. An idle worker writes nothing.
Several workers, in several processes and on several nodes, share the queues without knowing each other.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence

from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.jobs import lease
from stowboard.jobs.attempt import CANCEL_S, Attempt
from stowboard.jobs.lease import Claim
from stowboard.jobs.queue import CHANNEL
from stowboard.jobs.registry import AnyKind, by_name
from stowboard.jobs.schedule import AnyPeriodic, next_ticks, tick
from stowboard.jobs.settings import JobSettings

#: When another worker was faster, or a request holds the row: long enough not to spin, short enough not to matter.
MISSED_S = 0.05
#: While nodes are upgraded one by one, jobs of a new kind may meet an old worker.
UNKNOWN_PAUSE_MS = 30_000

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
        self._slots = {kind.queue: self._settings.slots.get(kind.queue, self._settings.default_slots) for kind in kinds}
        self._running: dict[asyncio.Task[None], Attempt] = {}
        self._busy: Counter[str] = Counter()
        self._wake = asyncio.Event()
        self._stopping = False
        self._in_trouble = False
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to work, on the running event loop."""
        self._db.listen(CHANNEL, self._wake.set)
        self._loop = asyncio.create_task(self._work())

    async def stop(self, grace_s: float) -> None:
        """Claim nothing more, let what runs end within the grace period, and hand back the rest."""
        self._stopping = True
        self._wake.set()
        if self._loop is not None:
            await self._loop
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

    async def _work(self) -> None:
        while not self._stopping:
            self._wake.clear()
            await self._sleep(await self._turn_or_trouble())

    async def _turn_or_trouble(self) -> float:
        try:
            pause_s = await self._turn()
        except Exception:
            if not self._in_trouble:
                log.exception("jobs cannot be looked for; trying again every %d ms", self._settings.poll_ms)
            self._in_trouble = True
            return self._settings.poll_ms / 1000
        if self._in_trouble:
            log.info("jobs can be looked for again")
        self._in_trouble = False
        return pause_s

    async def _turn(self) -> float:
        """Order, claim and begin what is due; how long there is nothing more to do, in seconds."""
        free = {queue: n for queue, slots in self._slots.items() if (n := slots - self._busy[queue]) > 0}
        waits, ticks, set_back = await self._db.read(_look, list(free), self._periodics)
        if set_back:
            log.warning("the clock was set back; %d jobs wait anew", await self._db.transact(lease.begin_waits_anew))
            return 0
        if late := [periodic for periodic, wait in ticks if wait <= 0]:
            await self._db.transact(tick, late)
            return 0
        if due := {queue: free[queue] for queue, wait in waits.items() if wait <= 0}:
            claims = await self._db.transact(lease.claim, due, self._settings.lease_ms)
            await self._begin_all(claims)
            return 0 if claims else MISSED_S
        return min([self._settings.poll_ms, *waits.values(), *(wait for _, wait in ticks)]) / 1000

    async def _begin_all(self, claims: Sequence[Claim]) -> None:
        unknown = [claim for claim in claims if claim.kind not in self._kinds]
        for claim in claims:
            if claim.kind in self._kinds:
                self._begin(claim, self._kinds[claim.kind])
        for claim in unknown:
            log.warning("job %s (%s) is of no kind that this worker knows; left to others", claim.id, claim.kind)
            await self._db.transact(lease.hand_back, claim, UNKNOWN_PAUSE_MS)

    def _begin(self, claim: Claim, kind: AnyKind) -> None:
        attempt = Attempt(self._db, self._services, kind, claim, self._settings.lease_ms)
        task = asyncio.create_task(attempt.run())
        self._running[task] = attempt
        self._busy[claim.queue] += 1
        task.add_done_callback(lambda task: self._end(task, claim))

    def _end(self, task: asyncio.Task[None], claim: Claim) -> None:
        del self._running[task]
        self._busy[claim.queue] -= 1
        self._wake.set()

    async def _sleep(self, seconds: float) -> None:
        if seconds > 0:
            try:
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
            except TimeoutError:
                pass


async def _look(
    tx: Tx, queues: Sequence[str], periodics: Sequence[AnyPeriodic]
) -> tuple[dict[str, int], list[tuple[AnyPeriodic, int]], bool]:
    return await lease.next_due(tx, queues), await next_ticks(tx, periodics), await lease.clock_was_set_back(tx)
