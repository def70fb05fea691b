"""`stowboard import`: an export into an empty installation, with any database and store.

The files of rows are checked before anything is written. Then rows are written table by table, some hundred in a
transaction, and blobs a few at a time. At the end both are read back from the new place and compared with the manifest.
Only then is the mark removed that keeps the installation from being served.
"""

from pathlib import Path
from typing import Any

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.db.database import Database, Tx, UniqueViolation
from stowboard.db.migrate import SHIPPED, load, migrate
from stowboard.db.open import DatabaseSettings
from stowboard.moving import blob_copies, unfinished
from stowboard.moving.catalogue import MovedTable, read_tables
from stowboard.moving.ledger import BlobLedger
from stowboard.moving.manifest import ExportManifest, TableFile, get_manifest, require_migrations
from stowboard.moving.open_snapshot import open_snapshot
from stowboard.moving.progress import MovingProgress
from stowboard.moving.refusal import MovingRefusal
from stowboard.moving.rows_file import check_file, digest_table, read_rows
from stowboard.moving.unfinished import UnfinishedImport
from stowboard.search import filling

#: Tables with rows on a fresh database: keys, which any command makes (while there is no token, nothing was ever signed
#: or digested with them), the heads of the feed and its readers before the first event, and the Library with its
#: index of tasks (other spaces and indexes come with a token).
_FRESH = ("signing_key", "feed_head", "webhook_head", "notification_head", "space", "task_index_state")


async def import_installation(
    folder: Path, settings: DatabaseSettings, db: Database, store: BlobStore, progress: MovingProgress
) -> tuple[ExportManifest, list[BlobKey]]:
    """The manifest of what was imported, and some of the blobs that were damaged before.

    Raises MovingRefusal, or the error of a database or store; then the same call continues where it stopped.
    """
    manifest = get_manifest(folder, ExportManifest)
    before = await db.read(unfinished.find_unfinished, db.dialect)
    if before is None:
        await migrate(db)
    tables = await _matching_tables(settings, manifest)
    with BlobLedger(folder, new=False) as ledger:
        for file in manifest.tables:
            check_file(folder / manifest.rows, file)
        before = before or await _begin(db, store, manifest)
        if before.run != manifest.run:
            raise MovingRefusal(
                "an import of another export into this installation was begun. Finish that, or empty it."
            )
        await _insert_rows(folder / manifest.rows, db, manifest, before, progress)
        await blob_copies.put_held(folder, store, ledger, manifest.run, progress)
        await _check_rows(settings, tables, manifest, progress)
        await blob_copies.check_held(store, ledger, manifest.run, progress)
        damaged = ledger.some_damaged(manifest.run)
    await db.transact(_finish)
    return manifest, damaged


async def _finish(tx: Tx) -> None:
    await filling.begin_again(tx)
    await unfinished.finish(tx)


async def require_no_blobs(store: BlobStore) -> None:
    """Raises MovingRefusal if the store has blobs. They belong to another installation; this one would delete them."""
    async for blob in store.walk():
        if not blob.key.startswith("probe/"):
            raise MovingRefusal(
                "the store of files is not empty. Name another folder or prefix in STOWBOARD_BLOBS_URL."
            )


async def _matching_tables(settings: DatabaseSettings, manifest: ExportManifest) -> list[MovedTable]:
    """The tables of the target, in the order of the manifest."""
    known = [migration.name for migration in load(SHIPPED, "sqlite")]
    require_migrations(manifest, known)
    if manifest.migrations != known:
        raise MovingRefusal(
            f"the export is of release {manifest.release}, with {len(manifest.migrations)} migrations; this one has"
            f" {len(known)}. Upgrade the installation that was exported, and export again."
        )
    async with open_snapshot(settings) as snapshot:
        ours = {table.name: table for table in await read_tables(snapshot)}
    if {file.name: file.columns for file in manifest.tables} != {name: table.columns for name, table in ours.items()}:
        raise MovingRefusal(
            "the tables of the export are not those of this release. Export again with this very release."
        )
    return [ours[file.name] for file in manifest.tables]


async def _begin(db: Database, store: BlobStore, manifest: ExportManifest) -> UnfinishedImport:
    await db.read(_require_empty, manifest)
    await require_no_blobs(store)
    await db.transact(_mark, manifest)
    return UnfinishedImport(manifest.run, {file.name: 0 for file in manifest.tables})


async def _mark(tx: Tx, manifest: ExportManifest) -> None:
    await _require_empty(tx, manifest)
    for table in _FRESH:
        await tx.run(f"DELETE FROM {table}")
    await unfinished.begin(tx, manifest.run, [file.name for file in manifest.tables])


async def _require_empty(tx: Tx, manifest: ExportManifest) -> None:
    for file in manifest.tables:
        if file.name not in _FRESH and await tx.one(f'SELECT 1 FROM "{file.name}" LIMIT 1') is not None:
            raise MovingRefusal(
                f"the target is not empty, its table {file.name} has rows. Give another --data-dir, or make a new"
                " PostgreSQL database; do not start the service on it before the import."
            )


async def _insert_rows(
    folder: Path, db: Database, manifest: ExportManifest, before: UnfinishedImport, progress: MovingProgress
) -> None:
    progress.begin("rows", sum(file.rows for file in manifest.tables), "rows")
    for file in manifest.tables:
        done = before.rows[file.name]
        progress.advance(done)
        for rows in read_rows(folder, file, skip=done):
            try:
                await db.transact(_insert, file, rows, done)
            except UniqueViolation as error:
                raise MovingRefusal(
                    f"somebody else has written to the target meanwhile: {error}. Begin again."
                ) from None
            done += len(rows)
            progress.advance(len(rows))


async def _insert(tx: Tx, file: TableFile, rows: list[tuple[Any, ...]], done: int) -> None:
    await unfinished.advance(tx, file.name, done, len(rows))
    names = ", ".join(f'"{column}"' for column in file.columns)
    numbers = ", ".join(f"${number + 1}" for number in range(len(file.columns)))
    await tx.run_many(f'INSERT INTO "{file.name}" ({names}) VALUES ({numbers})', rows)


async def _check_rows(
    settings: DatabaseSettings, tables: list[MovedTable], manifest: ExportManifest, progress: MovingProgress
) -> None:
    progress.begin("checking rows", sum(file.rows for file in manifest.tables), "rows")
    async with open_snapshot(settings) as snapshot:
        for table, file in zip(tables, manifest.tables, strict=True):
            found = await digest_table(snapshot, table, file.columns, progress)
            if found != (file.rows, file.sha256):
                raise MovingRefusal(
                    f"the table {table.name} is not as it was exported: {found.rows} of {file.rows} rows, or other"
                    " values. Somebody else writes to the target; empty it and begin again."
                )
