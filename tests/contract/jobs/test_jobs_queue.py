"""Ordering, moving and cancelling work, as the verbs of the service do it."""

from typing import Any

import msgspec
import pytest

from stowboard.core import clock
from stowboard.db.database import Database, Tx
from stowboard.jobs import lease, queue
from stowboard.jobs.lease import JobClaim, LeaseLost
from stowboard.jobs.registry import Job, JobKind
from support.database.statements import execute, rows
from support.jobs.working import Note, demand

HOUR = 3_600_000


async def run_note(job: Job, args: Any) -> None:
    raise AssertionError("these tests claim by hand")


NOTE = JobKind("note", "notes", run_note, args=Note)


async def claim(database: Database, lease_ms: int = 60_000) -> list[JobClaim]:
    return await database.transact(lease.claim, [demand("notes", ["note", "plain", "other"], 10)], lease_ms)


def texts(claims: list[JobClaim]) -> list[str]:
    return [msgspec.json.decode(claim.args, type=Note).text for claim in claims]


async def order(database: Database, text: str, *, due: int | None = None, dedup: str | None = None) -> str:
    return await database.transact(queue.enqueue, NOTE, Note(text), due=due, dedup=dedup)


async def test_a_committed_order_can_be_claimed_once(database: Database) -> None:
    job_id = await order(database, "a")
    [only] = await claim(database)
    assert (only.id, only.kind, only.attempt, texts([only])) == (job_id, "note", 1, ["a"])
    assert await claim(database) == []


async def test_a_rolled_back_transaction_enqueues_nothing(database: Database) -> None:
    async def work(tx: Tx) -> None:
        await queue.enqueue(tx, NOTE, Note("a"))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await database.transact(work)
    assert await rows(database, "SELECT id FROM job") == []


async def test_arguments_may_be_a_plain_dict(database: Database) -> None:
    plain = JobKind("plain", "notes", run_note, args=dict)
    await database.transact(queue.enqueue, plain, {"a": [1, None]})
    [only] = await claim(database)
    assert msgspec.json.decode(only.args) == {"a": [1, None]}


async def test_a_job_is_not_claimed_before_it_is_due(database: Database) -> None:
    await order(database, "later", due=clock.now_ms() + HOUR)
    await order(database, "now")
    assert texts(await claim(database)) == ["now"]


async def test_the_longest_due_is_claimed_first(database: Database) -> None:
    for text, due in (("b", 2), ("c", 3), ("a", 1)):
        await order(database, text, due=due)
    claims = [await database.transact(lease.claim, [demand("notes", ["note"], 1)], 60_000) for _ in range(3)]
    assert [texts(each) for each in claims] == [["a"], ["b"], ["c"]]


async def test_a_second_order_of_a_waiting_key_renews_the_first(database: Database) -> None:
    first = await order(database, "old", dedup="k", due=clock.now_ms() + HOUR)
    assert await order(database, "new", dedup="k") == first
    assert texts(await claim(database)) == ["new"]


async def test_a_second_order_does_not_put_off_a_waiting_job(database: Database) -> None:
    await order(database, "old", dedup="k")
    await order(database, "new", dedup="k", due=clock.now_ms() + HOUR)
    assert texts(await claim(database)) == ["new"]


async def test_keys_of_different_kinds_are_different(database: Database) -> None:
    other = JobKind("other", "notes", run_note, args=Note)
    await order(database, "a", dedup="k")
    await database.transact(queue.enqueue, other, Note("b"), dedup="k")
    assert sorted(texts(await claim(database))) == ["a", "b"]


async def test_an_order_of_a_running_key_runs_once_more_when_the_run_has_ended(database: Database) -> None:
    await order(database, "stale", dedup="k")
    [running] = await claim(database)
    await order(database, "fresh", dedup="k")
    await order(database, "freshest", dedup="k")
    assert await claim(database) == []
    await database.transact(lease.finish, running)
    [again] = await claim(database)
    assert (texts([again]), again.attempt) == (["freshest"], 1)
    await database.transact(lease.finish, again)
    assert await rows(database, "SELECT id FROM job") == []


async def test_an_order_for_later_of_a_running_key_waits_for_its_time(database: Database) -> None:
    await order(database, "now", dedup="k")
    [running] = await claim(database)
    later = clock.now_ms() + HOUR
    await order(database, "later", dedup="k", due=later)
    await database.transact(lease.finish, running)
    assert await rows(database, "SELECT due, again, attempt FROM job") == [(later, None, 0)]


async def test_an_order_for_later_outlives_the_death_of_the_worker_that_ran_its_key(database: Database) -> None:
    await order(database, "now", dedup="k")
    await claim(database, lease_ms=0)
    later = clock.now_ms() + HOUR
    await order(database, "later", dedup="k", due=later)
    [retried] = await claim(database)
    await database.transact(lease.finish, retried)
    assert await rows(database, "SELECT due FROM job") == [(later,)]


