"""The clock is set back by hours: a job waits for what was asked, not for what the clock became."""

from typing import Any

import pytest

from stowboard.core import clock
from stowboard.db.database import Database
from stowboard.jobs import lease
from stowboard.jobs.registry import Job
from support.database.statements import execute, rows
from support.jobs.working import Note, demand, kind, no_jobs_left, order, working
from support.waiting import until

HOUR = 3_600_000
BACK = 3 * HOUR


async def set_clock_back(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    if database.dialect == "sqlite":
        real = clock.now_ms
        monkeypatch.setattr(clock, "now_ms", lambda: real() - BACK)
        return
    statement_time = "floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint"
    await execute(
        database,
        "CREATE OR REPLACE FUNCTION now_ms() RETURNS bigint STABLE PARALLEL SAFE LANGUAGE sql"
        f" RETURN {statement_time} - {BACK}",
    )


async def run_nothing(job: Job, args: Note) -> None: ...


async def waits(database: Database) -> list[tuple[Any, ...]]:
    return await rows(database, "SELECT due - now_ms() FROM job")


async def test_a_job_that_was_ordered_for_now_runs_now(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    await order(database, kind(run_nothing))
    await set_clock_back(database, monkeypatch)
    async with working(database, kind(run_nothing), poll_ms=10):
        await until(lambda: no_jobs_left(database))


async def test_a_pause_between_attempts_begins_anew(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run(job: Job, args: Note) -> None:
        if job.attempt == 1:
            await set_clock_back(database, monkeypatch)
            raise ValueError("not yet")

    failing = kind(run, retry_ms=100)
    await order(database, failing)
    async with working(database, failing, poll_ms=10):
        await until(lambda: no_jobs_left(database))


async def test_an_order_that_came_while_its_key_ran_is_served(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran = []

    async def run(job: Job, args: Note) -> None:
        ran.append(args.text)
        if len(ran) == 1:
            await order(database, kind(run), "second", dedup="k")
            await set_clock_back(database, monkeypatch)

    await order(database, kind(run), "first", dedup="k")
    async with working(database, kind(run), poll_ms=10):
        await until(lambda: no_jobs_left(database))
    assert ran == ["first", "second"]


async def test_what_a_killed_worker_held_is_due_after_its_lease(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await order(database, kind(run_nothing))
    await database.transact(lease.claim, [demand("notes", ["note"], 1)], 30_000)
    await set_clock_back(database, monkeypatch)
    assert await database.read(lease.clock_was_set_back)
    assert await database.transact(lease.restart_waits) == 1
    [(wait,)] = await waits(database)
    assert 0 < wait <= 30_000
    assert not await database.read(lease.clock_was_set_back)


async def test_a_job_that_was_ordered_for_an_hour_of_the_clock_keeps_it(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    reminder = clock.now_ms() + HOUR
    await order(database, kind(run_nothing), due=reminder)
    await set_clock_back(database, monkeypatch)
    await database.transact(lease.restart_waits)
    assert await rows(database, "SELECT due FROM job") == [(reminder,)]
