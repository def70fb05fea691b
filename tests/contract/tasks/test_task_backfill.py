"""The index at the level of verbs, on both databases: whatever happens in whatever order, it tells the truth."""

import asyncio
import random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard.db.database import Database, Tx
from stowboard.db.migrate import migrate
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.tasks.base.errors import TaskIndexNotActivated
from stowboard.tasks.base.task import TaskId
from stowboard.tasks.create import import_tasks, read_tasks
from stowboard.tasks.index import backfill as backfill_module
from stowboard.tasks.index import index_store
from stowboard.tasks.index.backfill import BackfillView, backfill, require_active
from stowboard.tasks.index.index_store import IndexStatus
from stowboard.tasks.index.listing import TaskFilters
from support.database.scratch_tables import execute, query
from support.tasks.verbs import Person

TAGS = ["a", "b", "c", "d"]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backfill_module, "BATCH", 5)


async def imported(person: Person, number: int, **members: Any) -> None:
    """Tasks that the index knows nothing of."""
    line = msgspec.json.encode({"title": "t", "tags": ["a"], **members})
    for batch in read_tasks(person.caller, [line] * number):
        await person.database.transact(import_tasks, person.caller.owner, batch)


async def step(person: Person) -> BackfillView:
    return await person.database.transact(backfill, person.name)


async def activate(person: Person) -> list[BackfillView]:
    steps = [await step(person)]
    while not steps[-1].complete:
        steps.append(await step(person))
    return steps


async def is_active(person: Person) -> bool:
    try:
        await person.database.read(require_active, person.name)
    except TaskIndexNotActivated:
        return False
    return True


@pytest.mark.parametrize(("number", "calls"), [(0, 1), (1, 1), (4, 1), (5, 2), (6, 2), (12, 3)])
async def test_each_call_does_a_bounded_batch_and_the_last_one_activates(
    database: Database, number: int, calls: int
) -> None:
    person = Person(database)
    await imported(person, number)
    steps = []
    for _ in range(calls):
        assert not await is_active(person)
        steps.append(await step(person))
    assert await is_active(person)
    assert [one.status for one in steps] == [IndexStatus.BACKFILLING] * (calls - 1) + [IndexStatus.ACTIVE]
    assert all(one.processed <= 5 for one in steps)
    assert sum(one.processed for one in steps) == steps[-1].processed_total == number
    await person.check_index()
    assert await step(person) == BackfillView(True, IndexStatus.ACTIVE, 0, number)


async def test_tasks_written_before_the_activation_are_in_the_index_already(database: Database) -> None:
    person = Person(database)
    for number in range(7):
        task = await person.create(tags=TAGS[: number % 4])
        await person.edit(task.id, tags=TAGS[number % 3 :])
    await person.check_index()


async def test_writes_between_batches_are_neither_lost_nor_counted_twice(database: Database) -> None:
    person, chance = Person(database), random.Random(3)
    await imported(person, 23, tags=["a", "b"])
    ids = [task_id for (task_id,) in await database.read(query, "SELECT id FROM task WHERE owner = $1", person.name)]
    chance.shuffle(ids)
    complete = False
    while not complete:
        await person.edit(ids.pop(), tags=["b", "c"])
        await person.delete(ids.pop())
        await person.archive(ids.pop())
        await person.create(tags=["a", "d"])
        complete = (await step(person)).complete
    await person.check_index()


@pytest.mark.parametrize("seed", range(3))
async def test_writers_and_backfillers_at_once_leave_an_index_that_tells_the_truth(
    database: Database, other_node: Database, seed: int
) -> None:
    person = Person(database)
    elsewhere = Person(other_node)
    elsewhere.name, elsewhere.caller = person.name, person.caller
    await imported(person, 60, tags=["a", "b"])
    ids = [task_id for (task_id,) in await database.read(query, "SELECT id FROM task WHERE owner = $1", person.name)]

    async def write(who: Person, chance: random.Random) -> None:
        for _ in range(40):
            await who.write_something(chance, ids, TAGS)

    async def fill(who: Person) -> None:
        while not (await step(who)).complete:
            await asyncio.sleep(0)

    people = [person, elsewhere]
    writers = [write(people[n % 2], random.Random(seed * 10 + n)) for n in range(4)]
    await asyncio.gather(*writers, *(fill(who) for who in people), fill(person))
    await person.check_index()
    assert await is_active(person)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_sequence_of_writes_imports_and_backfills_keeps_the_index_true(
    data: st.DataObject, database_url: str
) -> None:
    asyncio.run(_any_sequence(data, database_url))


