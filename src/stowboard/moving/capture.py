"""Copies one moment of an installation, rows and bytes, into a folder; a later run updates the same folder.

First every blob that rows name is copied; this may take hours and blocks nobody. Then a snapshot of the rows is opened,
the few blobs that are new in it are copied, and the rows are written from the same snapshot. The running installation
may delete a blob in between; then another snapshot is taken. A blob that is missing every time is lost and is reported;
so is a blob whose bytes differ from what its row says.

The manifest is written last. Until then the folder still counts as the earlier copy. A killed run is repeated: rows are
read again, since they must be of one moment; blobs, which never change, are not copied again.
"""

import fcntl
import hashlib
import os
import shutil
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec

from stowboard import __version__
from stowboard.blobs.disk import DiskBlobs
from stowboard.blobs.keys import BlobKey, parse_key
from stowboard.blobs.named import BLOB_COLUMNS
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from stowboard.core.folders import make_durable_folder
from stowboard.core.ids import new_id
from stowboard.moving import blob_copies
from stowboard.moving.ledger import FILE as LEDGER
from stowboard.moving.ledger import BlobLedger, NeededBlob
from stowboard.moving.manifest import BackupManifest, ExportManifest, Manifest, find_manifest, write_manifest
from stowboard.moving.progress import MovingProgress
from stowboard.moving.refusal import MovingRefusal
from stowboard.moving.snapshot import Snapshot

S = TypeVar("S", bound=Snapshot)
M = TypeVar("M", ExportManifest, BackupManifest)

TRIES = 3
_LOCK = ".lock"
_ROWS = "rows-"


class FaultyBlobs(NamedTuple):
    """Some of the faulty blobs: those that the store does not have, and those with wrong bytes."""

    lost: list[BlobKey]
    damaged: list[BlobKey]


async def capture(
    kind: type[M],
    open_snapshot: Callable[[], AbstractAsyncContextManager[S]],
    store: BlobStore,
    folder: Path,
    write: Callable[[S, Path, Manifest, MovingProgress], Awaitable[M]],
    progress: MovingProgress,
) -> tuple[M, FaultyBlobs]:
    """The manifest that was written, and some of the blobs that are lost or damaged.

    `write` writes the rows of a snapshot into the folder. It is given what every manifest has, and returns its own.
    """
    with _locked(folder, kind) as previous, BlobLedger(folder, new=True) as ledger:
        copies = DiskBlobs(folder / blob_copies.FOLDER)
        run = _Run(new_id("run"), folder, store, copies, ledger, progress)
        try:
            async with open_snapshot() as snapshot:
                await _require_same(snapshot, previous, folder)
                await run.note_names(snapshot)
            await run.fetch_blobs()
            written = await _write_whole(run, open_snapshot, write)
            ledger.write()
            write_manifest(folder, written)
            not_whole = run.not_whole()
            await run.tidy(written)
        finally:
            await copies.close()
    return written, not_whole


class _Run(msgspec.Struct, frozen=True):
    id: str
    folder: Path
    store: BlobStore
    copies: DiskBlobs
    ledger: BlobLedger
    progress: MovingProgress

    async def note_names(self, snapshot: Snapshot) -> None:
        self.ledger.forget_names(self.id)
        async for names in read_names(snapshot):
            self.ledger.add_names(self.id, names)

    async def fetch_blobs(self) -> None:
        await blob_copies.fetch_lacking(self.store, self.copies, self.ledger, self.id, self.progress)

    def not_whole(self) -> FaultyBlobs:
        return FaultyBlobs(self.ledger.some_lost(self.id), self.ledger.some_damaged(self.id))

    async def manifest(self, snapshot: Snapshot, at: int) -> Manifest:
        count, size = self.ledger.size_of_held(self.id)
        return Manifest(
            run=self.id,
            at=at,
            release=__version__,
            installation=await installation_of(snapshot),
            migrations=[name for (name,) in await snapshot.all("SELECT name FROM migration ORDER BY version")],
            rows=_ROWS + self.id,
            blobs=count,
            bytes=size,
            missing=sum(1 for _ in self.ledger.lacking(self.id, required=True)),
            damaged=sum(1 for _ in self.ledger.damaged(self.id)),
        )

    async def tidy(self, written: Manifest) -> None:
        """Remove what only earlier runs needed, and what killed runs left."""
        self.ledger.keep_only(self.id)
        async for blob in self.copies.walk():
            if not self.ledger.names(self.id, blob.key):
                await self.copies.delete_many([blob.key])
        await self.copies.discard_unfinished(clock.now_ms())
        _remove_rows(self.folder, besides=written.rows)


