"""Bring the database's schema up to date, as `stowboard serve` does; or say before what that would change.

With --check nothing is changed. It exits with 1 if something is pending, and refuses a database of a newer release.
"""

from argparse import ArgumentParser, Namespace

import uvloop

from stowboard import __version__
from stowboard.cli.exits import ERROR, OK, fail
from stowboard.cli.on_database import open_current, why_unusable
from stowboard.core.errors import InsufficientStorage, ServiceUnavailable
from stowboard.core.wording import counted
from stowboard.db.migrate import SHIPPED, Migration, MigrationMismatch, load, pending
from stowboard.db.open import open_database
from stowboard.settings import Settings


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if something is pending")


def run(settings: Settings, given: Namespace) -> int:
    if given.check:
        return _tell(_look(settings))
    uvloop.run(_make_current(settings))
    print("The database is up to date.")
    return OK


def _tell(migrations: list[Migration]) -> int:
    if not migrations:
        print(f"Nothing to do: the database is as Stowboard {__version__} needs it.")
        return OK
    print(f"Stowboard {__version__} would change the database by {counted(len(migrations), 'migration')}:")
    for migration in migrations:
        print(f"  {migration.version:04d}_{migration.name}")
    print("There is no way back. Make a backup, then run `stowboard upgrade` or start `stowboard serve`.")
    return ERROR


def _look(settings: Settings) -> list[Migration]:
    try:
        return uvloop.run(_pending(settings))
    except (ServiceUnavailable, InsufficientStorage, MigrationMismatch, OSError) as error:
        fail(f"the database cannot be used: {why_unusable(settings, error)}")


async def _pending(settings: Settings) -> list[Migration]:
    if settings.database.on_sqlite and not settings.database.path.exists():
        return load(SHIPPED, "sqlite")  # opening would make the file
    db = await open_database(settings.database)
    try:
        return await pending(db)
    finally:
        await db.close()


async def _make_current(settings: Settings) -> None:
    await (await open_current(settings)).close()
