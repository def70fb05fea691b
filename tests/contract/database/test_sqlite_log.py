"""SQLite's log is copied into the file beside the commits, and stays short."""

import asyncio
import itertools
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import apsw
import pytest

from stowboard.db import sqlite_log
from stowboard.db.database import Tx
from stowboard.db.sqlite import SqliteDatabase
from stowboard.db.sqlite_log import LONG, STEP
from support.database.program import next_line, program
from support.database.scratch_tables import execute, query
from support.waiting import until

PAGE = 4096


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "stowboard.db"


@pytest.fixture
async def database(path: Path) -> AsyncIterator[SqliteDatabase]:
    database = SqliteDatabase(path)
    await database.transact(execute, "CREATE TABLE large (id BIGINT PRIMARY KEY, body BYTEA)")
    yield database
    await database.close()


async def write(tx: Tx, number: int, pages: int = STEP // 2) -> None:
    await tx.run("INSERT INTO large (id, body) VALUES ($1, zeroblob($2))", number, pages * PAGE)


def size_of_log(path: Path) -> int:
    return Path(f"{path}-wal").stat().st_size // PAGE


async def test_what_was_committed_is_copied_into_the_file_while_it_is_open(
    database: SqliteDatabase, path: Path
) -> None:
    for number in range(3):
        await database.transact(write, number)
    await until(lambda: path.stat().st_size > STEP * PAGE)


async def test_the_commit_itself_copies_nothing(database: SqliteDatabase, path: Path) -> None:
    before = path.stat().st_size
    with database._log._one_at_a_time:  # the thread has to wait
        for number in range(6):
            await database.transact(write, number)
        assert path.stat().st_size == before


async def test_the_log_of_one_who_never_stops_writing_stays_short(database: SqliteDatabase, path: Path) -> None:
    for number in range(6 * LONG // STEP):
        await database.transact(write, number)
    assert size_of_log(path) < 2 * LONG


async def test_the_writer_copies_a_long_log_only_after_the_thread_has_copied_it_three_times(
    database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, copy, copied_by = database._log, sqlite_log._copy, list[str]()
    numbers = itertools.count()

    def note(connection: apsw.Connection) -> int:
        if log._pages >= LONG:
            copied_by.append("writer" if connection is database._write_connection else "thread")
        return copy(connection)

    async def write_on() -> None:
        while "writer" not in copied_by:
            await database.transact(write, next(numbers), 100)

    monkeypatch.setattr(sqlite_log, "_copy", note)
    monkeypatch.setattr(sqlite_log, "LONGEST", 10**9)  # a busy machine's thread may not keep up
    await asyncio.gather(*(write_on() for _ in range(4)))
    assert copied_by[: copied_by.index("writer")][-3:] == ["thread"] * 3


async def test_the_log_stays_short_although_the_thread_does_not_keep_up(
    database: SqliteDatabase, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database._log._thread, "submit", lambda _: None)  # it never comes
    for number in range(6 * LONG // STEP):
        await database.transact(write, number)
    assert size_of_log(path) < 2 * LONG


async def test_a_reader_that_never_ends_stops_no_write_and_the_log_is_short_again_after_it(
    database: SqliteDatabase, path: Path
) -> None:
    other = apsw.Connection(os.fspath(path))
    cursor = other.execute("SELECT id FROM large UNION ALL SELECT 1 UNION ALL SELECT 2")
    for number in range(3 * LONG // STEP):
        await database.transact(write, number)
    assert size_of_log(path) > LONG
    assert cursor.fetchall() == [(1,), (2,)]
    await database.transact(write, -1, STEP)  # now all of it can be copied
    await database.transact(write, -2, 1)  # and the log begins again
    _, pages, _ = other.execute("PRAGMA wal_checkpoint(PASSIVE)").get
    assert pages < STEP
    other.close()


async def test_a_process_that_is_killed_while_it_copies_loses_nothing(database: SqliteDatabase, path: Path) -> None:
    body = f"body BYTEA NOT NULL DEFAULT (zeroblob({STEP // 40 * PAGE}))"
    await database.transact(execute, f"CREATE TABLE acknowledged (id BIGINT PRIMARY KEY, {body})")
    for _ in range(3):
        await database.transact(execute, "DELETE FROM acknowledged")
        with program("insert_until_killed", f"sqlite:///{path}") as process:
            said = [int(await next_line(process)) for _ in range(100)]
            process.send_signal(signal.SIGKILL)
        stored = await database.read(query, f"SELECT id FROM acknowledged WHERE length(body) = {STEP // 40 * PAGE}")
        assert set(said) <= {number for (number,) in stored}
        assert await database.read(query, "PRAGMA integrity_check") == [("ok",)]