async def _write_whole(
    run: _Run,
    open_snapshot: Callable[[], AbstractAsyncContextManager[S]],
    write: Callable[[S, Path, Manifest, MovingProgress], Awaitable[M]],
) -> M:
    for tries_left in reversed(range(TRIES)):
        async with open_snapshot() as snapshot:
            at = clock.now_ms()
            await run.note_names(snapshot)
            await run.fetch_blobs()
            manifest = await run.manifest(snapshot, at)
            if manifest.missing == 0 or tries_left == 0:
                return await write(snapshot, run.folder, manifest, run.progress)
    raise AssertionError("the last try writes")


async def installation_of(snapshot: Snapshot) -> str:
    """A name for the installation that does not reveal its key; empty before the first start."""
    for (secret,) in await snapshot.all("SELECT secret FROM signing_key WHERE id = 'digest'"):
        return hashlib.sha256(b"installation\0" + secret).hexdigest()[:16]
    return ""


@contextmanager
def _locked(folder: Path, kind: type[Manifest]) -> Iterator[Manifest | None]:
    """Lock the folder against another run; the manifest of the last one that was finished."""
    make_durable_folder(folder)
    _previous(folder, kind)  # nothing is written into a folder that is not ours, not even the lock
    file = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        _lock(file, folder)
        yield _previous(folder, kind)  # another run may have ended since
    finally:
        os.close(file)


def _previous(folder: Path, kind: type[Manifest]) -> Manifest | None:
    """The manifest of the copy in this folder. Raises MovingRefusal if the folder holds something else."""
    previous = find_manifest(folder)
    if previous is None:
        if not (folder / LEDGER).exists() and any(each.name != _LOCK for each in folder.iterdir()):
            raise MovingRefusal(f"{folder} is not empty. Choose a folder of its own, or one that does not exist yet.")
        return None
    if not isinstance(previous, kind):
        raise MovingRefusal(f"{folder} holds something else already. Choose another folder.")
    return previous


def _lock(file: int, folder: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise MovingRefusal(f"another run writes to {folder}. Wait for it, or choose another folder.") from None


async def _require_same(snapshot: Snapshot, previous: Manifest | None, folder: Path) -> None:
    if previous is not None and previous.installation != await installation_of(snapshot):
        raise MovingRefusal(f"{folder} belongs to another installation. Choose another folder.")


def _remove_rows(folder: Path, besides: str) -> None:
    for entry in folder.glob(_ROWS + "*"):
        if entry.is_dir() and entry.name != besides:
            shutil.rmtree(entry)
        elif entry.name != besides:
            entry.unlink()


async def read_names(snapshot: Snapshot) -> AsyncGenerator[list[NeededBlob]]:
    """Yields lists of the blobs that rows name. The same key may come twice. A size is 0 if the row has none.

    A blob that no row names is garbage that the sweep has not removed yet, and is not moved.
    """
    for table, column, size, sha256, moved_if, required in BLOB_COLUMNS:
        if moved_if is None:
            continue
        condition = moved_if or f"{column} IS NOT NULL"
        sql = f"SELECT {column}, {size}, {sha256 or 'NULL'} FROM {table} WHERE {condition}"
        async for batch in snapshot.batches(sql):
            yield [NeededBlob(parse_key(key), known_size, required, digest) for key, known_size, digest in batch]