async def _any_sequence(data: st.DataObject, database_url: str) -> None:
    database = await open_database(DatabaseSettings(database_url))
    try:
        await migrate(database)
        person = Person(database)
        ids: list[TaskId] = []
        for _ in range(data.draw(st.integers(1, 12))):
            operation = data.draw(
                st.sampled_from(["create", "edit", "archive", "restore", "delete", "import", "backfill"])
            )
            tags = data.draw(st.lists(st.sampled_from(TAGS), max_size=3, unique=True))
            if operation == "create":
                ids.append((await person.create(tags=tags)).id)
            elif operation == "import":
                await imported(person, data.draw(st.integers(1, 7)), tags=tags)
            elif operation == "backfill":
                await step(person)
            elif ids:
                task_id = data.draw(st.sampled_from(ids))
                if operation == "edit":
                    await person.edit(task_id, tags=tags, dueAt=data.draw(st.sampled_from([None, 5])))
                elif operation == "delete":
                    ids.remove(task_id)
                    await person.delete(task_id)
                else:
                    await (person.archive if operation == "archive" else person.restore)(task_id)
            if await is_active(person):
                await person.check_index()
        await activate(person)
        await person.check_index()
    finally:
        await database.close()


async def test_a_crash_between_the_statements_of_a_batch_leaves_none_of_it(database: Database) -> None:
    person = Person(database)
    await imported(person, 12)
    await step(person)
    before = await _everything(database, person.name)

    class Crash(Exception):
        pass

    async def crash(tx: Tx, owner: str) -> None:
        await backfill(tx, owner)
        raise Crash

    with pytest.raises(Crash):
        await database.transact(crash, person.name)
    assert await _everything(database, person.name) == before
    assert [one.processed for one in await activate(person)] == [5, 2]
    await person.check_index()


async def test_a_task_that_was_written_without_the_index_prevents_the_activation_until_it_is_found(
    database: Database,
) -> None:
    person = Person(database)
    await imported(person, 8)
    await step(person)
    [(first,)] = await database.read(query, "SELECT min(id) FROM task WHERE owner = $1", person.name)
    # As a node of an older release would, behind the walk.
    await database.transact(execute, "UPDATE task SET version = version + 1, tags = '[\"late\"]' WHERE id = $1", first)
    assert (await step(person)).status is IndexStatus.BACKFILLING
    assert not await is_active(person)
    await activate(person)
    await person.check_index()
    assert await person.pages(TaskFilters(tags=("late",)), 5) == [[first]]


async def test_a_new_version_of_the_index_is_activated_by_the_same_walk(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    person, other = Person(database), Person(database)
    await imported(person, 7)
    await activate(person)
    await activate(other)
    newer = index_store.INDEX_VERSION + 1
    monkeypatch.setattr(index_store, "INDEX_VERSION", newer)
    monkeypatch.setattr(index_store, "_ACTIVE", index_store._ACTIVE.replace("= 1", f"= {newer}"))
    assert not await is_active(person)
    await person.create(tags=["new"])
    assert [one.processed for one in await activate(person)] == [5, 3]
    await person.check_index()
    assert not await is_active(other)


async def test_a_task_that_appears_between_two_of_a_batch_keeps_its_tags(database: Database) -> None:
    """A batch was read, and then somebody created a task whose id lies within it."""
    person = Person(database)
    first, _, last = [await person.create(tags=["a", "b"]) for _ in range(3)]
    await database.transact(index_store.rebuild, [first, last])
    await person.check_index()


async def test_the_index_of_others_is_not_touched(database: Database) -> None:
    person, other = Person(database), Person(database)
    await imported(other, 3)
    await activate(other)
    before = await _everything(database, other.name)
    await imported(person, 7)
    await activate(person)
    assert await _everything(database, other.name) == before
    assert await is_active(other)


async def test_an_import_maintains_the_index_of_an_active_owner(database: Database) -> None:
    person = Person(database)
    await person.create(tags=["a"])
    await activate(person)
    await imported(person, 2)
    assert await is_active(person)
    await person.check_index()


async def _everything(database: Database, owner: str) -> list[list[tuple[Any, ...]]]:
    tables = ["task", "task_index", "task_tag", "task_tag_part", "task_index_state"]
    found = [await database.read(query, f"SELECT * FROM {table} WHERE owner = $1", owner) for table in tables]
    return [sorted(rows, key=str) for rows in found]
