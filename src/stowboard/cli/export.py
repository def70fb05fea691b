"""`stowboard export`: an installation as a portable folder."""

from pathlib import Path

import typer

from stowboard.blobs.store import BlobStore
from stowboard.cli.moving_session import (
    Bar,
    require_current,
    summary,
    tell_what_is_not_whole,
    with_store,
)
from stowboard.cli.on_database import require_installation
from stowboard.moving.capture import NotWhole
from stowboard.moving.export import export_installation
from stowboard.moving.manifest import ExportManifest
from stowboard.settings import Settings


def run(settings: Settings, folder: Path) -> None:
    require_installation(settings)

    async def work(store: BlobStore, bar: Bar) -> tuple[ExportManifest, NotWhole]:
        await require_current(settings, "installation.export")
        return await export_installation(settings.database, store, folder, bar)

    manifest, not_whole = with_store(settings, work)
    rows = sum(table.rows for table in manifest.tables)
    typer.echo(f"{rows:,} rows and {summary(manifest)} are in {folder}. It holds the keys: keep it private.")
    tell_what_is_not_whole(manifest, *not_whole)
