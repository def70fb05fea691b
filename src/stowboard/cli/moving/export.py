"""Write rows and files to a folder, from which `stowboard import` makes the same installation on either database."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from stowboard.blobs.store import BlobStore
from stowboard.cli.counted import counted
from stowboard.cli.moving.session import require_current, summary, tell_what_is_not_whole, with_store
from stowboard.cli.on_database import require_installation
from stowboard.cli.progress import ProgressLine
from stowboard.moving.capture import FaultyBlobs
from stowboard.moving.export import export_installation
from stowboard.moving.manifest import ExportManifest
from stowboard.settings import Settings


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="a new folder, or that of an earlier export")


def run(settings: Settings, given: Namespace) -> None:
    folder: Path = given.folder
    require_installation(settings)

    async def work(store: BlobStore, progress: ProgressLine) -> tuple[ExportManifest, FaultyBlobs]:
        await require_current(settings, "installation.export")
        return await export_installation(settings.database, store, folder, progress)

    manifest, not_whole = with_store(settings, work)
    rows = sum(table.rows for table in manifest.tables)
    print(f"{counted(rows, 'row')} and {summary(manifest)} are in {folder}. It holds the keys: keep it private.")
    tell_what_is_not_whole(manifest, *not_whole)
