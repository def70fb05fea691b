"""Dangers of a database at the other end of a network alone."""

import asyncio
from collections.abc import AsyncIterator, Sized
from typing import Any, TypeAlias

import pytest

from stowboard.core.errors import InsufficientStorage
from stowboard.db.database import Database, DatabaseUnavailable, Tx
from stowboard.db.postgres import PostgresDatabase
from support.database.scratch_tables import add, counters, create_tables, execute, query
from support.servers.fault_proxy import CutAfter, Delay, FaultProxy, Pass, Stall
from support.servers.postgres import PostgresServer
from support.waiting import until

#: Returns when they are gone.
END_ALL = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'stowboard'"

Proxied: TypeAlias = tuple[FaultProxy, PostgresDatabase]


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.create_database()


@pytest.fixture
async def database(url: str) -> AsyncIterator[PostgresDatabase]:
    database = PostgresDatabase(url)
    await database.transact(create_tables)
    yield database
    await database.close()


@pytest.fixture
async def proxied(database: Database, postgres: PostgresServer, url: str) -> AsyncIterator[Proxied]:
    """The same database through a proxy."""
    with FaultProxy("127.0.0.1", postgres.port) as proxy:
        through = PostgresDatabase(url.replace(f":{postgres.port}/", f":{proxy.port}/"))
        yield proxy, through
        await through.close()


@pytest.fixture
async def impatient(database: Database, postgres: PostgresServer, url: str) -> AsyncIterator[Proxied]:
    """With timeouts that a test can wait for."""
    with FaultProxy("127.0.0.1", postgres.port) as proxy:
        through = url.replace(f":{postgres.port}/", f":{proxy.port}/")
        database = PostgresDatabase(through, statement_timeout=1, grace=1)
        yield proxy, database
        await database.close()


async def test_a_server_that_is_killed_under_load_loses_nothing_that_was_acknowledged(
    database: PostgresDatabase, postgres: PostgresServer
) -> None:
    acknowledged: set[int] = set()
    failures: list[BaseException] = []
    stop = False

    async def write(first: int) -> None:
        number = first
        while not stop:
            try:
                await database.transact(add, number)
                acknowledged.add(number)
            except DatabaseUnavailable as error:
                failures.append(error)
                await asyncio.sleep(0.01)
            number += 100

    writers = [asyncio.create_task(write(first)) for first in range(100, 120)]
    for _ in range(2):
        await _grows(acknowledged, 200)
        await asyncio.to_thread(postgres.kill)
        await _grows(failures, 20)
        await asyncio.to_thread(postgres.start)
    await _grows(acknowledged, 200)
    stop = True
    await asyncio.gather(*writers)
    assert acknowledged <= set(await counters(database))


async def test_a_database_that_is_opened_while_the_server_is_away_works_once_it_is_back(
    postgres: PostgresServer, url: str
) -> None:
    with FaultProxy("127.0.0.1", postgres.port) as proxy:
        proxy.refuse()
        database = PostgresDatabase(url.replace(f":{postgres.port}/", f":{proxy.port}/"))
        for verb in (database.read, database.transact):
            with pytest.raises(DatabaseUnavailable):
                await verb(query, "SELECT 1")
        proxy.accept()
        assert await database.read(query, "SELECT 1") == [(1,)]
        await database.close()


async def test_connections_that_died_while_idle_fail_nobody(
    database: PostgresDatabase, postgres: PostgresServer
) -> None:
    await asyncio.gather(*(database.read(query, "SELECT pg_sleep(0.05)") for _ in range(10)))
    postgres.sql(END_ALL)  # holds up the event loop, so that nothing of it has been noticed yet
    await asyncio.gather(*(database.transact(add, number) for number in range(2, 12)))
    postgres.sql(END_ALL)
    assert await asyncio.gather(*(counters(database) for _ in range(10))) == [list(range(1, 12))] * 10


