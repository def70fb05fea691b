"""What is swept away by the clock: replies whose day is over, old events, tokens and keys that ended long ago."""

from collections.abc import Awaitable, Callable

from stowboard.access.tokens import forget_expired
from stowboard.api.idempotency import forget_replies
from stowboard.core import clock
from stowboard.db.database import Database, Tx
from stowboard.events.outbox import forget_events
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.schedule import Periodic
from stowboard.tasks.base.task_store import forget_graves

#: Small enough that a sweep never holds up a write for long.
BATCH = 500
_DAY_MS = 24 * 3600 * 1000


async def sweep_replies(job: Job, _: NoArgs) -> None:
    await _in_batches(job.db, forget_replies)


async def sweep_tokens(job: Job, _: NoArgs) -> None:
    await _in_batches(job.db, _forget_tokens)


async def sweep_events(job: Job, _: NoArgs) -> None:
    await _in_batches(job.db, forget_events)


async def sweep_task_keys(job: Job, _: NoArgs) -> None:
    await _in_batches(job.db, forget_graves)


async def _forget_tokens(tx: Tx, limit: int) -> int:
    return await forget_expired(tx, clock.now_ms() - _DAY_MS, limit)


async def _in_batches(db: Database, forget: Callable[[Tx, int], Awaitable[int]]) -> None:
    while await db.transact(forget, BATCH) == BATCH:
        pass


REPLIES = JobKind("platform.sweep_replies", "sweep", sweep_replies, args=NoArgs)
TOKENS = JobKind("platform.sweep_tokens", "sweep", sweep_tokens, args=NoArgs)

EVENTS = JobKind("platform.sweep_events", "sweep", sweep_events, args=NoArgs)
TASK_KEYS = JobKind("tasks.sweep_keys", "sweep", sweep_task_keys, args=NoArgs)

JOBS = [REPLIES, TOKENS, EVENTS, TASK_KEYS]
PERIODICS = [
    Periodic("platform.sweep_replies", 60_000, REPLIES, NoArgs()),
    Periodic("platform.sweep_tokens", 3_600_000, TOKENS, NoArgs()),
    Periodic("platform.sweep_events", 600_000, EVENTS, NoArgs()),
    Periodic("tasks.sweep_keys", 600_000, TASK_KEYS, NoArgs()),
]
