"""All or nothing, and what follows a commit: what both databases promise, in one body."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from stowboard.db.database import Database, DatabaseUnavailable, Tx, UniqueViolation, WentOnAfterFailure
from stowboard.db.open import DatabaseSettings, open_database
from support.database.scratch_tables import Refused, add, counters, create_tables, query


@pytest.fixture(autouse=True, params=["transact", "transact_short"])
async def scratch(database: Database, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short work is promised the same as any other."""
    await database.transact(create_tables)
    monkeypatch.setattr(database, "transact", getattr(database, request.param))


# Rollback and savepoints


async def test_a_work_that_raises_leaves_nothing(database: Database) -> None:
    async def work(tx: Tx) -> None:
        await add(tx, 2)
        raise Refused

    with pytest.raises(Refused):
        await database.transact(work)
    assert await counters(database) == [1]


async def test_a_work_that_raises_does_no_harm_to_those_that_commit_with_it(database: Database) -> None:
    async def work(tx: Tx, number: int) -> int:
        await add(tx, number)
        if number % 3 == 0:
            raise Refused
        return number

    outcomes = await asyncio.gather(*(database.transact(work, n) for n in range(2, 40)), return_exceptions=True)
    assert [isinstance(outcome, Refused) for outcome in outcomes] == [n % 3 == 0 for n in range(2, 40)]
    assert await counters(database) == [1] + [n for n in range(2, 40) if n % 3]


async def test_work_may_say_that_it_takes_time(database: Database) -> None:
    async def work(tx: Tx, number: int) -> int:
        await add(tx, number)
        if number % 2:
            tx.takes_time()
        return number

    assert await asyncio.gather(*(database.transact(work, n) for n in range(2, 30))) == list(range(2, 30))
    assert await counters(database) == list(range(1, 30))


async def test_a_failed_savepoint_is_undone_and_the_transaction_goes_on(database: Database) -> None:
    async def work(tx: Tx) -> None:
        await add(tx, 2)
        with suppress(UniqueViolation):
            async with tx.savepoint():
                await add(tx, 3)
                await add(tx, 2)
        with suppress(Refused):
            async with tx.savepoint():
                await add(tx, 4)
                raise Refused
        await add(tx, 5)

    await database.transact(work)
    assert await counters(database) == [1, 2, 5]


async def test_savepoints_nest(database: Database) -> None:
    async def work(tx: Tx) -> None:
        async with tx.savepoint():
            await add(tx, 2)
            with suppress(UniqueViolation):
                async with tx.savepoint():
                    await add(tx, 3)
                    async with tx.savepoint():
                        await add(tx, 1)
            async with tx.savepoint():
                await add(tx, 4)
        with suppress(Refused):
            async with tx.savepoint():
                async with tx.savepoint():
                    await add(tx, 5)
                raise Refused

    await database.transact(work)
    assert await counters(database) == [1, 2, 4]


async def test_a_work_that_goes_on_after_a_failed_statement_is_refused(database: Database) -> None:
    async def ignores(tx: Tx) -> None:
        await add(tx, 2)
        with pytest.raises(UniqueViolation):
            await add(tx, 1)

    async def goes_on(tx: Tx) -> None:
        await ignores(tx)
        await add(tx, 3)

    for work in (ignores, goes_on):
        with pytest.raises(WentOnAfterFailure):
            await database.transact(work)
    assert await counters(database) == [1]


async def test_writes_go_together_each_with_its_own_arguments(database: Database) -> None:
    async def work(tx: Tx) -> None:
        await tx.run_together(
            [
                ("INSERT INTO counter (id, value) VALUES ($2, $1), ($3, $1)", (7, 2, 3)),
                ("INSERT INTO thing (kind, name, live) VALUES ($1, $2, $3)", ("k", "a $1 in text", 1)),
            ]
        )

    await database.transact(work)
    assert await database.read(query, "SELECT id, value FROM counter ORDER BY id") == [(1, 0), (2, 7), (3, 7)]
    assert await database.read(query, "SELECT kind, name, live FROM thing") == [("k", "a $1 in text", 1)]


async def test_of_writes_that_go_together_none_is_kept_if_one_fails(database: Database) -> None:
    async def work(tx: Tx) -> None:
        async with tx.savepoint():
            await tx.run_together(
                [
                    ("INSERT INTO thing (kind, name, live) VALUES ($1, $1, 1)", ("k",)),
                    ("INSERT INTO counter (id, value) VALUES ($1, 0)", (1,)),
                ]
            )

    with pytest.raises(UniqueViolation):
        await database.transact(work)
    assert await database.read(query, "SELECT * FROM thing") == []


# After the commit


async def test_what_is_for_after_the_commit_has_happened_when_transact_returns(
    database: Database, other_node: Database
) -> None:
    order: list[str] = []

    async def work(tx: Tx) -> None:
        tx.after_commit(lambda: order.append("after"))
        await add(tx, 2)
        order.append("work")

    await database.transact(work)
    assert order == ["work", "after"]
    assert await counters(other_node) == [1, 2]


async def test_what_is_for_after_the_commit_never_happens_without_it(database: Database) -> None:
    happened: list[str] = []

    async def rolled_back(tx: Tx) -> None:
        tx.after_commit(lambda: happened.append("rolled back"))
        raise Refused

    async def half_undone(tx: Tx) -> None:
        with suppress(Refused):
            async with tx.savepoint():
                tx.after_commit(lambda: happened.append("undone"))
                raise Refused
        async with tx.savepoint():
            tx.after_commit(lambda: happened.append("kept"))

    outcomes = await asyncio.gather(
        *(database.transact(work) for work in (rolled_back, half_undone, rolled_back)), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [Refused, type(None), Refused]
    assert happened == ["kept"]


async def test_an_error_after_the_commit_does_not_look_like_a_failed_transaction(database: Database) -> None:
    reported: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: reported.append(context["exception"]))
    happened: list[str] = []

    def fail() -> None:
        raise Refused

    async def work(tx: Tx) -> str:
        tx.after_commit(fail)
        tx.after_commit(lambda: happened.append("next"))
        return "done"

    assert await database.transact(work) == "done"
    assert happened == ["next"]
    assert [type(error) for error in reported] == [Refused]


async def test_a_read_has_no_commit_to_wait_for(database: Database) -> None:
    async def work(tx: Tx) -> None:
        tx.after_commit(lambda: None)

    with pytest.raises(RuntimeError, match="only reads"):
        await database.read(work)


# Callers who go away


async def test_a_caller_who_stops_waiting_harms_nobody(database: Database) -> None:
    tasks = [asyncio.create_task(database.transact(add, number)) for number in range(2, 60)]
    await asyncio.sleep(0)
    for task in tasks[::3]:
        task.cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    kept = {n for n, outcome in zip(range(2, 60), outcomes, strict=True) if outcome is None}
    assert len(kept) >= 38
    assert kept <= set(await counters(database))
    await asyncio.gather(*(database.transact(add, number) for number in range(100, 130)))


async def test_close_finishes_what_was_begun(database: Database, database_url: str) -> None:
    tasks = [asyncio.create_task(database.transact(add, number)) for number in range(2, 8)]
    await asyncio.sleep(0)
    await database.close()
    await asyncio.gather(*tasks)
    for verb in (database.transact, database.read):
        with pytest.raises(DatabaseUnavailable):
            await verb(query, "SELECT 1")
    again = await open_database(DatabaseSettings(database_url))
    assert await counters(again) == list(range(1, 8))
    await again.close()
