"""A scrubbing transaction leaves nothing of what it overwrites or removes in any file of SQLite."""

from pathlib import Path

import pytest

from stowboard.db.database import Database, Tx
from stowboard.db.sqlite import SqliteDatabase
from support.database.scratch_tables import create_tables, execute, query

CANARY = b"canary-of-a-secret"


@pytest.fixture
async def filled(database: Database) -> Database:
    """Rows that hold the canary in their pages, in pages of their own, and in the log."""
    await database.transact(create_tables)
    for size in (1, 20, 1000):
        await database.transact(execute, "INSERT INTO thing VALUES ('secret', $1, $2, 1)", f"{size}", CANARY * size)
    return database


async def overwrite(tx: Tx) -> None:
    await tx.run("UPDATE thing SET body = NULL WHERE name = '1'")
    await tx.run("DELETE FROM thing WHERE name <> '1'")
    tx.scrub()


def files_with_canary(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir() if file.is_file() and CANARY in file.read_bytes())


async def test_nothing_of_it_is_left_in_any_file(filled: Database, tmp_path: Path) -> None:
    if filled.dialect == "postgres":
        await filled.transact(overwrite)  # it takes the request; its own vacuum does the rest
        assert await filled.read(query, "SELECT body FROM thing") == [(None,)]
        return
    assert files_with_canary(tmp_path)
    await filled.transact(overwrite)
    assert files_with_canary(tmp_path) == []
    assert await filled.read(query, "SELECT body FROM thing") == [(None,)]


async def test_it_reaches_what_was_removed_before_without_being_asked(filled: Database, tmp_path: Path) -> None:
    if filled.dialect == "postgres":
        pytest.skip("only SQLite is cleaned by us")
    await filled.transact(execute, "DELETE FROM thing")
    assert files_with_canary(tmp_path) == ["stowboard.db-wal"]
    await filled.transact(overwrite)
    assert files_with_canary(tmp_path) == []


async def test_a_log_that_a_crash_left_is_emptied_by_the_next_start(filled: Database, tmp_path: Path) -> None:
    """A copy of the files is what a power cut leaves, here between the commit and the scrubbing."""
    if filled.dialect == "postgres":
        pytest.skip("only SQLite is cleaned by us")
    await filled.transact(execute, "DELETE FROM thing")
    left = tmp_path / "left"
    left.mkdir()
    for name in ("stowboard.db", "stowboard.db-wal"):
        (left / name).write_bytes((tmp_path / name).read_bytes())
    assert files_with_canary(left)
    database = SqliteDatabase(left / "stowboard.db")
    try:
        assert await database.read(query, "SELECT count(*) FROM thing") == [(0,)]
        assert files_with_canary(left) == []
    finally:
        await database.close()
