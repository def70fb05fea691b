"""What is swept away by the clock: replies whose day is over, tokens of OAuth clients that ended long ago."""

from collections.abc import Awaitable, Callable

from stowboard.api.idempotency import forget_replies
from stowboard.api.tokens import forget_expired
from stowboard.core import clock
from stowboard.db.database import Database, Tx
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.schedule import Periodic

#: Small enough that a sweep never holds up a write for long.
BATCH = 500
_DAY_MS = 24 * 3600 * 1000


async def sweep_replies(job: Job, _: NoArgs) -> None:
    await _in_batches(job.db, forget_replies)


async def sweep_tokens(job: Job, _: NoArgs) -> None:
    await _in_batches(job.db, _forget_tokens)


async def _forget_tokens(tx: Tx, limit: int) -> int:
    return await forget_expired(tx, clock.now_ms() - _DAY_MS, limit)


async def _in_batches(db: Database, forget: Callable[[Tx, int], Awaitable[int]]) -> None:
    while await db.transact(forget, BATCH) == BATCH:
        pass


REPLIES = JobKind("platform.sweep_replies", "sweep", sweep_replies, args=NoArgs)
TOKENS = JobKind("platform.sweep_tokens", "sweep", sweep_tokens, args=NoArgs)

JOBS = [REPLIES, TOKENS]
PERIODICS = [
    Periodic("platform.sweep_replies", 60_000, REPLIES, NoArgs()),
    Periodic("platform.sweep_tokens", 3_600_000, TOKENS, NoArgs()),
]
