"""The sweep of the trash, and a restore at the very moment of it."""

import asyncio

from stowboard.core import clock
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.events.changes.settings import HistorySettings
from stowboard.jobs.lease import JobClaim, JobId
from stowboard.jobs.registry import Job
from stowboard.tasks.archive import PURGE
from stowboard.tasks.base.errors import TaskNotFound
from stowboard.tasks.base.task import Task
from support.database.statements import rows
from support.tasks.verbs import Person

A_DAY = 86_400_000


async def age(database: Database, person: Person, days: int) -> None:
    """Make the trash of the person this old."""
    sql = "UPDATE task SET trashed_at = $1 WHERE owner = $2 AND trashed_at IS NOT NULL"
    await database.transact(lambda tx: tx.run(sql, clock.now_ms() - days * A_DAY, person.name))


async def purge(database: Database) -> None:
    services = Services()
    services.add(HistorySettings, HistorySettings(trash_days=30))
    claim = JobClaim(JobId("job_of_a_test"), "token", PURGE.kind.queue, PURGE.name, b"", 1)
    await PURGE.kind.run(Job(claim, database, services), PURGE.args)


async def test_what_was_in_the_trash_for_its_time_is_deleted_and_nothing_else(database: Database) -> None:
    person = Person(database)
    old, fresh, kept = [await person.create(title) for title in ("old", "fresh", "kept")]
    await person.trash(old.id)
    await age(database, person, 31)
    await person.trash(fresh.id)
    await purge(database)
    left = await rows(database, "SELECT title FROM task WHERE owner = $1 ORDER BY title", person.name)
    assert [title for (title,) in left] == ["fresh", "kept"]
    assert await rows(database, "SELECT 1 FROM change WHERE subject = $1", old.id) == []
    told = await rows(database, "SELECT type, actor FROM event WHERE subject = $1 ORDER BY id", old.id)
    assert told[-1] == ("task.deleted", None)
    await person.check_index()
    assert kept.version == 1


async def test_a_purge_and_a_restore_at_once_one_wins_whole(database: Database, other_node: Database) -> None:
    person = Person(database)
    for _ in range(15):
        task = await person.create("t", tags=["x"], reminder=4_000_000_000_000)
        await person.trash(task.id)
        await age(database, person, 31)

        async def restore(task: Task = task) -> bool:
            try:
                await person.restore(task.id)
            except TaskNotFound:
                return False
            return True

        restored, _ = await asyncio.gather(restore(), purge(other_node))
        found = await rows(database, "SELECT archived, trashed_at FROM task WHERE id = $1", task.id)
        assert found == ([(0, None)] if restored else [])
        reminders = await rows(database, "SELECT 1 FROM job WHERE dedup = $1", task.id)
        assert bool(reminders) == restored
        await person.check_index()
