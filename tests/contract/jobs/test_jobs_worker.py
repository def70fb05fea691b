"""The worker: waking, slots, stopping, and a database that was away."""

import asyncio
from collections import Counter
from typing import Any

import pytest

from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.jobs import queue
from stowboard.jobs.lease import LeaseLost
from stowboard.jobs.registry import Job, JobKind, NoArgs
from stowboard.jobs.settings import JobSettings
from stowboard.jobs.worker import Worker
from support.database.statements import execute, rows
from support.jobs.working import Note, kind, no_jobs_left, order, working
from support.waiting import until


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
        await until(ran.is_set)


async def test_a_job_for_later_is_begun_when_it_is_due(database: Database) -> None:
    ran: list[int] = []

    async def run(job: Job, args: Note) -> None:
        ran.append(await now_ms(database))

    async with working(database, kind(run), poll_ms=3_600_000):
        due = await now_ms(database) + 300
        await order(database, kind(run), due=due)
        await until(lambda: bool(ran))
    assert ran[0] >= due


async def test_claims_go_round_the_owners(database: Database) -> None:
    ran: list[str] = []
    go = asyncio.Event()

    async def run(job: Job, args: Note) -> None:
        ran.append(args.text)
        await go.wait()

    for number in range(10):
        await order(database, kind(run), f"busy {number}", owner="busy")
    for owner in ("ann", "ben"):
        await order(database, kind(run), owner, owner=owner)
    await order(database, kind(run), "service")
    async with working(database, kind(run), slots={"notes": 5}):
        await until(lambda: len(ran) == 5)
        assert sorted(ran) == ["ann", "ben", "busy 0", "busy 1", "service"]
        go.set()
        await until(lambda: no_jobs_left(database))
    assert len(ran) == 13


async def test_one_owner_takes_no_more_than_their_share_however_many_slots_are_free(database: Database) -> None:
    ran: list[str] = []
    held = asyncio.Event()

    async def run(job: Job, args: Note) -> None:
        ran.append(args.text)
        await (held.wait() if args.text.startswith("busy") else asyncio.sleep(0))

    for number in range(5):
        await order(database, kind(run), f"busy {number}", owner="busy")
    async with working(database, kind(run), slots={"notes": 8}, shares={"notes": 2}):
        await until(lambda: len(ran) == 2)
        for number in range(9):
            await order(database, kind(run), f"ann {number}", owner="ann")
        await until(lambda: len(ran) == 11)
        assert sorted(text for text in ran if text.startswith("busy")) == ["busy 0", "busy 1"]
        held.set()
        await until(lambda: no_jobs_left(database))
    assert len(ran) == 14


async def now_ms(database: Database) -> int:
    [(now,)] = await rows(database, "SELECT now_ms()")
    return int(now)


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


async def test_jobs_of_kinds_that_this_worker_does_not_know_stay_as_they_are_and_hold_up_nobody(
    database: Database,
) -> None:
    async def run(job: Job, args: Note) -> None: ...

    for number in range(5):
        await database.transact(
            queue.enqueue, JobKind("newer", "notes", run, args=Note), Note(""), due=number, dedup=str(number)
        )
    before = await rows(database, "SELECT id, due, attempt, token FROM job ORDER BY id")
    async with working(database, kind(run), slots={"notes": 1}, poll_ms=3_600_000):
        await order(database, kind(run))
        await until(lambda: none_left(database))
        assert await rows(database, "SELECT id, due, attempt, token FROM job ORDER BY id") == before


async def none_left(database: Database) -> bool:
    return await rows(database, "SELECT id FROM job WHERE kind = 'note'") == []


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
        await until(began.is_set)
    assert await rows(database, "SELECT attempt, token FROM job") == [(0, None)]


async def test_a_stopping_worker_hands_back_what_does_not_end_in_time(database: Database) -> None:
    began = asyncio.Event()

    async def run(job: Job, args: Note) -> None:
        began.set()
        await asyncio.sleep(60)

    async with working(database, kind(run), grace_s=0.1):
        await order(database, kind(run))
        await until(began.is_set)
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
        await until(began.is_set)
    assert await rows(database, "SELECT attempt, token FROM job") == [(0, None)]
    ends.set()
    await until(refused.is_set)


async def test_the_worker_goes_on_by_itself_after_the_database_was_away(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    ran = []

    async def run(job: Job, args: Note) -> None:
        ran.append(args.text)

    async with working(database, kind(run), poll_ms=20):
        await order(database, kind(run), "before")
        await until(lambda: no_jobs_left(database))
        await execute(database, "ALTER TABLE job RENAME TO away")
        await until(lambda: "looking for jobs fails" in caplog.text)
        await execute(database, "ALTER TABLE away RENAME TO job")
        await order(database, kind(run), "after")
        await until(lambda: ran == ["before", "after"])
    assert await no_jobs_left(database)


async def test_two_kinds_of_one_name_are_refused(database: Database) -> None:
    async def run(job: Job, args: Note) -> None: ...

    with pytest.raises(ValueError, match="same name"):
        Worker(database, Services(), [kind(run), kind(run)])


@pytest.mark.parametrize("wrong", [{"slots": {"a": -1}}, {"default_slots": -1}, {"lease_ms": 1}, {"poll_ms": 0}])
def test_settings_that_cannot_work_are_refused(wrong: dict[str, Any]) -> None:
    JobSettings().validate()
    with pytest.raises(ValueError, match="must be"):
        JobSettings(**wrong).validate()
