"""Sweeps: jobs that remove expired rows by the clock, a batch in each transaction."""

from collections.abc import Awaitable, Callable

from stowboard.db.database import Tx
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.schedule import PeriodicJob

#: Small enough that a sweep never holds up a write for long.
BATCH = 500


def sweep(name: str, every_ms: int, forget: Callable[[Tx, int], Awaitable[int]]) -> PeriodicJob[NoArgs]:
    """A job that calls `forget` until nothing is left; `forget` removes at most that many, and returns how many."""

    async def run(job: Job, _: NoArgs) -> None:
        while await job.db.transact(forget, BATCH) == BATCH:
            pass

    return PeriodicJob(name, every_ms, JobKind(name, "sweep", run, args=NoArgs), NoArgs())
