"""Restore a backup into an empty data folder, and check it. Run it again if it was broken off."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.cli.moving.session import require_embedded, summary, tell_what_is_not_whole, with_store
from stowboard.cli.progress import ProgressLine
from stowboard.cli.serving.prepare import claim_data_folder
from stowboard.moving.manifest import BackupManifest
from stowboard.moving.restore import restore_backup
from stowboard.settings import Settings


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="what `stowboard backup` wrote")


def run(settings: Settings, given: Namespace) -> None:
    folder: Path = given.folder
    require_embedded(settings)

    async def work(store: BlobStore, progress: ProgressLine) -> tuple[BackupManifest, list[BlobKey]]:
        return await restore_backup(folder, settings.database.path, store, progress)

    with claim_data_folder(settings):
        manifest, damaged = with_store(settings, work)
    print(f"The database and {summary(manifest)} are back, and were checked: they are as they were backed up.")
    tell_what_is_not_whole(manifest, [], damaged)
