"""Short work on the installation's database, for commands that run beside a server or without it."""

from collections.abc import Awaitable, Callable
from typing import Concatenate, ParamSpec, TypeVar

import uvloop

from stowboard.access.signing_keys import ensure_keys, has_keys
from stowboard.cli.exits import fail
from stowboard.core.errors import InsufficientStorage, ServiceUnavailable
from stowboard.db.database import Database, Tx
from stowboard.db.migrate import MigrationMismatch, migrate
from stowboard.db.open import open_database
from stowboard.moving.unfinished import ADVICE, is_unfinished
from stowboard.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")


def on_database(
    settings: Settings, work: Callable[Concatenate[Database, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Open the installation's database, bring it up to date, do the work, close it."""
    require_installation(settings)
    return on_any_database(settings, work, *args, **kwargs)


def on_any_database(
    settings: Settings, work: Callable[Concatenate[Database, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
) -> T:
    """The same, where the command may come before the first start: the installation is made."""

    async def session() -> T:
        db = await open_current(settings)
        try:
            return await work(db, *args, **kwargs)
        finally:
            await db.close()

    return uvloop.run(session())


def in_transaction(
    settings: Settings, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Do the work in one transaction on the installation's database."""

    async def transact(db: Database) -> T:
        return await db.transact(work, *args, **kwargs)

    return on_database(settings, transact)


def read_only(
    settings: Settings, work: Callable[Concatenate[Tx, P], Awaitable[T]], *args: P.args, **kwargs: P.kwargs
) -> T:
    """Read from the installation's database; others may write meanwhile."""

    async def read(db: Database) -> T:
        return await db.read(work, *args, **kwargs)

    return on_database(settings, read)


def require_installation(settings: Settings) -> None:
    """Call it first: opening a database or a store makes a missing one."""
    if settings.database.on_sqlite and not settings.database.path.exists():
        fail(f"there is no installation at {settings.database.path}. Name its folder with --data-dir.")


async def open_current(settings: Settings) -> Database:
    """The database, brought up to date and with its keys. A failure ends the command in a sentence."""
    try:
        db = await open_database(settings.database)
        try:
            await _bring_up_to_date(db)
        except BaseException:
            await db.close()
            raise
    except (ServiceUnavailable, InsufficientStorage, MigrationMismatch, OSError) as error:
        fail(f"the database cannot be used: {why_unusable(settings, error)}")
    return db


def why_unusable(settings: Settings, error: Exception) -> str:
    """The reason why the database cannot be used, in words for the operator."""
    if isinstance(error, OSError):
        return f"{settings.data_dir}: {error.strerror}. Choose another folder with --data-dir."
    if isinstance(error, ServiceUnavailable) and not settings.database.on_sqlite:
        from stowboard.db.postgres_connect import addresses

        return (
            f"PostgreSQL at {' and '.join(addresses(settings.database.url))} does not answer, or does not let us in."
            " Check that it runs, and STOWBOARD_DATABASE_URL."
        )
    return str(error)


async def _bring_up_to_date(db: Database) -> None:
    if await db.read(is_unfinished, db.dialect):
        fail(ADVICE)
    await migrate(db)
    if not await db.read(has_keys):
        await db.transact(ensure_keys)
