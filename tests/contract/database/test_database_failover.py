"""Two PostgreSQL servers, a primary and its standby, of which the URL names both."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import pytest

from stowboard.db.database import DatabaseUnavailable, OutcomeUnknown
from stowboard.db.open import DatabaseSettings
from stowboard.db.postgres import PostgresDatabase
from stowboard.moving.open_snapshot import open_snapshot
from support.database.scratch_tables import add, counters, create_tables, execute, query
from support.servers.fault_proxy import FaultProxy, Stall
from support.servers.postgres import PostgresServer
from support.waiting import until, wait_until


@pytest.fixture(scope="module")
def primary() -> Iterator[PostgresServer]:
    server = PostgresServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture(scope="module")
def standby(primary: PostgresServer) -> Iterator[PostgresServer]:
    server = PostgresServer()
    server.follow(primary)
    server.start()
    yield server
    server.stop()


@pytest.fixture
async def database(primary: PostgresServer, standby: PostgresServer) -> AsyncIterator[PostgresDatabase]:
    """Its URL names the standby first. Its tables are new."""
    database = PostgresDatabase(url_of(standby.port, primary.port))
    await database.transact(execute, "DROP TABLE IF EXISTS counter, thing")
    await database.transact(create_tables)
    yield database
    await database.close()


def url_of(*ports: int) -> str:
    return f"postgresql://postgres@{','.join(f'127.0.0.1:{port}' for port in ports)}/postgres"


@contextmanager
def standby_awaited(primary: PostgresServer, standby: PostgresServer) -> Iterator[None]:
    """Inside of the block, the primary's commits wait for the standby, which is away."""
    standby.kill()
    await_standbys(primary, "*")
    try:
        yield
    finally:
        standby.start()
        wait_until(lambda: waiting_commits(primary) == 0)
        await_standbys(primary, "")


def await_standbys(primary: PostgresServer, names: str) -> None:
    primary.sql(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
    primary.sql("SELECT pg_reload_conf()")
    wait_until(lambda: primary.sql("SHOW synchronous_standby_names") == names)


def waiting_commits(primary: PostgresServer) -> int:
    return int(primary.sql("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"))


async def test_of_several_servers_the_primary_is_used(primary: PostgresServer, standby: PostgresServer) -> None:
    for ports in ((standby.port, primary.port), (primary.port, standby.port)):
        database = PostgresDatabase(url_of(*ports))
        assert await database.read(query, "SELECT pg_is_in_recovery()") == [(False,)]
        await database.close()
        async with open_snapshot(DatabaseSettings(url_of(*ports))) as snapshot:
            assert [tuple(row) for row in await snapshot.all("SELECT pg_is_in_recovery()")] == [(False,)]


async def test_a_standby_alone_is_no_database(standby: PostgresServer) -> None:
    database = PostgresDatabase(url_of(standby.port))
    with pytest.raises(DatabaseUnavailable):
        await database.read(query, "SELECT 1")
    await database.close()


async def test_a_server_that_is_silent_does_not_hide_the_next_one(primary: PostgresServer) -> None:
    with FaultProxy("127.0.0.1", primary.port) as silent:
        silent.fault = Stall()
        database = PostgresDatabase(url_of(silent.port, primary.port))
        assert await database.read(query, "SELECT 1") == [(1,)]
        await database.close()


async def test_a_commit_that_was_cancelled_while_it_waited_for_the_standby_is_not_known_to_be_done(
    database: PostgresDatabase, primary: PostgresServer, standby: PostgresServer
) -> None:
    with standby_awaited(primary, standby):
        writing = asyncio.create_task(database.transact(add, 2))
        await until(lambda: waiting_commits(primary) == 1)
        primary.sql("SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        with pytest.raises(OutcomeUnknown) as raised:
            await writing
    assert (raised.value.status, raised.value.code, raised.value.headers) == (503, "outcome_unknown", ())


async def test_a_commit_that_waits_too_long_is_given_up_and_not_cancelled(
    database: PostgresDatabase, primary: PostgresServer, standby: PostgresServer
) -> None:
    impatient = PostgresDatabase(url_of(primary.port), statement_timeout=0.2, grace=0.2)
    with standby_awaited(primary, standby):
        with pytest.raises(OutcomeUnknown):
            await impatient.transact(add, 2)
        await impatient.close()
        writing = asyncio.create_task(database.transact(add, 3))
        await until(lambda: waiting_commits(primary) == 2)
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
        assert (waiting_commits(primary), await counters(database)) == (2, [1]), "what may be lost is not shown"
    assert await counters(database) == [1, 2, 3]


async def test_once_a_standby_is_the_primary_nobody_asks_the_one_before(
    database: PostgresDatabase, primary: PostgresServer, standby: PostgresServer
) -> None:
    """The one before hung, and is back: those who are connected to it could read and write there."""
    await database.transact(add, 2)
    written = primary.sql("SELECT pg_current_wal_lsn()")
    await until(lambda: standby.sql(f"SELECT pg_last_wal_replay_lsn() >= '{written}'::pg_lsn") == "t")
    with FaultProxy("127.0.0.1", primary.port) as way:
        database = PostgresDatabase(url_of(way.port, standby.port))
        woken = asyncio.Event()
        database.listen("news", woken.set)
        await asyncio.wait_for(woken.wait(), 60)  # a new connection wakes its listeners
        woken.clear()
        slow = "SELECT pg_is_in_recovery() FROM pg_sleep(0.1)"
        await asyncio.gather(*(database.read(query, slow) for _ in range(3)))
        way.refuse()
        standby.promote()
        assert await asyncio.gather(*(database.read(query, slow) for _ in range(4))) == [[(False,)]] * 4
        await asyncio.gather(*(database.transact(add, number) for number in (3, 4, 5)))
        stored = "SELECT string_agg(id::text, ' ' ORDER BY id) FROM counter"
        assert (standby.sql(stored), primary.sql(stored)) == ("1 2 3 4 5", "1 2")
        way.reset_all()
        await asyncio.wait_for(woken.wait(), 60)
        await database.close()
