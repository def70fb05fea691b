"""`stowboard backup`: the embedded database as a file and blobs in files, while the service runs.

The database is copied page by page from the same read transaction that named the blobs, so rows and bytes are of one
moment. A second backup into the same folder copies new blobs only. The copy is not read back here: only a restore shows
whether a backup is good.
"""

import asyncio
import hashlib
import os
from pathlib import Path

from msgspec.structs import asdict

from stowboard.blobs.store import BlobStore
from stowboard.moving.capture import FaultyBlobs, capture
from stowboard.moving.manifest import BackupManifest, Manifest
from stowboard.moving.progress import MovingProgress
from stowboard.moving.snapshot_sqlite import SqliteSnapshot, open_sqlite_snapshot


async def back_up(
    database: Path, store: BlobStore, folder: Path, progress: MovingProgress
) -> tuple[BackupManifest, FaultyBlobs]:
    """The manifest, and some of the blobs that are lost or damaged. Raises MovingRefusal."""
    return await capture(
        BackupManifest, lambda: open_sqlite_snapshot(database), store, folder, _write_database, progress
    )


async def _write_database(
    snapshot: SqliteSnapshot, folder: Path, manifest: Manifest, progress: MovingProgress
) -> BackupManifest:
    file = folder / f"{manifest.rows}.db"
    await asyncio.to_thread(snapshot.copy_to, file, progress)
    sha256 = await asyncio.to_thread(_durable_hash, file)
    return BackupManifest(**asdict(manifest) | {"rows": file.name}, size=file.stat().st_size, sha256=sha256)


def _durable_hash(path: Path) -> str:
    with path.open("r+b") as file:
        os.fsync(file.fileno())
        return hashlib.file_digest(file, "sha256").hexdigest()
