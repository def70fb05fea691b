"""`stowboard backup`: an embedded installation, while it runs."""

from pathlib import Path

import typer

from stowboard.blobs.store import BlobStore
from stowboard.cli.moving_session import (
    Bar,
    require_current,
    require_embedded,
    summary,
    tell_what_is_not_whole,
    with_store,
)
from stowboard.cli.on_database import require_installation
from stowboard.moving.backup import back_up
from stowboard.moving.capture import NotWhole
from stowboard.moving.manifest import BackupManifest
from stowboard.settings import Settings


def run(settings: Settings, folder: Path) -> None:
    require_embedded(settings)
    require_installation(settings)

    async def work(store: BlobStore, bar: Bar) -> tuple[BackupManifest, NotWhole]:
        await require_current(settings, "installation.backup")
        return await back_up(settings.database.path, store, folder, bar)

    manifest, not_whole = with_store(settings, work)
    typer.echo(f"The database and {summary(manifest)} are in {folder}. It holds the keys: keep it private.")
    tell_what_is_not_whole(manifest, *not_whole)
