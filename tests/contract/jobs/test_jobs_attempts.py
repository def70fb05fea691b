"""How attempts at a job end: done, failed, given up, or taken over by another worker."""

import asyncio
import time

import pytest

from stowboard.db.database import Database, Tx
from stowboard.jobs import lease, queue
from stowboard.jobs.lease import LeaseLost
from stowboard.jobs.registry import Job
from support.database.statements import execute, rows
from support.jobs.working import Note, demand, kind, no_jobs_left, order, working
from support.waiting import until


async def test_a_failing_job_is_retried_until_it_succeeds(database: Database) -> None:
    attempts = []

    async def run(job: Job, args: Note) -> None:
        attempts.append(job.attempt)
        if job.attempt < 3:
            raise ValueError("not yet")

    async with working(database, kind(run, retry_ms=10)):
        await order(database, kind(run))
        await until(lambda: no_jobs_left(database))
    assert attempts == [1, 2, 3]


async def test_pauses_between_attempts_double_less_up_to_half(database: Database) -> None:
    async def run(job: Job, args: Note) -> None:
        raise ValueError("no")

    failing = kind(run, retry_ms=100_000)
    async with working(database, failing, poll_ms=20):
        job_id = await order(database, failing, dedup="k")
        for attempt, longest in ((1, 100_000), (2, 200_000), (3, 400_000)):
            await until(lambda: has_failed(database))
            [(failed, pause)] = await rows(database, "SELECT attempt, due - now_ms() FROM job WHERE id = $1", job_id)
            assert failed == attempt
            assert longest * 0.4 < pause <= longest
            await execute(database, "UPDATE job SET due = now_ms(), error = NULL")


async def has_failed(database: Database) -> bool:
    return await rows(database, "SELECT id FROM job WHERE token IS NULL AND error IS NOT NULL") != []


async def test_after_the_last_attempt_a_job_is_dead_and_its_kind_is_told(database: Database) -> None:
    await execute(database, "CREATE TABLE effect (text TEXT)")

    async def run(job: Job, args: Note) -> None:
        raise ValueError("never")

    async def gave_up(tx: Tx, args: Note) -> None:
        await tx.run("INSERT INTO effect (text) VALUES ($1)", args.text)

    hopeless = kind(run, retry_ms=1, max_attempts=3, gave_up=gave_up)
    async with working(database, hopeless):
        job_id = await order(database, hopeless, "a")
        await until(lambda: has_died(database))
    [dead] = await database.read(queue.dead_jobs, 10)
    assert (dead.id, dead.attempts, dead.error) == (job_id, 3, "ValueError: never")
    assert await rows(database, "SELECT text FROM effect") == [("a",)]


async def has_died(database: Database) -> bool:
    return await database.read(queue.dead_jobs, 1) != []


async def test_a_job_is_buried_even_if_its_kind_cannot_be_told(database: Database) -> None:
    async def run(job: Job, args: Note) -> None:
        raise ValueError("never")

    async def gave_up(tx: Tx, args: Note) -> None:
        raise RuntimeError("nor this")

    hopeless = kind(run, max_attempts=1, gave_up=gave_up)
    async with working(database, hopeless):
        await order(database, hopeless)
        await until(lambda: has_died(database))


async def test_a_job_that_kills_its_worker_each_time_is_buried_without_another_run(database: Database) -> None:
    async def run(job: Job, args: Note) -> None:
        raise AssertionError("it had its attempts")

    deadly = kind(run, max_attempts=2)
    await order(database, deadly)
    for _ in range(2):
        await database.transact(lease.claim, [demand("notes", ["note"], 1)], 0)
    async with working(database, deadly):
        await until(lambda: has_died(database))
    [dead] = await database.read(queue.dead_jobs, 1)
    assert "killed" in dead.error


@pytest.mark.parametrize("args", [b"not json", b'{"text": 1}'])
async def test_arguments_that_cannot_be_read_are_a_failure(database: Database, args: bytes) -> None:
    async def run(job: Job, args: Note) -> None:
        raise AssertionError("not reached")

    picky = kind(run, max_attempts=1)
    await order(database, picky)
    await execute(database, "UPDATE job SET args = $1", args)
    async with working(database, picky):
        await until(lambda: no_living_jobs(database))


async def no_living_jobs(database: Database) -> bool:
    return await rows(database, "SELECT id FROM job WHERE dead = 0") == []


