"""`stowboard restore`: a backup into an empty data folder.

The database is copied beside its place, compared with the manifest, examined by SQLite, marked as unfinished and
renamed; then blobs follow, each compared by size and hash, and are read back. Only then is the mark removed that keeps
the installation from being served. After a kill, the same command continues with the blobs.
"""

import asyncio
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.core.folders import fsync_folder
from stowboard.db.database import Tx
from stowboard.db.migrate import SHIPPED, load
from stowboard.db.sqlite import SqliteDatabase
from stowboard.db.sqlite_examine import examine
from stowboard.moving import blob_copies, unfinished
from stowboard.moving.as_moved import END_UPLOADS, TELL_NOBODY
from stowboard.moving.import_ import require_no_blobs
from stowboard.moving.ledger import BlobLedger
from stowboard.moving.manifest import BackupManifest, get_manifest, require_migrations
from stowboard.moving.progress import MovingProgress
from stowboard.moving.refusal import MovingRefusal

_BLOCK = 1 << 20


async def restore_backup(
    folder: Path, target: Path, store: BlobStore, progress: MovingProgress, *, rehearsal: bool
) -> tuple[BackupManifest, list[BlobKey]]:
    """The manifest of what was restored, and some of the blobs that were damaged. `target` is the database's file.

    After a rehearsal nobody is told of anything. Raises MovingRefusal.
    """
    manifest = get_manifest(folder, BackupManifest)
    require_migrations(manifest, [migration.name for migration in load(SHIPPED, "sqlite")])
    with BlobLedger(folder, new=False) as ledger:
        run = await _run_in_progress(target)
        if run is None:
            await require_no_blobs(store)
            await _place_database(folder / manifest.rows, manifest, target, progress)
        elif run != manifest.run:
            raise MovingRefusal(
                "a restore of another backup was begun here. Finish that, or choose an empty data folder."
            )
        await blob_copies.put_held(folder, store, ledger, manifest.run, progress)
        await blob_copies.check_held(store, ledger, manifest.run, progress)
        damaged = ledger.some_damaged(manifest.run)
    await _finish(target, TELL_NOBODY if rehearsal else ())
    return manifest, damaged


async def _run_in_progress(target: Path) -> str | None:
    """The run of an unfinished restore; None if nothing is there. A file without tables counts as nothing."""
    db = SqliteDatabase(target)
    try:
        begun = await db.read(unfinished.find_unfinished, db.dialect)
        tables = await db.read(lambda tx: tx.one("SELECT 1 FROM sqlite_schema LIMIT 1"))
    finally:
        await db.close()
    if begun is None and tables is not None:
        raise MovingRefusal(f"{target} is in use by an installation. Choose an empty folder with --data-dir.")
    return begun.run if begun is not None else None


async def _place_database(source: Path, manifest: BackupManifest, target: Path, progress: MovingProgress) -> None:
    draft = target.with_name(target.name + ".restoring")
    for suffix in ("", "-wal", "-shm", "-journal"):
        draft.with_name(draft.name + suffix).unlink(missing_ok=True)
        if suffix:
            target.with_name(target.name + suffix).unlink(missing_ok=True)
    progress.begin("database", manifest.size, "bytes")
    await asyncio.to_thread(_copy, source, manifest, draft, progress)
    await asyncio.to_thread(_examine, draft, source)
    db = SqliteDatabase(draft)
    try:
        await db.transact(_mark, manifest.run)
    finally:
        await db.close()
    draft.replace(target)
    fsync_folder(target.parent)


def _copy(source: Path, manifest: BackupManifest, draft: Path, progress: MovingProgress) -> None:
    digest = hashlib.sha256()
    try:
        with source.open("rb") as file, draft.open("xb") as copy:
            while block := file.read(_BLOCK):
                copy.write(block)
                digest.update(block)
                progress.advance(len(block))
            copy.flush()
            os.fsync(copy.fileno())
    except FileNotFoundError:
        raise MovingRefusal(f"{source} is missing: the folder is not whole.") from None
    if digest.hexdigest() != manifest.sha256:
        raise MovingRefusal(f"{source} is damaged: it is not what was written.")


def _examine(draft: Path, source: Path) -> None:
    if examine(draft):
        raise MovingRefusal(f"{source} is as it was written, but SQLite finds it damaged. Use an earlier backup.")


async def _mark(tx: Tx, run: str) -> None:
    await unfinished.begin(tx, run, ["restore"])
    for statement in END_UPLOADS:
        await tx.run(statement)


async def _finish(target: Path, statements: Sequence[str]) -> None:
    async def finish(tx: Tx) -> None:
        for statement in statements:
            await tx.run(statement)
        await unfinished.finish(tx)

    db = SqliteDatabase(target)
    try:
        await db.transact(finish)
    finally:
        await db.close()
