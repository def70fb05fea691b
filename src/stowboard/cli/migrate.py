"""`stowboard migrate`: the schema, by hand."""

import typer
import uvloop

from stowboard.cli.on_database import fail, open_current, why_unusable
from stowboard.core.errors import InsufficientStorage, ServiceUnavailable
from stowboard.db.migrate import SHIPPED, Migration, MigrationMismatch, load, pending
from stowboard.db.open import open_database
from stowboard.settings import Settings


def run_migrations(settings: Settings, check: bool) -> None:
    if check:
        waiting = _pending(settings)
        typer.echo("\n".join(waiting) if waiting else "Nothing is pending.")
        raise typer.Exit(1 if waiting else 0)
    uvloop.run(_make_current(settings))
    typer.echo("The database is up to date.")


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
