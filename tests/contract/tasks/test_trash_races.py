"""The trash beside others who write: its sweep, a restore at that very moment, and moves of the neighbours."""

import asyncio

import msgspec

from stowboard.core import clock
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.events.changes.change_store import forget_changes
from stowboard.events.changes.settings import HistorySettings
from stowboard.jobs.lease import JobClaim, JobId
from stowboard.jobs.registry import Job
from stowboard.tasks.archive import PURGE
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TaskNotFound
from stowboard.tasks.base.task import Status, Task, TaskId
from stowboard.tasks.boards.move import MoveDestination, move_task
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


async def test_a_task_comes_back_to_its_place_whatever_two_nodes_move_around_it(
    database: Database, other_node: Database
) -> None:
    person = Person(database)
    tasks = [await person.create(title) for title in "abcde"]
    middle = tasks[2]
    for number in range(10):
        before = await database.read(task_store.get, person.access, middle.id)

        async def shuffle(node: Database, *ids: TaskId) -> None:
            for task_id in ids:
                to = MoveDestination(Status.TODO, None, position=0)
                await node.transact(move_task, person.access, task_id, to, None)

        async def away_and_back(before: Task = before) -> Task:
            await person.trash(before.id)
            return await person.restore(before.id)

        first, second = tasks[number % 2].id, tasks[3 + number % 2].id
        restored, _, _ = await asyncio.gather(away_and_back(), shuffle(database, first), shuffle(other_node, second))
        assert _said(restored) == _said(before)
        # What was moved to the front is before it, and the two that were left alone are on their sides.
        order = await rows(database, "SELECT id FROM task WHERE owner = $1 ORDER BY lane, rank", person.name)
        place = [task_id for (task_id,) in order].index(middle.id)
        assert {task_id for (task_id,) in order[:place]} >= {first, second}
    await person.check_index()


def _said(task: Task) -> Task:
    return msgspec.structs.replace(task, version=0, indexed_version=0, updated_at=0)


async def test_changes_are_forgotten_after_their_time(database: Database) -> None:
    person = Person(database)
    task = await person.create("t")
    await person.edit(task.id, title="u")
    kept = "SELECT 1 FROM change WHERE subject = $1"
    await database.transact(forget_changes, A_DAY, 1000)
    assert len(await rows(database, kept, task.id)) == 1
    await database.transact(forget_changes, -A_DAY, 1000)
    assert await rows(database, kept, task.id) == []
