"""Running jobs: attempts, leases, slots, and stopping."""

import asyncio
import time
from collections import Counter
from typing import Any

import msgspec
import pytest

from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.jobs import lease, queue
from stowboard.jobs.lease import LeaseLost
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker
from support.jobs import execute, no_jobs_left, rows, until, working


class Note(msgspec.Struct, frozen=True):
    text: str


def kind(run: Any, **options: Any) -> JobKind[Any]:
    return JobKind("note", "notes", run, args=Note, **options)


async def order(
    database: Database, kind: JobKind[Any], text: str = "", *, due: int | None = None, dedup: str | None = None
) -> str:
    return await database.transact(queue.enqueue, kind, Note(text), due=due, dedup=dedup)


async def test_a_job_runs_with_its_arguments_and_is_gone(database: Database) -> None:
    ran = []

    async def run(job: Job, args: Note) -> None:
        ran.append((job.id, job.attempt, args.text))

    async with working(database, kind(run)):
        job_id = await order(database, kind(run), "a")
        await until(lambda: no_jobs_left(database))
    assert ran == [(job_id, 1, "a")]


async def test_a_new_job_wakes_a_worker_that_would_not_look_by_itself(database: Database) -> None:
    ran = asyncio.Event()

    async def run(job: Job, args: Note) -> None:
        ran.set()

    async with working(database, kind(run), poll_ms=3_600_000):
        await asyncio.sleep(0.1)  # it sleeps by now
        await order(database, kind(run))
        await asyncio.wait_for(ran.wait(), 20)


async def test_a_job_for_later_is_begun_when_it_is_due(database: Database) -> None:
    ran = asyncio.Event()

    async def run(job: Job, args: Note) -> None:
        ran.set()

    async with working(database, kind(run), poll_ms=3_600_000):
        [(now,)] = await rows(database, "SELECT now_ms()")
        await order(database, kind(run), due=now + 300)
        await asyncio.sleep(0.1)
        assert not ran.is_set()
        await asyncio.wait_for(ran.wait(), 20)