@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt(), asyncio.CancelledError(), GeneratorExit()])
async def test_no_exception_of_a_handler_ends_the_worker(database: Database, error: BaseException) -> None:
    async def run(job: Job, args: Note) -> None:
        if args.text == "bad":
            raise error

    brittle = kind(run)
    async with working(database, brittle):
        await order(database, brittle, "bad", dedup="bad")
        await until(lambda: has_failed(database))
        await database.transact(queue.cancel, brittle, "bad")
        await order(database, brittle, "good")
        await until(lambda: no_jobs_left(database))


async def test_a_handler_that_blocks_the_event_loop_past_its_lease_does_not_end_the_worker(database: Database) -> None:
    ran = []

    async def run(job: Job, args: Note) -> None:
        if args.text == "blocks" and job.attempt == 1:  # on a busy machine its lease is lost, and it runs again
            time.sleep(0.4)
        ran.append(args.text)

    async with working(database, kind(run), lease_ms=200):
        await order(database, kind(run), "blocks")
        await order(database, kind(run), "next")
        await until(lambda: no_jobs_left(database))
    assert set(ran) == {"blocks", "next"}


async def test_heartbeats_keep_a_job_longer_than_its_lease_from_the_others(database: Database) -> None:
    runs, lease_ms = [], 3000

    async def run(job: Job, args: Note) -> None:
        runs.append(job.attempt)
        [(first,)] = await rows(database, "SELECT due FROM job")
        await until(lambda: held_until(database, first + lease_ms))

    async with working(database, kind(run), lease_ms=lease_ms), working(database, kind(run), lease_ms=lease_ms):
        await order(database, kind(run))
        await until(lambda: no_jobs_left(database))
    assert runs == [1]


async def held_until(database: Database, due: int) -> bool:
    """True if the lease of the one job has been made so much longer."""
    return await rows(database, "SELECT 1 FROM job WHERE due >= $1", due) != []


async def test_a_dead_workers_job_runs_elsewhere_after_its_lease(database: Database) -> None:
    attempts = []

    async def run(job: Job, args: Note) -> None:
        attempts.append(job.attempt)

    await order(database, kind(run))
    await database.transact(lease.claim, [demand("notes", ["note"], 1)], 500)
    async with working(database, kind(run)):
        await until(lambda: no_jobs_left(database))
    assert attempts == [2]


async def test_a_cancelled_jobs_handler_is_told_to_stop(database: Database) -> None:
    began, told = asyncio.Event(), asyncio.Event()

    async def run(job: Job, args: Note) -> None:
        began.set()
        try:
            await asyncio.sleep(60)
        finally:
            told.set()

    async with working(database, kind(run), lease_ms=300):
        await order(database, kind(run), dedup="k")
        await until(began.is_set)
        await database.transact(queue.cancel, kind(run), "k")
        await until(told.is_set)
    assert await no_jobs_left(database)


async def test_a_zombies_effect_is_rolled_back(database: Database) -> None:
    await execute(database, "CREATE TABLE effect (attempt BIGINT)")
    stolen, errors = asyncio.Event(), []

    async def effect(tx: Tx, job: Job) -> None:
        await tx.run("INSERT INTO effect (attempt) VALUES ($1)", job.attempt)
        await job.complete(tx)

    async def run(job: Job, args: Note) -> None:
        if job.attempt == 1:
            await execute(database, "UPDATE job SET due = now_ms()")  # as if it had stalled for its whole lease
            await until(stolen.is_set)
        stolen.set()
        try:
            await job.db.transact(effect, job)
        except LeaseLost as error:
            errors.append(error)
            raise

    async with working(database, kind(run), poll_ms=20):
        await order(database, kind(run))
        await until(lambda: bool(errors))
        await until(lambda: no_jobs_left(database))
    assert await rows(database, "SELECT attempt FROM effect") == [(2,)]


async def test_a_job_whose_ending_could_not_be_written_runs_again_after_its_lease(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    attempts = []

    async def run(job: Job, args: Note) -> None:
        attempts.append(job.attempt)
        if job.attempt == 1:
            await execute(database, "ALTER TABLE job RENAME TO away")

    async with working(database, kind(run), lease_ms=300, poll_ms=20):
        await order(database, kind(run))
        await until(lambda: "its ending could not be written" in caplog.text)
        await execute(database, "ALTER TABLE away RENAME TO job")
        await until(lambda: no_jobs_left(database))
    assert attempts[:2] == [1, 2]
