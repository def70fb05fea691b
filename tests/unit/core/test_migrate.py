"""Migrations, on both databases where a database matters."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest

from stowboard import __version__
from stowboard.db.database import Database
from stowboard.db.migrate import SHIPPED, MigrationMismatch, load, migrate, pending
from stowboard.db.open import DatabaseSettings, open_database
from support.database.program import next_line, program
from support.database.scratch_tables import execute, query
from support.servers.postgres import PostgresServer


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The migrations of a release that came after the shipped one."""
    folder = tmp_path / "migrations"
    folder.mkdir()
    for file in SHIPPED.iterdir():
        (folder / file.name).write_text(file.read_text("utf-8"))
    return folder


def follow(folder: Path, script: str) -> None:
    number = len(list(folder.iterdir())) + 1
    (folder / f"{number:04d}_later.sql").write_text(script)


def test_a_line_for_the_other_database_is_left_out_and_a_line_for_this_one_is_run(tmp_path: Path) -> None:
    (tmp_path / "0001_first.sql").write_text(
        "CREATE TABLE a (b BIGINT)\n--sqlite STRICT\n--postgres WITH (c)\n-- why\n;\n"
    )
    (tmp_path / "notes.txt").write_text("not a migration")
    sqlite, postgres = load(tmp_path, "sqlite"), load(tmp_path, "postgres")
    assert [migration.script for migration in sqlite] == ["CREATE TABLE a (b BIGINT)\nSTRICT\n-- why\n;"]
    assert [migration.script for migration in postgres] == ["CREATE TABLE a (b BIGINT)\nWITH (c)\n-- why\n;"]
    assert (sqlite[0].version, sqlite[0].name) == (1, "first")


def test_words_that_only_the_other_database_knows_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "0001_first.sql").write_text('CREATE TABLE a (b TEXT COLLATE "C" PRIMARY KEY) WITHOUT ROWID;\n')
    scripts = [load(tmp_path, dialect)[0].script for dialect in ("sqlite", "postgres")]
    assert scripts == [
        "CREATE TABLE a (b TEXT PRIMARY KEY) WITHOUT ROWID;",
        'CREATE TABLE a (b TEXT COLLATE "C" PRIMARY KEY);',
    ]


@pytest.mark.parametrize("names", [["0001_a.sql", "0003_c.sql"], ["0001_a.sql", "0001_b.sql"], ["0002_b.sql"]])
def test_numbers_with_a_gap_or_a_repeat_are_refused(tmp_path: Path, names: list[str]) -> None:
    for name in names:
        (tmp_path / name).touch()
    with pytest.raises(MigrationMismatch, match="without a gap or a repeat"):
        load(tmp_path, "sqlite")


async def test_migrating_again_changes_nothing(database: Database) -> None:
    assert await pending(database) == []
    before = await database.read(query, "SELECT * FROM migration ORDER BY version")
    assert await migrate(database) == []
    assert await database.read(query, "SELECT * FROM migration ORDER BY version") == before
    assert [row[0] for row in before] == list(range(1, len(before) + 1))


async def test_what_a_later_release_adds_is_pending_until_it_is_applied(database: Database, folder: Path) -> None:
    follow(folder, "CREATE TABLE one (id BIGINT); INSERT INTO one VALUES (1); INSERT INTO one VALUES (2);")
    follow(folder, "-- nothing but a comment")
    names = [migration.name for migration in await pending(database, folder)]
    assert names == ["later", "later"]
    assert [migration.name for migration in await migrate(database, folder)] == names
    assert await pending(database, folder) == []
    assert await database.read(query, "SELECT id FROM one ORDER BY id") == [(1,), (2,)]


async def test_a_migration_that_fails_leaves_nothing_of_itself_and_what_came_before(
    database: Database, folder: Path
) -> None:
    follow(folder, "CREATE TABLE one (id BIGINT);")
    follow(folder, "CREATE TABLE two (id BIGINT); INSERT INTO nowhere VALUES (1);")
    with pytest.raises(Exception, match="nowhere"):
        await migrate(database, folder)
    assert await database.read(query, "SELECT id FROM one") == []
    assert len(await pending(database, folder)) == 1
    await database.transact(execute, "CREATE TABLE two (id BIGINT)")


async def test_a_database_that_no_release_made_is_refused_with_what_to_do(database: Database, folder: Path) -> None:
    """Also if it has more migrations than there are now, as those from before the first release have."""
    first = folder / "0001_platform.sql"
    first.write_text(first.read_text() + "-- a word more\n")
    for file in (None, sorted(folder.iterdir())[-1]):
        if file is not None:
            file.unlink()
        for refuse in (pending, migrate):
            with pytest.raises(MigrationMismatch, match=r"development version.*0001_platform.*empty data folder"):
                await refuse(database, folder)


async def test_a_database_of_a_newer_release_is_refused(database: Database, folder: Path) -> None:
    follow(folder, "CREATE TABLE one (id BIGINT);")
    await migrate(database, folder)
    await database.transact(execute, "UPDATE migration SET release = '9.9.0'")
    with pytest.raises(MigrationMismatch, match=rf"newer release, 9\.9\.0 .* this one, {re.escape(__version__)},"):
        await migrate(database)


@pytest.mark.parametrize("dialect", ["sqlite", "postgres"])
async def test_processes_that_start_together_migrate_once(
    dialect: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if dialect == "sqlite":
        url = f"sqlite:///{tmp_path}/stowboard.db"
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.create_database()
    with program("start", url) as one, program("start", url) as two, program("start", url) as three:
        processes = [one, two, three]
        for process in processes:
            assert await next_line(process) == "ready"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("\n")
            process.stdin.flush()
        counts = [int(line) for line in await asyncio.gather(*map(next_line, processes))]
    assert sum(counts) == len(load(SHIPPED, dialect))
    database = await open_database(DatabaseSettings(url))
    assert await pending(database) == []
    await database.close()


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        (DatabaseSettings(url="mysql://localhost/x"), "STOWBOARD_DATABASE_URL"),
        (DatabaseSettings(url="sqlite:///"), "STOWBOARD_DATABASE_URL"),
        (DatabaseSettings(url="postgresql://localhost"), "STOWBOARD_DATABASE_URL"),
        (DatabaseSettings(pool_size=0), "STOWBOARD_DATABASE_POOL_SIZE"),
        (DatabaseSettings(statement_timeout=0), "STOWBOARD_DATABASE_STATEMENT_TIMEOUT"),
    ],
)
async def test_a_wrong_setting_is_named(settings: DatabaseSettings, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        await open_database(settings)


@pytest.mark.parametrize(("url", "unwanted"), [("sqlite:///{}/x.db", "asyncpg"), ("postgresql://nowhere/x", "apsw")])
def test_the_driver_of_the_other_database_is_not_loaded(url: str, unwanted: str, tmp_path: Path) -> None:
    code = f"""
import asyncio, sys
from stowboard.db.open import DatabaseSettings, open_database
from stowboard.db.migrate import migrate
async def main():
    await (await open_database(DatabaseSettings({url.format(tmp_path)!r}))).close()
asyncio.run(main())
assert {unwanted!r} not in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], check=True)