async def test_an_order_of_a_running_key_is_served_after_a_failure_with_fresh_attempts(database: Database) -> None:
    await order(database, "stale", dedup="k")
    [running] = await claim(database)
    await order(database, "fresh", dedup="k")
    await database.transact(lease.fail, running, "broken", HOUR)
    [again] = await claim(database)
    assert (texts([again]), again.attempt) == (["fresh"], 1)


async def test_an_order_of_a_running_key_keeps_it_from_being_buried(database: Database) -> None:
    await order(database, "stale", dedup="k")
    [running] = await claim(database)
    await order(database, "fresh", dedup="k")
    assert not await database.transact(lease.bury, running, "broken")
    assert texts(await claim(database)) == ["fresh"]


async def test_a_cancelled_job_is_gone(database: Database) -> None:
    await order(database, "a", dedup="k")
    assert await database.transact(queue.cancel, NOTE, "k")
    assert await claim(database) == []
    assert not await database.transact(queue.cancel, NOTE, "k")


async def test_a_running_job_that_is_cancelled_has_no_effect(database: Database) -> None:
    await execute(database, "CREATE TABLE effect (job TEXT)")
    await order(database, "a", dedup="k")
    [running] = await claim(database)
    assert await database.transact(queue.cancel, NOTE, "k")
    with pytest.raises(LeaseLost):
        await database.transact(effect_and_finish, running)
    assert await rows(database, "SELECT job FROM effect") == []


async def effect_and_finish(tx: Tx, claim: JobClaim) -> None:
    await tx.run("INSERT INTO effect (job) VALUES ($1)", claim.id)
    await lease.finish(tx, claim)


async def test_after_a_lost_lease_no_statement_of_the_old_holder_changes_the_job(database: Database) -> None:
    await execute(database, "CREATE TABLE effect (job TEXT)")
    await order(database, "a")
    [zombie] = await claim(database, lease_ms=0)
    [holder] = await claim(database)
    before = await rows(database, "SELECT * FROM job")
    assert not await database.transact(lease.renew, zombie, HOUR)
    await database.transact(lease.hand_back, zombie)
    with pytest.raises(LeaseLost):
        await database.transact(lease.fail, zombie, "broken", 1)
    with pytest.raises(LeaseLost):
        await database.transact(lease.bury, zombie, "broken")
    with pytest.raises(LeaseLost):
        await database.transact(effect_and_finish, zombie)
    assert await rows(database, "SELECT * FROM job") == before
    await database.transact(effect_and_finish, holder)
    assert await rows(database, "SELECT job FROM effect") == [(holder.id,)]


async def test_a_dead_job_whose_arguments_were_damaged_does_not_hide_the_others(database: Database) -> None:
    for text in ("a", "b"):
        await order(database, text)
        [only] = await claim(database)
        await database.transact(lease.bury, only, text)
    await execute(database, "UPDATE job SET args = $1 WHERE error = $2", b"\xff{", "a")
    dead = await database.read(queue.dead_jobs, 10)
    assert {job.error: job.args for job in dead} == {"a": None, "b": {"text": "b"}}


async def test_dead_jobs_stay_visible_latest_first_and_can_be_retried(database: Database) -> None:
    for text in ("a", "b"):
        await order(database, text, dedup=text)
        [running] = await claim(database)
        await database.transact(lease.bury, running, f"broken {text}")
        await execute(database, "UPDATE job SET due = due - 1000 WHERE dead = 1")
    dead = await database.read(queue.dead_jobs, 10)
    assert [(job.kind, job.args, job.attempts, job.error) for job in dead] == [
        ("note", {"text": "b"}, 1, "broken b"),
        ("note", {"text": "a"}, 1, "broken a"),
    ]
    assert await database.read(queue.dead_jobs, 1) == dead[:1]
    assert await claim(database) == []
    assert await database.transact(queue.retry_dead, dead[1].id)
    assert not await database.transact(queue.retry_dead, dead[1].id)
    [retried] = await claim(database)
    assert (retried.id, retried.attempt) == (dead[1].id, 1)


async def test_a_dead_job_whose_key_was_ordered_again_can_still_be_retried(database: Database) -> None:
    await order(database, "old", dedup="k")
    [running] = await claim(database)
    await database.transact(lease.bury, running, "broken")
    await order(database, "new", dedup="k")
    assert await database.transact(queue.retry_dead, running.id)
    assert sorted(texts(await claim(database))) == ["new", "old"]


async def test_any_error_text_can_be_kept_within_bounds(database: Database) -> None:
    await order(database, "a")
    [running] = await claim(database)
    await database.transact(lease.bury, running, "\0\ud800" + "x" * 100_000)
    [dead] = await database.read(queue.dead_jobs, 1)
    assert len(dead.error) <= lease.ERROR_LENGTH


async def test_an_embedded_restart_makes_claimed_jobs_due_at_once(database: Database) -> None:
    await order(database, "a")
    [lost] = await claim(database)
    await order(database, "later", due=clock.now_ms() + HOUR)
    assert await database.transact(lease.release_all_leases) == 1
    [taken_over] = await claim(database)
    assert (taken_over.id, taken_over.attempt) == (lost.id, 2)