async def test_a_transaction_whose_connection_the_operator_ends_fails_and_the_next_one_does_not(
    database: PostgresDatabase, postgres: PostgresServer
) -> None:
    sleeping = asyncio.create_task(database.transact(query, "SELECT pg_sleep(60)"))
    active = "FROM pg_stat_activity WHERE application_name = 'stowboard' AND query LIKE '%pg_sleep(60)%'"
    await until(lambda: postgres.sql(f"SELECT count(*) {active}") == "1")
    postgres.sql(END_ALL)
    with pytest.raises(DatabaseUnavailable):
        await sleeping
    await database.transact(add, 2)
    assert await counters(database) == [1, 2]


async def test_a_statement_that_gets_no_answer_is_given_up(impatient: Proxied) -> None:
    proxy, database = impatient
    await database.read(query, "SELECT 1")
    proxy.fault = Stall()
    for verb in (database.read, database.transact):
        with pytest.raises(DatabaseUnavailable):
            await verb(query, "SELECT 1")
    proxy.fault = Pass()
    assert await counters(database) == [1]


async def test_a_savepoint_on_a_connection_that_hangs_is_not_waited_for_as_well(
    database: Database, postgres: PostgresServer, url: str
) -> None:
    with FaultProxy("127.0.0.1", postgres.port) as proxy:
        through = url.replace(f":{postgres.port}/", f":{proxy.port}/")
        hanging = PostgresDatabase(through, statement_timeout=0.1, grace=10)

        async def work(tx: Tx) -> None:
            async with tx.savepoint():
                proxy.fault = Stall()
                await tx.one("SELECT 1")

        async with asyncio.timeout(19):  # not twice the 10.1 s
            with pytest.raises(DatabaseUnavailable):
                await hanging.transact(work)
        proxy.fault = Pass()
        await hanging.close()


async def test_a_slow_network_is_only_slow(proxied: Proxied) -> None:
    proxy, database = proxied
    proxy.fault = Delay(0.02)
    await database.transact(add, 2)
    assert await counters(database) == [1, 2]


@pytest.mark.parametrize("count", [0, 1, 5, 20, 60, 100, 140, 200])
async def test_a_connection_cut_at_any_byte_is_one_error_and_no_more(proxied: Proxied, count: int) -> None:
    proxy, database = proxied
    await database.transact(add, 2)
    proxy.fault = CutAfter(count)
    with pytest.raises(DatabaseUnavailable):
        await database.transact(_add_all, range(3, 10))
    proxy.fault = Pass()
    await database.transact(add, 100)


async def test_a_reset_fails_a_transaction_and_a_read_is_tried_again(database: Database, proxied: Proxied) -> None:
    proxy, through = proxied
    take_lock, released = "SELECT pg_advisory_xact_lock_shared(7)", asyncio.Event()

    async def hold_lock(tx: Tx) -> None:
        await query(tx, "SELECT pg_advisory_xact_lock(7)")
        await released.wait()

    holding = asyncio.create_task(database.transact(hold_lock))
    await until(lambda: _locks(database, granted=True, count=1))
    reading = asyncio.create_task(through.read(query, take_lock))
    writing = asyncio.create_task(through.transact(query, take_lock))
    await until(lambda: _locks(database, granted=False, count=2))
    proxy.reset_all()
    with pytest.raises(DatabaseUnavailable):
        await writing
    released.set()
    await holding
    assert len(await reading) == 1
    assert await counters(through) == [1]


async def _locks(database: Database, granted: bool, count: int) -> bool:
    """True if so many have this database's advisory lock, or wait for it."""
    mine = "locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
    found = await database.read(query, f"SELECT count(*) FROM pg_locks WHERE {mine} AND granted = {granted}")
    return found == [(count,)]


async def test_a_statement_over_its_time_is_ended(impatient: Proxied) -> None:
    _, database = impatient
    with pytest.raises(DatabaseUnavailable):
        await database.transact(query, "SELECT pg_sleep(30)")


