"""Bring the database's schema up to date. `stowboard serve` does it too."""

from argparse import ArgumentParser, Namespace

import uvloop

from stowboard.cli.exits import ERROR, OK, fail
from stowboard.cli.on_database import open_current, why_unusable
from stowboard.core.errors import InsufficientStorage, ServiceUnavailable
from stowboard.db.migrate import SHIPPED, Migration, MigrationMismatch, load, pending
from stowboard.db.open import open_database
from stowboard.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if something is pending")


def run(settings: Settings, given: Namespace) -> int:
    if given.check:
        waiting = _pending(settings)
        print("\n".join(waiting) if waiting else "Nothing is pending.")
        return ERROR if waiting else OK
    uvloop.run(_make_current(settings))
    print("The database is up to date.")
    return OK


def _pending(settings: Settings) -> list[str]:
    try:
        return [f"{migration.version:04d}_{migration.name}" for migration in uvloop.run(_find_pending(settings))]
    except (ServiceUnavailable, InsufficientStorage, MigrationMismatch, OSError) as error:
        fail(f"the database cannot be used: {why_unusable(settings, error)}")


async def _find_pending(settings: Settings) -> list[Migration]:
    if settings.database.on_sqlite and not settings.database.path.exists():
        return load(SHIPPED, "sqlite")  # to open it would make it
    db = await open_database(settings.database)
    try:
        return await pending(db)
    finally:
        await db.close()


async def _make_current(settings: Settings) -> None:
    await (await open_current(settings)).close()
