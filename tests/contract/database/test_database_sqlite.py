"""Dangers of an embedded database alone."""

import asyncio
import ctypes
import os
import shutil
import signal
import stat
import subprocess
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from stowboard.core import clock
from stowboard.core.errors import InsufficientStorage
from stowboard.db.database import DatabaseUnavailable, Tx
from stowboard.db.sqlite import SqliteDatabase, refuse_old_library
from stowboard.db.sqlite_writer import TURN_SECONDS
from support.database.program import finish, next_line, program
from support.database.scratch_tables import add, counters, create_tables, execute, query
from support.waiting import until


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folder" / "stowboard.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[SqliteDatabase]:
    database = SqliteDatabase(path)
    await database.transact(create_tables)
    yield database
    await database.close()


async def test_the_file_and_its_folder_are_for_the_owner_alone(database: SqliteDatabase, path: Path) -> None:
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()} == {0o600}


def test_a_library_that_can_corrupt_the_file_is_refused() -> None:
    for version in ("3.51.2", "3.9.0"):
        with pytest.raises(RuntimeError, match=r"3\.51\.3 or later"):
            refuse_old_library(version)
    for version in ("3.51.3", "3.54.1", "4.0"):
        refuse_old_library(version)


async def test_a_process_killed_while_it_writes_loses_nothing_that_was_acknowledged(
    database: SqliteDatabase, path: Path
) -> None:
    await database.transact(execute, "CREATE TABLE acknowledged (id BIGINT PRIMARY KEY)")
    for _ in range(2):
        await database.transact(execute, "DELETE FROM acknowledged")
        with program("insert_until_killed", f"sqlite:///{path}") as process:
            said = [await next_line(process) for _ in range(100)]
            process.send_signal(signal.SIGKILL)
            rest, _ = await asyncio.to_thread(process.communicate)
        # The first line of the rest may have lost its beginning to the reader's buffer, the last its end to the kill.
        whole = [line for line in rest.splitlines(keepends=True)[1:] if line[-1] == "\n"]
        numbers = {int(line) for line in [*said, *whole]}
        kept = {number for (number,) in await database.read(query, "SELECT id FROM acknowledged")}
        assert numbers <= kept
        assert await database.read(query, "PRAGMA integrity_check") == [("ok",)]


async def test_a_full_disk_is_told_and_is_over_when_there_is_room(database: SqliteDatabase, path: Path) -> None:
    await database.transact(execute, "CREATE TABLE large (id BIGINT PRIMARY KEY, body BYTEA)")
    with program("fill_the_disk", f"sqlite:///{path}") as process:
        assert [await next_line(process), await next_line(process)] == ["full", "recovered"]
        await finish(process)


async def test_a_full_disk_fails_those_who_share_the_commit_and_nobody_else(database: SqliteDatabase) -> None:
    await database.transact(execute, "CREATE TABLE large (id BIGINT PRIMARY KEY, body BYTEA)")
    pages = database._write_connection.execute("PRAGMA page_count").get

    async def fill(tx: Tx, number: int) -> None:
        await tx.run("INSERT INTO large (id, body) VALUES ($1, $2)", number, b"x" * (100_000 if number == 5 else 1))

    await database.transact(execute, f"PRAGMA max_page_count = {pages + 5}")
    outcomes = await asyncio.gather(*(database.transact(fill, number) for number in range(10)), return_exceptions=True)
    kept = {number for (number,) in await database.read(query, "SELECT id FROM large")}
    assert isinstance(outcomes[5], InsufficientStorage)
    assert {type(outcome) for outcome in outcomes} <= {InsufficientStorage, type(None)}
    assert kept == {number for number, outcome in enumerate(outcomes) if outcome is None}
    await database.transact(fill, 11)
    await database.transact(execute, "PRAGMA max_page_count = 1000000")
    await database.transact(fill, 5)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "tiny"
    folder.mkdir()
    mount = shutil.which("mount")
    options = ["-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", str(folder)]
    if mount is None or subprocess.run([mount, *options], capture_output=True, check=False).returncode:
        pytest.skip("NOT TESTED HERE: a file system of its own needs the right to mount")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


async def test_a_file_system_that_is_full_is_told_and_is_over_when_there_is_room(tiny_disk: Path) -> None:
    database = SqliteDatabase(tiny_disk / "stowboard.db")
    await database.transact(create_tables)
    filler = tiny_disk / "filler"
    with suppress(OSError), filler.open("wb", buffering=0) as file:
        while file.write(b"x" * 4096):
            continue
    with pytest.raises(InsufficientStorage):
        await database.transact(_add_many, 2, 30_000)
    assert await counters(database) == [1]
    filler.unlink()
    await database.transact(add, 2)
    assert await counters(database) == [1, 2]
    await database.close()


