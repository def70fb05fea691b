"""Back up an embedded database and its files, while the service runs.

Into the folder of an earlier backup only what is new is copied.
"""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from stowboard.blobs.store import BlobStore
from stowboard.cli.moving.session import require_current, require_embedded, summary, tell_what_is_not_whole, with_store
from stowboard.cli.on_database import require_installation
from stowboard.cli.progress import ProgressLine
from stowboard.moving.backup import back_up
from stowboard.moving.capture import FaultyBlobs
from stowboard.moving.manifest import BackupManifest
from stowboard.settings import Settings


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder, or that of an earlier backup")


def run(settings: Settings, given: Namespace) -> None:
    folder: Path = given.folder
    require_embedded(settings)
    require_installation(settings)

    async def work(store: BlobStore, progress: ProgressLine) -> tuple[BackupManifest, FaultyBlobs]:
        await require_current(settings, "installation.backup")
        return await back_up(settings.database.path, store, folder, progress)

    manifest, not_whole = with_store(settings, work)
    print(f"The database and {summary(manifest)} are in {folder}. It holds the keys: keep it private.")
    tell_what_is_not_whole(manifest, *not_whole)