async def test_an_idle_worker_only_reads(
    database: Database, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def run(job: Job, args: Note) -> None: ...

    async def transact(*_: Any) -> None:
        writes.append(1)

    [(now,)] = await rows(database, "SELECT now_ms()")
    await order(database, kind(run), due=now + 3_600_000)
    writes: list[int] = []
    monkeypatch.setattr(database, "transact", transact)
    async with working(database, kind(run), poll_ms=10):
        await asyncio.sleep(0.2)
    assert (writes, caplog.records) == ([], [])


async def test_handlers_find_the_components_of_the_service(database: Database) -> None:
    found = []

    async def run(job: Job, args: Note) -> None:
        found.append(job.use(Counter))

    services = Services()
    counter: Counter[str] = Counter()
    services.add(Counter, counter)
    async with working(database, kind(run), services=services):
        await order(database, kind(run))
        await until(lambda: no_jobs_left(database))
    assert found[0] is counter


async def test_completion_commits_with_the_effect(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    await execute(database, "CREATE TABLE effect (job TEXT)")

    async def effect(tx: Tx, job: Job) -> None:
        await tx.run("INSERT INTO effect (job) VALUES ($1)", job.id)
        await job.complete(tx)

    async def run(job: Job, args: Note) -> None:
        await job.db.transact(effect, job)
        seen.append(await rows(job.db, "SELECT (SELECT count(*) FROM effect), (SELECT count(*) FROM job)"))

    seen: list[Any] = []
    async with working(database, kind(run)):
        await order(database, kind(run))
        await until(lambda: no_jobs_left(database))
    assert seen == [[(1, 0)]]
    assert caplog.records == []


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
        await database.transact(lease.claim, {"notes": 1}, 0)
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


async def test_a_job_of_a_kind_that_this_worker_does_not_know_is_left_to_newer_ones(database: Database) -> None:
    async def run(job: Job, args: Note) -> None: ...

    await database.transact(queue.enqueue, JobKind("newer", "notes", run, args=Note), Note(""))
    async with working(database, kind(run)):
        await until(lambda: is_left_to_others(database))


async def is_left_to_others(database: Database) -> bool:
    found = await rows(database, "SELECT kind, attempt, token, due > now_ms() FROM job")
    return found == [("newer", 0, None, True)]


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
        if args.text == "blocks":
            time.sleep(0.4)
        ran.append(args.text)

    async with working(database, kind(run), lease_ms=200):
        await order(database, kind(run), "blocks")
        await order(database, kind(run), "next")
        await until(lambda: no_jobs_left(database))
    assert set(ran) == {"blocks", "next"}


async def test_heartbeats_keep_a_job_longer_than_its_lease_from_the_others(database: Database) -> None:
    runs = []

    async def run(job: Job, args: Note) -> None:
        runs.append(job.attempt)
        await asyncio.sleep(1.5)

    async with working(database, kind(run), lease_ms=500), working(database, kind(run), lease_ms=500):
        await order(database, kind(run))
        await until(lambda: no_jobs_left(database))
    assert runs == [1]


async def test_a_dead_workers_job_runs_elsewhere_after_its_lease(database: Database) -> None:
    attempts = []

    async def run(job: Job, args: Note) -> None:
        attempts.append(job.attempt)

    await order(database, kind(run))
    await database.transact(lease.claim, {"notes": 1}, 500)
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
        await asyncio.wait_for(began.wait(), 20)
        await database.transact(queue.cancel, kind(run), "k")
        await asyncio.wait_for(told.wait(), 20)
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
            await asyncio.wait_for(stolen.wait(), 20)
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


async def test_a_queue_never_runs_more_than_its_slots_and_does_not_hold_up_another(database: Database) -> None:
    running: Counter[str] = Counter()
    most: Counter[str] = Counter()
    gate = asyncio.Event()

    async def slow(job: Job, args: NoArgs) -> None:
        running["slow"] += 1
        most["slow"] = max(most["slow"], running["slow"])
        await gate.wait()
        running["slow"] -= 1

    async def fast(job: Job, args: NoArgs) -> None:
        running["fast"] += 1

    kinds = [JobKind("slow", "slow", slow, args=NoArgs), JobKind("fast", "fast", fast, args=NoArgs)]

    async def order_all(tx: Tx) -> None:
        for _ in range(6):
            for each in kinds:
                await queue.enqueue(tx, each, NoArgs())

    async with working(database, *kinds, slots={"slow": 2, "fast": 1}):
        await database.transact(order_all)
        await until(lambda: running["fast"] == 6)
        assert running["slow"] == 2
        gate.set()
        await until(lambda: no_jobs_left(database))
    assert most["slow"] == 2


async def test_a_queue_without_slots_is_left_to_others(database: Database) -> None:
    async def run(job: Job, args: NoArgs) -> None: ...

    here, elsewhere = JobKind("here", "here", run, args=NoArgs), JobKind("elsewhere", "elsewhere", run, args=NoArgs)
    await database.transact(queue.enqueue, elsewhere, NoArgs())
    await database.transact(queue.enqueue, here, NoArgs())
    async with working(database, here, elsewhere, slots={"elsewhere": 0}):
        await until(lambda: only_elsewhere(database))
        await asyncio.sleep(0.1)
    assert await only_elsewhere(database)


async def only_elsewhere(database: Database) -> bool:
    return await rows(database, "SELECT kind, attempt FROM job") == [("elsewhere", 0)]


async def test_a_stopping_worker_lets_a_job_end_within_the_grace_period(database: Database) -> None:
    began = asyncio.Event()

    async def run(job: Job, args: Note) -> None:
        began.set()
        await asyncio.sleep(0.3)

    async with working(database, kind(run), slots={"notes": 1}):
        await order(database, kind(run), "running", due=1)
        await order(database, kind(run), "waiting")
        await asyncio.wait_for(began.wait(), 20)
    assert await rows(database, "SELECT attempt, token FROM job") == [(0, None)]


async def test_a_stopping_worker_hands_back_what_does_not_end_in_time(database: Database) -> None:
    began = asyncio.Event()

    async def run(job: Job, args: Note) -> None:
        began.set()
        await asyncio.sleep(60)

    async with working(database, kind(run), grace_s=0.1):
        await order(database, kind(run))
        await asyncio.wait_for(began.wait(), 20)
    assert await rows(database, "SELECT attempt, token, error, due <= now_ms() FROM job") == [(0, None, None, True)]


async def test_a_handler_that_refuses_to_stop_is_left_behind_without_effect(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stowboard.jobs.attempt.CANCEL_S", 0.1)
    began, ends, refused = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def run(job: Job, args: Note) -> None:
        began.set()
        try:
            await ends.wait()
        except asyncio.CancelledError:
            await ends.wait()
        with pytest.raises(LeaseLost):
            await job.db.transact(job.complete)
        refused.set()

    async with working(database, kind(run), grace_s=0):
        await order(database, kind(run))
        await asyncio.wait_for(began.wait(), 20)
    assert await rows(database, "SELECT attempt, token FROM job") == [(0, None)]
    ends.set()
    await asyncio.wait_for(refused.wait(), 20)


async def test_the_worker_goes_on_by_itself_after_the_database_was_away(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    ran = []

    async def run(job: Job, args: Note) -> None:
        ran.append(args.text)

    async with working(database, kind(run), poll_ms=20):
        await order(database, kind(run), "before")
        await until(lambda: ran == ["before"])
        await execute(database, "ALTER TABLE job RENAME TO away")
        await until(lambda: "cannot be looked for" in caplog.text)
        await execute(database, "ALTER TABLE away RENAME TO job")
        await order(database, kind(run), "after")
        await until(lambda: ran == ["before", "after"])
    assert await no_jobs_left(database)


async def test_a_job_whose_ending_could_not_be_written_runs_again_after_its_lease(database: Database) -> None:
    attempts = []

    async def run(job: Job, args: Note) -> None:
        attempts.append(job.attempt)
        if job.attempt == 1:
            await execute(database, "ALTER TABLE job RENAME TO away")

    async with working(database, kind(run), lease_ms=300, poll_ms=20):
        await order(database, kind(run))
        await until(lambda: attempts == [1])
        await asyncio.sleep(0.1)
        await execute(database, "ALTER TABLE away RENAME TO job")
        await until(lambda: no_jobs_left(database))
    assert attempts == [1, 2]


async def test_two_kinds_of_one_name_are_refused(database: Database) -> None:
    async def run(job: Job, args: Note) -> None: ...

    with pytest.raises(ValueError, match="same name"):
        Worker(database, Services(), [kind(run), kind(run)])


@pytest.mark.parametrize("wrong", [{"slots": {"a": -1}}, {"default_slots": -1}, {"lease_ms": 1}, {"poll_ms": 0}])
def test_settings_that_cannot_work_are_refused(wrong: dict[str, Any]) -> None:
    JobSettings().validate()
    with pytest.raises(ValueError, match="must be"):
        JobSettings(**wrong).validate()
