"""`stowboard restore`: a backup becomes an installation."""

from pathlib import Path

import typer

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.cli.moving_session import Bar, require_embedded, summary, tell_what_is_not_whole, with_store
from stowboard.cli.prepare import claim_data_folder
from stowboard.moving.manifest import BackupManifest
from stowboard.moving.restore import restore_backup
from stowboard.settings import Settings


def run(settings: Settings, folder: Path) -> None:
    require_embedded(settings)

    async def work(store: BlobStore, bar: Bar) -> tuple[BackupManifest, list[BlobKey]]:
        return await restore_backup(folder, settings.database.path, store, bar)

    with claim_data_folder(settings):
        manifest, damaged = with_store(settings, work)
    typer.echo(f"The database and {summary(manifest)} are back, and were checked: they are as they were backed up.")
    tell_what_is_not_whole(manifest, [], damaged)
