"""The number of tasks with a tag, which is kept in parts."""

import asyncio
from collections import Counter

import pytest

from stowboard.db.database import Database, Tx
from stowboard.db.migrate import SHIPPED, load
from stowboard.tasks.index.index_store import PARTS, change_counts, count_of, part_of
from support.database.statements import execute, rows
from support.tasks.verbs import Person

MIGRATION = 23


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_who_adds_to_another_part_does_not_wait(database: Database) -> None:
    added, go_on = asyncio.Event(), asyncio.Event()

    async def add_and_wait(tx: Tx) -> None:
        await change_counts(tx, "ann", Counter({("x", 0, False): 1}))
        added.set()
        await go_on.wait()

    first = asyncio.create_task(database.transact(add_and_wait))
    await added.wait()
    await database.transact(change_counts, "ann", Counter({("x", 1, False): 1}))
    assert not first.done()
    go_on.set()
    await first
    assert await database.read(count_of, "ann", "x") == 2


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
async def test_what_nodes_of_the_release_before_count_is_counted(database: Database) -> None:
    person = Person(database)
    await person.create(tags=["x"])
    for _ in range(2):
        await execute(
            database,
            "INSERT INTO task_tag_count (owner, tag, active, archived) VALUES ($1, 'x', 1, 0) ON CONFLICT (owner, tag)"
            " DO UPDATE SET active = task_tag_count.active + excluded.active",
            person.name,
        )
    assert await database.read(count_of, person.name, "x") == 3
    assert await rows(database, "SELECT * FROM task_tag_count") == []


async def test_the_migration_counts_what_there_is(database: Database) -> None:
    person = Person(database)
    tasks = [await person.create(tags=["x", f"tag{n % 3}"]) for n in range(40)]
    assert len({part_of(task.id) for task in tasks}) > PARTS // 4
    await execute(database, "DROP TABLE task_tag_part")
    if database.dialect == "postgres":
        await execute(database, "DROP FUNCTION add_to_tag_part CASCADE")
    [migration] = [each for each in load(SHIPPED, database.dialect) if each.version == MIGRATION]
    await database.transact(_run_script, migration.script)
    await person.check_index()
    for task in tasks:
        await person.delete(task.id)
    assert await database.read(count_of, person.name, "x") == 0


async def _run_script(tx: Tx, script: str) -> None:
    await tx.run_script(script)
