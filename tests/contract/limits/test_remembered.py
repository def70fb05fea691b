"""A remembered read says what the database would say, whoever writes to it."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from stowboard.db.database import Database, Tx
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.db.remembered import RememberedReads
from stowboard.db.sqlite_state import find_header
from support.database.program import finish, next_line, program
from support.database.scratch_tables import Refused, add, create_tables, execute, increment, query

VALUE = "SELECT value FROM counter WHERE id = $1"


class Looking:
    """Looks at counters, and counts how often."""

    def __init__(self, database: Database) -> None:
        self._database, self.times = database, 0

    async def value(self, number: int) -> int:
        self.times += 1
        return int((await self._database.read(query, VALUE, number))[0][0])


@pytest.fixture(autouse=True)
async def scratch(database: Database) -> None:
    await database.transact(create_tables)


@pytest.fixture
def looking(database: Database) -> Looking:
    return Looking(database)


@pytest.fixture
def remembered(database: Database) -> RememberedReads[int, int]:
    return RememberedReads(database, most=100)


async def test_sqlite_is_asked_once_while_nobody_writes(
    database: Database, looking: Looking, remembered: RememberedReads[int, int]
) -> None:
    for _ in range(5):
        assert await remembered.get(1, looking.value, 1) == 0
    assert looking.times == {"sqlite": 1, "postgres": 5}[database.dialect]


async def test_the_state_is_another_after_every_commit_and_the_same_after_anything_else(
    database: Database, other_node: Database
) -> None:
    if database.dialect == "postgres":
        assert database.state() is None
        return

    async def refuse(tx: Tx) -> None:
        await increment(tx)
        raise Refused

    seen = [database.state()]
    for node in (database, other_node, database, other_node):
        await node.transact(increment)
        assert database.state() == other_node.state()
        seen.append(database.state())
        await node.read(query, VALUE, 1)
        with pytest.raises(Refused):
            await node.transact(refuse)
        assert database.state() == seen[-1]
    assert len(set(seen)) == 5
    assert None not in seen


async def test_a_commit_of_another_process_is_seen(
    database: Database, database_url: str, looking: Looking, remembered: RememberedReads[int, int]
) -> None:
    with program("increment", database_url, 1) as other:
        assert await next_line(other) == "ready"
        assert await remembered.get(1, looking.value, 1) == 0
        await finish(other)
    assert await remembered.get(1, looking.value, 1) == 1


async def test_a_commit_while_it_is_made_lets_it_be_forgotten(
    database: Database, other_node: Database, remembered: RememberedReads[int, int]
) -> None:
    async def slow() -> int:
        before = await database.read(query, VALUE, 1)
        await other_node.transact(increment)
        return int(before[0][0])

    assert await remembered.get(1, slow) == 0
    assert remembered.find(1) is None


async def test_who_was_overtaken_does_not_bring_back_what_was(
    database: Database, looking: Looking, remembered: RememberedReads[int, int]
) -> None:
    """Another one asks, after the commit, while the first still holds what it saw before."""
    seen, go_on = asyncio.Event(), asyncio.Event()

    async def slow() -> int:
        value = await looking.value(1)
        seen.set()
        await go_on.wait()
        return value

    first = asyncio.create_task(remembered.get(1, slow))
    await seen.wait()
    await database.transact(increment)
    assert await remembered.get(2, looking.value, 1) == 1
    go_on.set()
    assert await first == 0
    assert await remembered.get(1, looking.value, 1) == 1


async def test_a_failure_is_not_remembered(
    database: Database, looking: Looking, remembered: RememberedReads[int, int]
) -> None:
    with pytest.raises(IndexError):
        await remembered.get(7, looking.value, 7)
    assert remembered.find(7) is None
    await database.transact(add, 7)
    assert await remembered.get(7, looking.value, 7) == 0


async def test_no_more_is_kept_than_was_allowed(database: Database, looking: Looking) -> None:
    if database.dialect == "postgres":
        pytest.skip("nothing is kept")
    remembered: RememberedReads[int, int] = RememberedReads(database, most=10, weigh=lambda _key, _value: 3)
    for key in range(20):
        await remembered.get(key, looking.value, 1)
        assert sum(remembered.find(each) is not None for each in range(20)) <= 3
    heavy: RememberedReads[int, int] = RememberedReads(database, most=10, weigh=lambda _key, _value: 11)
    await heavy.get(1, looking.value, 1)
    assert heavy.find(1) is None


async def scrub(tx: Tx) -> None:
    await increment(tx)
    tx.scrub()


STEPS = st.lists(st.sampled_from(["ask", "write here", "write there", "scrub", "checkpoint"]), min_size=5, max_size=40)


@given(steps=STEPS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_it_always_says_what_the_database_says(
    database: Database, other_node: Database, looking: Looking, remembered: RememberedReads[int, int], steps: list[str]
) -> None:
    doings: dict[str, tuple[Database, Any]] = {
        "write here": (database, increment), "write there": (other_node, increment), "scrub": (database, scrub),
    }  # fmt: skip
    for step in steps:
        if step == "ask":
            assert await remembered.get(1, looking.value, 1) == (await other_node.read(query, VALUE, 1))[0][0]
        elif step == "checkpoint":
            await _checkpoint(other_node)
        else:
            node, work = doings[step]
            await node.transact(work)
    assert await remembered.get(1, looking.value, 1) == (await other_node.read(query, VALUE, 1))[0][0]


async def _checkpoint(node: Database) -> None:
    """Write as many pages as SQLite needs to move its log into the file, and to begin it again."""
    for _ in range(2):
        await node.transact(execute, "INSERT INTO thing (kind, name, body) VALUES ('k', 'n', $1)", bytes(2_500_000))


async def test_a_file_that_is_not_open_here_has_no_header(tmp_path: Path) -> None:
    (tmp_path / "other.db-shm").write_bytes(bytes(32768))
    assert find_header(tmp_path / "other.db") is None


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_with_the_switch_off_nothing_is_remembered(database: Database, database_url: str) -> None:
    switched_off = await open_database(DatabaseSettings(database_url, remember_reads=False))
    try:
        await database.transact(execute, "INSERT INTO counter (id, value) VALUES (77, 5)")
        for db, times in ((database, 1), (switched_off, 3)):
            looking, remembered = Looking(db), RememberedReads[int, int](db, most=100)
            assert [await remembered.get(77, looking.value, 77) for _ in range(3)] == [5, 5, 5]
            assert looking.times == times
    finally:
        await switched_off.close()
