"""Jobs that come by the clock."""

import asyncio
from contextlib import AsyncExitStack

from stowboard.db.database import Database
from stowboard.jobs import lease
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.schedule import PeriodicJob, tick
from support.database.statements import execute, rows
from support.jobs.working import demand, working
from support.waiting import until

EVERY = 250


async def idle(job: Job, args: NoArgs) -> None: ...


SWEEP = JobKind("sweep", "sweeps", idle, args=NoArgs)
HOURLY = PeriodicJob("hourly sweep", 3_600_000, SWEEP, NoArgs())


async def test_a_periodic_job_runs_once_in_each_interval_across_three_workers(database: Database) -> None:
    await execute(database, "CREATE TABLE run (at BIGINT)")

    async def run(job: Job, args: NoArgs) -> None:
        await execute(database, "INSERT INTO run (at) SELECT created_at FROM job WHERE id = $1", job.id)

    sweep = JobKind("sweep", "sweeps", run, args=NoArgs)
    periodic = PeriodicJob("often", EVERY, sweep, NoArgs())
    async with AsyncExitStack() as stack:
        for _ in range(3):
            await stack.enter_async_context(working(database, sweep, periodics=[periodic]))
        await until(lambda: at_least_six(database))
    intervals = [at // EVERY for (at,) in await rows(database, "SELECT at FROM run")]
    assert len(intervals) == len(set(intervals))


async def at_least_six(database: Database) -> bool:
    return len(await rows(database, "SELECT at FROM run")) >= 6


async def test_missed_intervals_are_made_up_by_one_run(database: Database) -> None:
    await database.transact(tick, [HOURLY])
    assert await run_waiting(database) == 0
    await execute(database, "UPDATE schedule SET next = next - 100 * $1", HOURLY.every_ms)
    await database.transact(tick, [HOURLY])
    assert await run_waiting(database) == 1
    await database.transact(tick, [HOURLY])
    assert await run_waiting(database) == 0


async def test_a_tick_that_several_nodes_see_is_ordered_by_one(database: Database) -> None:
    async def tick_and_run() -> int:
        await database.transact(tick, [HOURLY])
        return await run_waiting(database)

    await database.transact(tick, [HOURLY])
    await execute(database, "UPDATE schedule SET next = now_ms() - 1")
    assert sum(await asyncio.gather(*(tick_and_run() for _ in range(5)))) == 1
    assert await tick_and_run() == 0


async def run_waiting(database: Database) -> int:
    """Run and finish what is due at once, so that an order too many is not taken for the one before it."""
    claims = await database.transact(lease.claim, [demand("sweeps", ["sweep"], 10)], 60_000)
    for claim in claims:
        await database.transact(lease.finish, claim)
    return len(claims)


async def test_an_interval_that_became_shorter_holds_at_once(database: Database) -> None:
    yearly = PeriodicJob("sweep", 365 * 86_400_000, SWEEP, NoArgs())
    minutely = PeriodicJob("sweep", 60_000, SWEEP, NoArgs())
    await database.transact(tick, [yearly])
    async with working(database, SWEEP, periodics=[minutely]):
        await until(lambda: is_within_a_minute(database))


async def is_within_a_minute(database: Database) -> bool:
    return await rows(database, "SELECT name FROM schedule WHERE next <= now_ms() + 60000") == [("sweep",)]


async def test_a_periodic_job_that_no_code_knows_any_more_disturbs_nobody(database: Database) -> None:
    await execute(database, "INSERT INTO schedule (name, next) VALUES ('removed', 1)")
    async with working(database, SWEEP, periodics=[HOURLY]):
        await until(lambda: hourly_is_known(database))
    assert await rows(database, "SELECT next FROM schedule WHERE name = 'removed'") == [(1,)]
    assert await rows(database, "SELECT id FROM job") == []


async def hourly_is_known(database: Database) -> bool:
    return len(await rows(database, "SELECT name FROM schedule")) == 2
