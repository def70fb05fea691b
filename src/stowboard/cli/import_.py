"""`stowboard import`: an export becomes an installation."""

from pathlib import Path

import typer

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.cli.moving_session import Bar, summary, tell_what_is_not_whole, with_store
from stowboard.cli.prepare import claim_data_folder
from stowboard.db.open import open_database
from stowboard.moving.import_ import import_installation
from stowboard.moving.manifest import ExportManifest
from stowboard.settings import Settings


def run(settings: Settings, folder: Path) -> None:
    async def work(store: BlobStore, bar: Bar) -> tuple[ExportManifest, list[BlobKey]]:
        db = await open_database(settings.database)
        try:
            return await import_installation(folder, settings.database, db, store, bar)
        finally:
            await db.close()

    with claim_data_folder(settings):
        manifest, damaged = with_store(settings, work)
    rows = sum(table.rows for table in manifest.tables)
    typer.echo(f"{rows:,} rows and {summary(manifest)} are in, and were read back: they are as they were exported.")
    tell_what_is_not_whole(manifest, [], damaged)