async def test_a_script_may_take_longer_than_a_statement(impatient: Proxied) -> None:
    _, database = impatient

    async def work(tx: Tx) -> None:
        await tx.run_script("SET LOCAL statement_timeout = 0; SELECT pg_sleep(2); UPDATE counter SET value = 7")

    await database.transact(work)
    assert await database.read(query, "SELECT value FROM counter") == [(7,)]


async def test_of_two_transactions_that_block_each_other_both_succeed(database: PostgresDatabase) -> None:
    await database.transact(add, 2)
    both_hold_one = asyncio.Barrier(2)
    runs: list[int] = []

    async def work(tx: Tx, first: int, second: int) -> None:
        runs.append(first)
        await tx.run("UPDATE counter SET value = value + 1 WHERE id = $1", first)
        if len(runs) <= 2:
            await both_hold_one.wait()
        await tx.run("UPDATE counter SET value = value + 1 WHERE id = $1", second)

    await asyncio.gather(database.transact(work, 1, 2), database.transact(work, 2, 1))
    assert len(runs) == 3
    assert await database.read(query, "SELECT value FROM counter") == [(2,), (2,)]


async def test_a_migration_of_another_node_does_not_fail_what_runs_here(database: PostgresDatabase) -> None:
    async def work(tx: Tx) -> Any:
        return await query(tx, "SELECT * FROM counter")

    assert await database.transact(work) == [(1, 0)]
    await database.transact(execute, "ALTER TABLE counter ADD COLUMN added BIGINT")
    assert await database.transact(work) == [(1, 0, None)]


async def test_a_cancelled_transaction_is_rolled_back_and_its_place_is_free(url: str, database: Database) -> None:
    single = PostgresDatabase(url, pool_size=1)

    async def work(tx: Tx) -> None:
        await add(tx, 2)
        added.set()
        await query(tx, "SELECT pg_sleep(9)")

    added = asyncio.Event()
    running = asyncio.create_task(single.transact(work))
    waiting = asyncio.create_task(single.transact(add, 3))
    given_up = asyncio.create_task(single.transact(add, 4))
    await added.wait()
    given_up.cancel()
    running.cancel()
    await asyncio.gather(running, given_up, return_exceptions=True)
    await waiting
    await single.transact(add, 2)
    assert await counters(single) == [1, 2, 3]
    await single.close()


async def test_more_callers_than_connections_take_turns(url: str, database: Database) -> None:
    small = PostgresDatabase(url, pool_size=2)
    await asyncio.gather(*(small.transact(add, number) for number in range(2, 42)))
    assert await counters(small) == list(range(1, 42))
    await small.close()


async def test_a_listener_whose_connection_was_cut_listens_again(
    database: PostgresDatabase, postgres: PostgresServer
) -> None:
    news, other = asyncio.Event(), asyncio.Event()
    database.listen("news", news.set)
    await until(news.is_set)
    news.clear()
    postgres.sql(END_ALL)
    await until(news.is_set)  # for what may have been missed
    database.listen("other", other.set)
    await until(other.is_set)
    news.clear()
    other.clear()
    database.notify("news")
    await until(news.is_set)
    assert not other.is_set()


async def test_a_full_disk_of_the_server_is_insufficient_storage(database: PostgresDatabase) -> None:
    with pytest.raises(InsufficientStorage):
        await database.transact(execute, "DO $$ BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = '53100'; END $$")


async def test_a_mistake_of_ours_is_not_called_an_outage(database: PostgresDatabase) -> None:
    for sql in ("SELECT $1::bigint", "SELEKT"):
        with pytest.raises(Exception, match=r"argument|syntax") as error:
            await database.read(query, sql)
        assert not isinstance(error.value, DatabaseUnavailable)


async def _grows(collection: Sized, by: int) -> None:
    before = len(collection)
    await until(lambda: len(collection) > before + by)


async def _add_all(tx: Tx, numbers: range) -> None:
    for number in numbers:
        await add(tx, number)