async def test_a_transaction_awaits_nothing_but_its_own_statements(database: SqliteDatabase) -> None:
    async def work(tx: Tx) -> None:
        await tx.one("SELECT 1")
        await asyncio.sleep(0)
        await add(tx, 2)

    for verb in (database.read, database.transact, database.transact_short):
        with pytest.raises(RuntimeError, match="awaits nothing but its own statements"):
            await verb(work)
    assert await counters(database) == [1]


async def test_a_writer_that_died_is_noticed_by_those_who_wait_and_those_who_come(database: SqliteDatabase) -> None:
    thread = database._writer._thread.ident
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread or 0), ctypes.py_object(MemoryError))
    waiting = [asyncio.create_task(database.transact(add, number)) for number in range(2, 6)]
    outcomes = await asyncio.gather(*waiting, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {DatabaseUnavailable}
    with pytest.raises(DatabaseUnavailable):
        await database.transact(add, 9)
    assert await counters(database) == [1]


async def test_short_work_does_not_wait_on_the_loop_for_another_process(database: SqliteDatabase, path: Path) -> None:
    other = apsw.Connection(os.fspath(path))
    other.execute("BEGIN IMMEDIATE")
    waiting = asyncio.create_task(database.transact_short(add, 2))
    # The loop is free meanwhile: this very line is reached, and other work is done on it.
    await asyncio.sleep(0.05)
    assert not waiting.done()
    assert await counters(database) == [1]
    other.execute("COMMIT")
    other.close()
    await waiting
    assert await counters(database) == [1, 2]


async def test_short_and_long_work_take_turns_in_the_order_in_which_they_came(database: SqliteDatabase) -> None:
    order: list[int] = []

    async def work(tx: Tx, number: int) -> None:
        await add(tx, number)
        order.append(number)

    verbs = [database.transact_short if number % 3 else database.transact for number in range(2, 60)]
    await asyncio.gather(*(verb(work, number) for number, verb in enumerate(verbs, 2)))
    assert order == list(range(2, 60))
    assert await counters(database) == list(range(1, 60))


@pytest.mark.parametrize("written_before", [True, False])
async def test_short_work_that_turns_out_to_take_time_is_run_anew_beside_the_loop(
    database: SqliteDatabase, written_before: bool
) -> None:
    ran_in: list[int] = []

    async def work(tx: Tx) -> None:
        ran_in.append(threading.get_ident())
        if written_before:
            await add(tx, 10)
        async with tx.savepoint():
            tx.takes_time()
            await add(tx, 11)

    await asyncio.gather(
        *(database.transact_short(add, number) for number in (2, 3)),
        database.transact_short(work),
        *(database.transact_short(add, number) for number in (4, 5)),
    )
    assert ran_in[0] == threading.get_ident()
    assert len(set(ran_in)) == 2
    assert await counters(database) == [1, 2, 3, 4, 5, *([10] if written_before else []), 11]


async def test_a_read_that_turns_out_to_take_time_is_run_anew_beside_the_loop(database: SqliteDatabase) -> None:
    ran_in: list[int] = []
    may_end = threading.Event()

    async def look(tx: Tx) -> int:
        ran_in.append(threading.get_ident())
        tx.takes_time()
        may_end.wait()
        return len(await tx.all("SELECT * FROM counter"))

    reading = asyncio.create_task(database.read(look))
    await until(lambda: asyncio.sleep(0, len(ran_in) == 2))
    await database.transact(add, 7)  # the loop goes on
    may_end.set()
    assert await reading == 2
    assert (ran_in[0], len(set(ran_in))) == (threading.get_ident(), 2)


async def test_much_short_work_leaves_the_loop_to_others_now_and_then(database: SqliteDatabase) -> None:
    async def work(tx: Tx, number: int) -> None:
        await add(tx, number)
        time.sleep(TURN_SECONDS / 4)

    waiting = asyncio.gather(*(database.transact_short(work, number) for number in range(2, 42)))
    seen = []
    while not waiting.done():
        await asyncio.sleep(0)
        seen.append(len(await counters(database)))
    await waiting
    assert len(set(seen)) > 5  # in between, others saw it grow


async def test_a_statement_is_planned_once_whatever_its_arguments(database: SqliteDatabase) -> None:
    """SQLite asks its authorizer about each SELECT that it plans."""
    planned: list[str] = []

    def note(action: int, *_: object) -> int:
        planned.extend(["SELECT"] if action == apsw.SQLITE_SELECT else [])
        return apsw.SQLITE_OK

    async def find(tx: Tx, state: str) -> None:
        await tx.all("SELECT id FROM parcel WHERE state = $1 ORDER BY id", state)

    table = "CREATE TABLE parcel (id TEXT, state TEXT); CREATE INDEX sent ON parcel (id) WHERE state <> 'open';"
    await database.transact(lambda tx: tx.run_script(table))
    database._write_connection.authorizer = note
    for state in ("sent", "open", "lost"):
        await database.transact(find, state)
    assert planned == ["SELECT"]


async def test_a_work_may_raise_anything_and_the_writer_goes_on(database: SqliteDatabase) -> None:
    class Unheard(BaseException):
        pass

    async def work(tx: Tx) -> None:
        await add(tx, 2)
        raise Unheard

    with pytest.raises(Unheard):
        await database.transact(work)
    await database.transact(add, 3)
    assert await counters(database) == [1, 3]


async def test_an_error_of_the_connection_is_an_outage_and_not_a_wait_for_ever(database: SqliteDatabase) -> None:
    database._write_connection.close()
    works = [database.transact(add, 2), database.transact_short(add, 3), database.transact_short(add, 4)]
    outcomes = await asyncio.gather(*works, return_exceptions=True)
    assert {type(outcome) for outcome in outcomes} == {DatabaseUnavailable}


async def test_a_file_that_is_no_database_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "stowboard.db"
    file.write_bytes(b"something else, and long enough to have a header of its own" * 100)
    with pytest.raises(DatabaseUnavailable):
        SqliteDatabase(file)


async def test_a_read_holds_nothing_back_once_it_has_returned(database: SqliteDatabase, path: Path) -> None:
    async def first_of_many(tx: Tx) -> object:
        return await tx.one("SELECT id FROM counter ORDER BY id")

    await database.transact(_add_many, 2, 100)
    await database.read(first_of_many)
    await database.transact(add, 1000)
    other = apsw.Connection(os.fspath(path))
    assert other.execute("PRAGMA wal_checkpoint(TRUNCATE)").get == (0, 0, 0)
    other.close()


async def test_the_log_is_gone_after_the_last_close(database: SqliteDatabase, path: Path) -> None:
    await database.transact(add, 2)
    assert Path(f"{path}-wal").stat().st_size > 0
    await database.close()
    assert [file.name for file in path.parent.iterdir()] == ["stowboard.db"]


async def test_a_close_does_not_wait_for_other_processes(database: SqliteDatabase, path: Path) -> None:
    other = apsw.Connection(os.fspath(path))
    cursor = other.execute("SELECT id FROM counter")  # holds its snapshot
    await database.transact(add, 2)
    await database.close()
    assert cursor.fetchall() == [(1,)]
    other.close()


async def test_the_clock_of_the_database_is_the_one_that_tests_move(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "now_ms", lambda: 12345)
    for verb in (database.read, database.transact):
        assert await verb(query, "SELECT now_ms()") == [(12345,)]
    monkeypatch.setattr(clock, "now_ms", lambda: 12346)
    assert await database.read(query, "SELECT now_ms()") == [(12346,)]


async def test_the_clock_stands_still_within_one_statement(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    await database.transact(_add_many, 2, 100)
    ticks = iter(range(1_000_000))
    monkeypatch.setattr(clock, "now_ms", lambda: next(ticks))
    assert len(await database.read(query, "SELECT DISTINCT now_ms() FROM counter")) == 1


async def test_listeners_of_a_process_that_only_reads_hear_of_other_writers(
    database: SqliteDatabase, path: Path
) -> None:
    other = SqliteDatabase(path)
    woken = asyncio.Event()
    other.listen("anything", woken.set)
    await asyncio.sleep(0.15)
    assert not woken.is_set()
    await database.transact(add, 2)
    await until(woken.is_set)
    await other.close()


async def test_a_read_cannot_write(database: SqliteDatabase) -> None:
    with pytest.raises(apsw.ReadOnlyError):
        await database.read(add, 2)


async def _add_many(tx: Tx, first: int, count: int) -> None:
    await tx.run_many("INSERT INTO counter (id, value) VALUES ($1, 0)", [(n,) for n in range(first, first + count)])
