"""Bring an export into an empty installation, and check it. Run it again if it was broken off."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.cli.counted import counted
from stowboard.cli.moving.session import summary, tell_what_is_not_whole, with_store
from stowboard.cli.progress import ProgressLine
from stowboard.cli.serving.prepare import claim_data_folder
from stowboard.db.open import open_database
from stowboard.moving.import_ import import_installation
from stowboard.moving.manifest import ExportManifest
from stowboard.settings import Settings


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="what `stowboard export` wrote")


def run(settings: Settings, given: Namespace) -> None:
    folder: Path = given.folder

    async def work(store: BlobStore, progress: ProgressLine) -> tuple[ExportManifest, list[BlobKey]]:
        db = await open_database(settings.database)
        try:
            return await import_installation(folder, settings.database, db, store, progress)
        finally:
            await db.close()

    with claim_data_folder(settings):
        manifest, damaged = with_store(settings, work)
    rows = sum(table.rows for table in manifest.tables)
    print(f"{counted(rows, 'row')} and {summary(manifest)} are in, and were read back: they are as they were exported.")
    tell_what_is_not_whole(manifest, [], damaged)
