"""Bring a database's tables to what this release needs: numbered SQL files, applied once each and in order.

A file is `NNNN_name.sql`. A line behind `--sqlite ` or `--postgres ` is for that database alone. `COLLATE "C"` is left
out on SQLite, which compares the bytes of texts anyway, and `WITHOUT ROWID` on PostgreSQL, which knows nothing else.

Each file is one transaction together with its row in `migration`, under a lock, so that nodes may start at the same
time. There is no way back: a file that was released is never edited, only followed by another one. The first schema is
one file for each room. docs/operations.md says what a later file may do while nodes of the release before still run.
"""

import hashlib
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from stowboard import __version__
from stowboard.core import clock
from stowboard.db.database import Database, Tx

SHIPPED = Path(__file__).with_name("migrations")
#: Advice for a database that no release made.
NOT_OURS = (
    "Start with an empty data folder (--data-dir) or a new PostgreSQL database. To keep what is in this one, run the "
    "program that made it, and copy tasks with `stow export` and files with `stow download`."
)
_FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")
_LEFT_OUT = {"sqlite": ' COLLATE "C"', "postgres": " WITHOUT ROWID"}

_TABLE = """
CREATE TABLE IF NOT EXISTS migration (
    version    BIGINT PRIMARY KEY,
    name       TEXT NOT NULL,
    checksum   TEXT NOT NULL,
    release    TEXT NOT NULL,
    applied_at BIGINT NOT NULL
)
"""
_HAS_TABLE = {
    "sqlite": "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1",
    "postgres": "SELECT 1 WHERE to_regclass($1) IS NOT NULL",
}
# SQLite has one writer anyway. On PostgreSQL a node waits for another node's migration, however long that takes. For a
# table in use it waits only for a while, since all other statements queue behind that wait.
_LOCK = {
    "sqlite": "",
    "postgres": """
        SET LOCAL statement_timeout = 0;
        SET LOCAL lock_timeout = 0;
        SELECT pg_advisory_xact_lock(7597131014);
        SET LOCAL lock_timeout = '10s';
    """,
}


class Migration(msgspec.Struct, frozen=True):
    version: int
    name: str
    script: str

    @property
    def checksum(self) -> str:
        return hashlib.sha256(self.script.encode()).hexdigest()


class MigrationMismatch(Exception):
    """The database and this release do not belong together; the message says what to do."""


async def migrate(database: Database, folder: Path = SHIPPED) -> list[Migration]:
    """Apply the pending migrations and return them. If none is pending, this only reads."""
    missing = await pending(database, folder)
    return [migration for migration in missing if await database.transact(_apply, migration)]


async def pending(database: Database, folder: Path = SHIPPED) -> list[Migration]:
    """The migrations that the database lacks.

    Raises MigrationMismatch if it has one that this release does not know, or in another form.
    """
    known = load(folder, database.dialect)
    applied = await database.read(_applied)
    _compare(known, applied)
    return known[len(applied) :]


def load(folder: Path, dialect: str) -> list[Migration]:
    """Every migration of the folder, as this dialect runs it, in order."""
    found = [
        Migration(int(name[1]), name[2], _for_dialect(file.read_text("utf-8"), dialect))
        for file in folder.iterdir()
        if (name := _FILE_NAME.fullmatch(file.name))
    ]
    found.sort(key=lambda migration: migration.version)
    if [migration.version for migration in found] != list(range(1, len(found) + 1)):
        raise MigrationMismatch("The numbers of the migration files must be 0001, 0002, … without a gap or a repeat.")
    return found


def _for_dialect(text: str, dialect: str) -> str:
    ours = f"--{dialect} "
    lines = [line.removeprefix(ours) for line in text.replace(_LEFT_OUT[dialect], "").splitlines()]
    # Lines for the other database are not part of the checksum.
    return "\n".join(line for line in lines if not line.startswith(("--sqlite ", "--postgres ")))


async def _applied(tx: Tx) -> list[tuple[int, str, str, str]]:
    if await tx.one(_HAS_TABLE[tx.dialect], "migration") is None:
        return []
    rows = await tx.all("SELECT version, name, checksum, release FROM migration ORDER BY version")
    return [(version, name, checksum, release) for version, name, checksum, release in rows]


def _compare(known: Sequence[Migration], applied: Sequence[tuple[int, str, str, str]]) -> None:
    for migration, (version, name, checksum, _) in zip(known, applied, strict=False):
        if (migration.version, migration.checksum) != (version, checksum):
            raise MigrationMismatch(
                f"The database was made by a development version, not by a release: its {version:04d}_{name} is not "
                f"the one that this program has. {NOT_OURS}"
            )
    if len(applied) > len(known):
        version, name, _, release = applied[-1]
        raise MigrationMismatch(
            f"The database was migrated by a newer release, {release} (it has {version:04d}_{name}); this one, "
            f"{__version__}, knows {len(known)} migrations. Start that release or a later one; to go back, restore a "
            "backup from before."
        )


async def _apply(tx: Tx, migration: Migration) -> bool:
    """Apply the migration; False if another node was faster."""
    await tx.run_script(_LOCK[tx.dialect])
    await tx.run_script(_TABLE)
    if await tx.one("SELECT 1 FROM migration WHERE version = $1", migration.version) is not None:
        return False
    await tx.run_script(migration.script)
    await tx.run(
        "INSERT INTO migration (version, name, checksum, release, applied_at) VALUES ($1, $2, $3, $4, $5)",
        migration.version, migration.name, migration.checksum, __version__, clock.now_ms(),
    )  # fmt: skip
    return True
