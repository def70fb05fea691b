"""`stowboard export`: an installation as rows in JSON lines and blobs in files, from any database and store."""

from pathlib import Path

from msgspec.structs import asdict

from stowboard.blobs.store import BlobStore
from stowboard.core.folders import fsync_folder
from stowboard.db.open import DatabaseSettings
from stowboard.moving.as_moved import count_moved
from stowboard.moving.capture import FaultyBlobs, capture
from stowboard.moving.catalogue import read_tables
from stowboard.moving.manifest import ExportManifest, Manifest
from stowboard.moving.open_snapshot import open_snapshot
from stowboard.moving.progress import MovingProgress
from stowboard.moving.rows_file import write_table
from stowboard.moving.snapshot import Snapshot


async def export_installation(
    database: DatabaseSettings, store: BlobStore, folder: Path, progress: MovingProgress
) -> tuple[ExportManifest, FaultyBlobs]:
    """The manifest, and some of the blobs that are lost or damaged. Raises MovingRefusal."""
    return await capture(ExportManifest, lambda: open_snapshot(database), store, folder, _write_rows, progress)


async def _write_rows(snapshot: Snapshot, folder: Path, manifest: Manifest, progress: MovingProgress) -> ExportManifest:
    rows = folder / manifest.rows
    tables = await read_tables(snapshot)
    counts = [int((await snapshot.all(count_moved(table)))[0][0]) for table in tables]
    progress.begin("rows", sum(counts), "rows")
    rows.mkdir(mode=0o700)
    files = [await write_table(snapshot, table, rows, progress) for table in tables]
    fsync_folder(rows)
    return ExportManifest(**asdict(manifest), tables=files)
