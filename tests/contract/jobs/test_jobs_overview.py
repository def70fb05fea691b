"""The queue as its operator sees it."""

from typing import Any

from stowboard.core import clock
from stowboard.db.database import Database
from stowboard.jobs import lease
from stowboard.jobs.overview import JobStatus, count_jobs, list_jobs
from stowboard.jobs.registry import Job
from support.database.statements import execute
from support.jobs.working import Note, demand, kind, order

HOUR = 3_600_000


async def run_nothing(job: Job, args: Note) -> None: ...


NOTE = kind(run_nothing)


async def fill(database: Database) -> dict[str, str]:
    """A job in each state, and one for tomorrow."""
    claims = {}
    for state in ("running", "retried", "dead"):
        claims[state] = await order(database, NOTE, state)
        [claim] = await database.transact(lease.claim, [demand("notes", ["note"], 1)], 60_000)
        if state == "retried":
            await database.transact(lease.fail, claim, "not yet", 60_000)
        if state == "dead":
            await database.transact(lease.bury, claim, "never")
    claims["waiting"] = await order(database, NOTE, "waiting", due=clock.now_ms() - HOUR)
    await order(database, NOTE, "tomorrow", due=clock.now_ms() + 24 * HOUR)
    return claims


async def test_jobs_are_counted_by_kind_and_state_with_the_age_of_the_oldest(database: Database) -> None:
    await fill(database)
    counts = await database.read(count_jobs, ["notes", "others"])
    assert sorted((each.kind, each.status, each.number) for each in counts) == [
        ("note", status, 1) for status in ("dead", "retried", "running", "waiting")
    ]
    ages = {each.status: each.oldest_ms for each in counts}
    assert ages.pop(JobStatus.WAITING) >= HOUR
    assert set(ages.values()) == {0}


async def test_jobs_are_listed_with_their_state_and_error(database: Database) -> None:
    ids = await fill(database)
    seen = {each.status: each for each in (await database.read(list_jobs, ["notes"], None, None, 10)).items}
    assert {state: each.id for state, each in seen.items()} == ids
    assert [seen[state].error for state in (JobStatus.RETRIED, JobStatus.DEAD)] == ["not yet", "never"]
    newest = await database.read(list_jobs, ["notes"], None, None, 1)
    assert [each.id for each in newest.items] == [ids["waiting"]]
    assert newest.end == (ids["waiting"],)
    for status in JobStatus:
        listed = await database.read(list_jobs, ["notes"], status, None, 10)
        assert [each.id for each in listed.items] == [ids[status]]


async def test_a_damaged_row_does_not_hide_the_others(database: Database) -> None:
    ids = await fill(database)
    damaged: list[Any] = [b"\xff{", ids["dead"]]
    await execute(database, "UPDATE job SET args = $1, error = NULL WHERE id = $2", *damaged)
    assert len((await database.read(list_jobs, ["notes"], None, None, 10)).items) == 4
