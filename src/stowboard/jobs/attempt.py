"""One attempt at a job: runs its handler under heartbeats, then records how it ended.

Any error of the handler becomes a failed attempt and goes no further. While the database is away, the attempt tries to
record the ending again and again, until the lease may have ended; after that the job is due and runs again.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import Any, Concatenate, ParamSpec

import msgspec

from stowboard.core.services import Services
from stowboard.db.database import Database, DatabaseUnavailable, Tx
from stowboard.jobs import lease
from stowboard.jobs.lease import JobClaim, JobId, LeaseLost
from stowboard.jobs.registry import AnyKind, Job

P = ParamSpec("P")

LONGEST_PAUSE_MS = 3_600_000
#: The time that a cancelled handler has to clean up; then its job is handed back all the same.
CANCEL_S = 5.0
#: The pause between attempts to record an ending.
AWAY_S = 0.5

log = logging.getLogger("stowboard.jobs")


class JobAttempt:
    def __init__(self, db: Database, services: Services, kind: AnyKind, claim: JobClaim, lease_ms: int) -> None:
        self._db = db
        self._claim = claim
        self._kind = kind
        self._job = Job(claim, db, services)
        self._lease_ms = lease_ms
        self._lost = False
        self._stop: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def stop(self) -> None:
        """Cancel the handler. Unless it succeeds all the same, another worker starts the job again."""
        if not self._stop.done():
            self._stop.set_result(None)

    async def run(self) -> None:
        try:
            if self._claim.attempt > self._kind.max_attempts:
                await self._bury("The worker was killed or stalled in the last attempt.")
            else:
                await self._run_handler()
        except LeaseLost:
            log.warning("job %s (%s) was claimed by another or cancelled; this attempt has no effect", *self._names)
        except Exception:
            log.exception("job %s (%s): its ending could not be written; it runs again after its lease", *self._names)

    async def _run_handler(self) -> None:
        handler = asyncio.create_task(self._handle())
        await self._watch(handler)
        ended = handler.done() and not handler.cancelled()
        error = handler.result() if ended else asyncio.CancelledError()
        if self._job.completed:
            if error is not None:
                log.warning("job %s (%s) raised after its completion", *self._names, exc_info=error)
        elif error is None:
            await self._write(self._job.complete)
        elif self._lost:
            raise LeaseLost(self._claim.id)
        elif self._stop.done() and isinstance(error, asyncio.CancelledError):
            await self._write(lease.hand_back, self._claim)
        else:
            await self._fail(error)

    async def _handle(self) -> BaseException | None:
        try:
            await self._kind.run(self._job, self._args())
        except BaseException as error:  # a SystemExit out of a task would end the event loop
            return error
        return None

    async def _watch(self, handler: asyncio.Task[Any]) -> None:
        while not handler.done():
            await asyncio.wait(
                {handler, self._stop}, timeout=self._lease_ms / 3000, return_when=asyncio.FIRST_COMPLETED
            )
            if self._stop.done():
                handler.cancel()
                await asyncio.wait({handler}, timeout=CANCEL_S)
                return
            if not handler.done() and not self._lost:
                await self._heartbeat(handler)

    async def _heartbeat(self, handler: asyncio.Task[Any]) -> None:
        try:
            kept = await self._db.transact(lease.renew, self._claim, self._lease_ms)
        except Exception:
            log.warning("job %s (%s): a heartbeat failed", *self._names, exc_info=True)
            return
        # The job may have completed just now, and then has no row.
        if not kept and not self._job.completing:
            self._lost = True
            handler.cancel()

    async def _fail(self, error: BaseException) -> None:
        attempt, text = self._claim.attempt, f"{type(error).__name__}: {error}"
        log.warning("job %s (%s) failed, attempt %d", *self._names, attempt, exc_info=error)
        if attempt < self._kind.max_attempts:
            await self._write(lease.fail, self._claim, text, _pause_ms(self._kind, attempt))
        else:
            await self._bury(text)

    async def _bury(self, text: str) -> None:
        log.error("job %s (%s) is given up", *self._names)
        try:
            await self._write(self._bury_and_tell, text)
        except LeaseLost:
            raise
        except Exception:
            log.exception("job %s (%s) could not tell that it was given up", *self._names)
            await self._write(lease.bury, self._claim, text)

    async def _bury_and_tell(self, tx: Tx, text: str) -> None:
        if await lease.bury(tx, self._claim, text) and self._kind.gave_up is not None:
            await self._kind.gave_up(tx, self._args())

    async def _write(
        self, work: Callable[Concatenate[Tx, P], Awaitable[object]], *args: P.args, **kw: P.kwargs
    ) -> None:
        """Run a transaction, again and again while the database is away. That is safe, since it names the lease."""
        give_up = time.monotonic() + self._lease_ms / 1000
        while True:
            try:
                await self._db.transact(work, *args, **kw)
                return
            except DatabaseUnavailable:
                if self._stop.done() or time.monotonic() > give_up:
                    raise
            await asyncio.wait({self._stop}, timeout=AWAY_S)

    def _args(self) -> Any:
        return msgspec.json.decode(self._claim.args, type=self._kind.args)

    @property
    def _names(self) -> tuple[JobId, str]:
        return self._claim.id, self._claim.kind


def _pause_ms(kind: AnyKind, attempt: int) -> int:
    """Doubles with each attempt. A random part of up to half is taken off: jobs that fail together retry apart."""
    longest: int = min(LONGEST_PAUSE_MS, kind.retry_ms * 2 ** (attempt - 1))
    return longest - secrets.randbelow(longest // 2 + 1)
