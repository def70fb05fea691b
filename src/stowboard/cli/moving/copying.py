"""Commands that copy a whole installation into a folder, and out of it."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.cli.moving.session import require_current, require_embedded, summary, tell_what_is_not_whole, with_store
from stowboard.cli.on_database import require_installation
from stowboard.cli.progress import ProgressLine
from stowboard.cli.serving.prepare import claim_data_folder
from stowboard.core.wording import counted
from stowboard.db.open import open_database
from stowboard.moving.backup import back_up
from stowboard.moving.capture import FaultyBlobs
from stowboard.moving.export import export_installation
from stowboard.moving.import_ import import_installation
from stowboard.moving.manifest import BackupManifest, ExportManifest
from stowboard.moving.restore import restore_backup
from stowboard.settings import Settings


def backup_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder, or that of an earlier backup")


def backup(settings: Settings, given: Namespace) -> None:
    """Back up an embedded database and its files, while the service runs.

    Into the folder of an earlier backup only what is new is copied.
    """
    folder: Path = given.folder
    require_embedded(settings)
    require_installation(settings)

    async def work(store: BlobStore, progress: ProgressLine) -> tuple[BackupManifest, FaultyBlobs]:
        await require_current(settings, "installation.backup")
        return await back_up(settings.database.path, store, folder, progress)

    manifest, not_whole = with_store(settings, work)
    print(f"The database and {summary(manifest)} are in {folder}. It holds the keys: keep it private.")
    tell_what_is_not_whole(manifest, *not_whole)


def restore_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="what `stowboard backup` wrote")
    parser.add_argument(
        "--rehearsal",
        action="store_true",
        help="take out what tells people: webhooks, channels, addresses, letters",
    )


def restore(settings: Settings, given: Namespace) -> None:
    """Restore a backup into an empty data folder, and check it. Run it again if it was broken off."""
    require_embedded(settings)

    async def work(store: BlobStore, progress: ProgressLine) -> tuple[BackupManifest, list[BlobKey]]:
        return await restore_backup(given.folder, settings.database.path, store, progress, rehearsal=given.rehearsal)

    with claim_data_folder(settings):
        manifest, damaged = with_store(settings, work)
    print(f"The database and {summary(manifest)} are back, and were checked: they are as they were backed up.")
    tell_what_is_not_whole(manifest, [], damaged)


def export_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder, or that of an earlier export")


def export(settings: Settings, given: Namespace) -> None:
    """Write rows and files to a folder.

    From it `stowboard import` makes the same installation on either database.
    """
    folder: Path = given.folder
    require_installation(settings)

    async def work(store: BlobStore, progress: ProgressLine) -> tuple[ExportManifest, FaultyBlobs]:
        await require_current(settings, "installation.export")
        return await export_installation(settings.database, store, folder, progress)

    manifest, not_whole = with_store(settings, work)
    print(f"{_rows(manifest)} and {summary(manifest)} are in {folder}. It holds the keys: keep it private.")
    tell_what_is_not_whole(manifest, *not_whole)


def import_export_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="what `stowboard export` wrote")


def import_export(settings: Settings, given: Namespace) -> None:
    """Bring an export into an empty installation, and check it. Run it again if it was broken off."""

    async def work(store: BlobStore, progress: ProgressLine) -> tuple[ExportManifest, list[BlobKey]]:
        db = await open_database(settings.database)
        try:
            return await import_installation(given.folder, settings.database, db, store, progress)
        finally:
            await db.close()

    with claim_data_folder(settings):
        manifest, damaged = with_store(settings, work)
    print(f"{_rows(manifest)} and {summary(manifest)} are in, and were read back: they are as they were exported.")
    tell_what_is_not_whole(manifest, [], damaged)


def _rows(manifest: ExportManifest) -> str:
    return counted(sum(table.rows for table in manifest.tables), "row")
