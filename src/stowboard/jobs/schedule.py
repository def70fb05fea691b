"""Periodic jobs: each runs once in each interval, however many nodes there are.

Intervals are counted from the epoch, so nodes agree on them without talking. The table `schedule` has the next time of
each periodic job. The node whose update moves that time forward orders the job in the same transaction. If no node ran
for several intervals, one run makes up for them. A new periodic job first runs at the end of the present interval.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind, NoArgs

A = TypeVar("A")
#: Small enough that a sweep never holds up a write for long.
BATCH = 500


@dataclass(frozen=True)
class PeriodicJob(Generic[A]):
    name: str
    every_ms: int
    kind: JobKind[A]
    args: A


AnyPeriodic = PeriodicJob[Any]


async def next_ticks(tx: Tx, periodics: Sequence[AnyPeriodic]) -> list[tuple[AnyPeriodic, int]]:
    """Milliseconds until each job has to be ordered; zero or less if it is due or new."""
    if not periodics:
        return []
    rows = await tx.all("SELECT name, next - now_ms() FROM schedule")
    waits: dict[str, int] = {row[0]: row[1] for row in rows}
    return [(periodic, _wait(periodic, waits.get(periodic.name, 0))) for periodic in periodics]


async def tick(tx: Tx, periodics: Sequence[AnyPeriodic]) -> None:
    """Order each of these jobs, unless another node has done so."""
    for periodic in periodics:
        if not await _first_seen(tx, periodic) and await _move_on(tx, periodic):
            await enqueue(tx, periodic.kind, periodic.args, dedup=periodic.name)


def _wait(periodic: AnyPeriodic, wait: int) -> int:
    # A wait longer than the interval was set before an upgrade made the interval shorter.
    return wait if wait <= periodic.every_ms else 0


async def _first_seen(tx: Tx, periodic: AnyPeriodic) -> bool:
    sql = """
    INSERT INTO schedule (name, next) VALUES ($1, now_ms() + $2 - now_ms() % $2) ON CONFLICT (name) DO NOTHING
    """
    return await tx.run(sql, periodic.name, periodic.every_ms) == 1


async def _move_on(tx: Tx, periodic: AnyPeriodic) -> bool:
    sql = """
    UPDATE schedule SET next = now_ms() + $2 - now_ms() % $2
    WHERE name = $1 AND (next <= now_ms() OR next > now_ms() + $2)
    """
    return await tx.run(sql, periodic.name, periodic.every_ms) == 1


def sweep(
    name: str, every_ms: int, forget: Callable[..., Awaitable[int]], bound: Callable[[Job], object] | None = None
) -> PeriodicJob[NoArgs]:
    """A job that calls `forget(tx, limit)` until nothing is left; it removes at most that many, and returns how many.

    With a bound it is `forget(tx, bound, limit)`.
    """

    async def run(job: Job, _: NoArgs) -> None:
        given = () if bound is None else (bound(job),)
        while await job.db.transact(forget, *given, BATCH) == BATCH:
            pass

    return PeriodicJob(name, every_ms, JobKind(name, "sweep", run, args=NoArgs), NoArgs())
