"""Statements and isolation: what both databases promise, in one body."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from stowboard.db.database import Database, LockTimeout, Tx, UniqueViolation
from stowboard.db.sqlite import SqliteDatabase
from support.database.program import finish, next_line, program
from support.database.scratch_tables import add, counters, create_tables, execute, increment, query


@pytest.fixture(autouse=True, params=["transact", "transact_short"])
async def scratch(database: Database, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short work is promised the same as any other."""
    await database.transact(create_tables)
    monkeypatch.setattr(database, "transact", getattr(database, request.param))


# Statements


async def test_every_kind_of_value_comes_back_as_it_went_in(database: Database) -> None:
    values = ("", "ü\N{PARTY POPPER}$1 'quoted'", b"\x00\xff", None)
    for number, text in enumerate(values[:2]):
        await database.transact(
            execute, "INSERT INTO thing (kind, name, body, live) VALUES ($1, $2, $3, $4)", "k", text, b"\0\xff", number
        )
    await database.transact(add, 2**62)
    await database.transact(add, -(2**63))
    rows = await database.read(query, "SELECT name, body, live FROM thing ORDER BY live")
    assert rows == [(values[0], b"\0\xff", 0), (values[1], b"\0\xff", 1)]
    assert await counters(database) == [-(2**63), 1, 2**62]


async def test_arguments_go_by_number_and_a_dollar_in_text_is_text(database: Database) -> None:
    sql = "SELECT CAST($2 AS TEXT), CAST($1 AS TEXT), CAST($2 AS TEXT), '$1 FOR UPDATE' -- $3"
    assert await database.read(query, sql, "one", "two") == [("two", "one", "two", "$1 FOR UPDATE")]


async def test_one_gives_the_first_row_or_none(database: Database) -> None:
    async def work(tx: Tx) -> tuple[Any, Any]:
        first = await tx.one("SELECT id FROM counter UNION SELECT 7 ORDER BY 1 DESC")
        return tuple(first or ()), await tx.one("SELECT id FROM counter WHERE id = 99")

    assert await database.read(work) == ((7,), None)
    assert await database.transact(work) == ((7,), None)


async def test_run_says_how_many_rows_were_changed(database: Database) -> None:
    async def work(tx: Tx) -> list[int]:
        await tx.run_many("INSERT INTO counter (id, value) VALUES ($1, $2)", [(2, 5), (3, 5), (4, 6)])
        return [
            await tx.run("UPDATE counter SET value = 9 WHERE value = $1", 5),
            await tx.run("UPDATE counter SET value = 9 WHERE value = $1", 5),
            await tx.run("INSERT INTO counter (id, value) VALUES (1, 1) ON CONFLICT DO NOTHING"),
            await tx.run("DELETE FROM counter"),
        ]

    assert await database.transact(work) == [2, 0, 0, 4]


@pytest.mark.parametrize(
    ("sql", "table", "columns"),
    [
        ("INSERT INTO counter (id, value) VALUES (1, 5)", "counter", ("id",)),
        ("INSERT INTO thing (kind, name, live) VALUES ('k', 'n', 1)", "thing", ("kind", "name")),
    ],
)
async def test_a_second_row_of_the_same_key_is_our_own_error(
    database: Database, sql: str, table: str, columns: tuple[str, ...]
) -> None:
    await database.transact(execute, "INSERT INTO thing (kind, name, live) VALUES ('k', 'n', 1)")
    with pytest.raises(UniqueViolation) as violation:
        await database.transact(execute, sql)
    assert (violation.value.table, violation.value.columns) == (table, columns)


async def test_the_clock_of_the_database_can_be_the_bound_of_an_index(database: Database) -> None:
    async def fill(tx: Tx) -> None:
        sql = "INSERT INTO job (id, queue, kind, args, due, created_at) VALUES ($1, 'q', 'k', $2, now_ms() + $3, 0)"
        await tx.run_many(sql, [(f"job_{n}", b"{}", 1_000_000 + n) for n in range(2000)])

    await database.transact(fill)
    await database.transact(execute, "ANALYZE")
    explain = {"sqlite": "EXPLAIN QUERY PLAN", "postgres": "EXPLAIN"}[database.dialect]
    plan = await database.read(
        query, f"{explain} SELECT id FROM job WHERE queue = 'q' AND dead = 0 AND due <= now_ms() ORDER BY due LIMIT 5"
    )
    bound = {"sqlite": "USING INDEX job_due (queue=? AND due<?)", "postgres": "AND (due <= "}[database.dialect]
    assert bound in str(plan)
    assert "Filter: " not in str(plan)


# Isolation


async def test_a_transaction_sees_what_it_wrote_itself(database: Database) -> None:
    async def work(tx: Tx) -> Any:
        await add(tx, 2)
        return await query(tx, "SELECT id FROM counter WHERE id = 2")

    assert await database.transact(work) == [(2,)]


async def test_what_another_process_has_not_committed_is_not_seen(database: Database, database_url: str) -> None:
    with program("hold", database_url, "INSERT INTO counter (id, value) VALUES (2, 0) RETURNING id") as holder:
        assert await next_line(holder) == "held"
        assert await counters(database) == [1]
        await finish(holder)
    assert await counters(database) == [1, 2]


async def test_a_read_sees_all_that_was_committed_before_it(database: Database, other_node: Database) -> None:
    for number in range(2, 30):
        await (database if number % 2 else other_node).transact(add, number)
        assert await counters(database) == await counters(other_node) == list(range(1, number + 1))


async def test_increments_from_many_tasks_and_nodes_are_all_counted(database: Database, other_node: Database) -> None:
    await asyncio.gather(*(node.transact(increment) for node in [database, other_node] * 40))
    assert await database.read(query, "SELECT value FROM counter") == [(80,)]


async def test_increments_from_several_processes_are_all_counted(database: Database, database_url: str) -> None:
    with program("increment", database_url, 60) as first, program("increment", database_url, 60) as second:
        assert [await next_line(first), await next_line(second)] == ["ready", "ready"]
        await asyncio.gather(finish(first), finish(second), *(database.transact(increment) for _ in range(60)))
    assert await database.read(query, "SELECT value FROM counter") == [(180,)]


async def test_who_claims_with_skip_locked_gets_what_nobody_else_has(database: Database, other_node: Database) -> None:
    async def claim(tx: Tx) -> int:
        row = await tx.one(
            "UPDATE counter SET value = 1 WHERE id = "
            "(SELECT id FROM counter WHERE value = 0 ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id"
        )
        assert row is not None
        number: int = row[0]
        return number

    await asyncio.gather(*(database.transact(add, number) for number in range(2, 21)))
    claimed = await asyncio.gather(*(node.transact(claim) for node in [database, other_node] * 8))
    assert len(set(claimed)) == 16


async def test_a_wait_for_a_lock_ends(database: Database, database_url: str) -> None:
    if database.dialect == "sqlite":
        await database.close()
        database = SqliteDatabase(Path(database_url.removeprefix("sqlite:///")), lock_wait=0.2)
    with program("hold", database_url, "UPDATE counter SET value = 5 WHERE id = 1 RETURNING id") as holder:
        assert await next_line(holder) == "held"
        with pytest.raises(LockTimeout):
            await database.transact(increment)
        await finish(holder)
    await database.transact(increment)
    assert await database.read(query, "SELECT value FROM counter") == [(6,)]
    await database.close()
