"""`blobs.db`: the blobs in the folder, with size and hash, and which of them a run of the command needs.

It is a small SQLite file, so millions of names take no memory, and a killed run loses little. A new run does not harm a
finished one: the names of each run are kept until the next run is complete. Bytes are durable before the ledger has
them.
"""

import os
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Self

import apsw

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import WrittenBlob
from stowboard.moving.refusal import MovingRefusal

FILE = "blobs.db"
_PAGE = 500
MOST_TOLD = 3
#: Blobs that may have to be hashed again after a kill.
_COMMIT_EVERY = 100

_SCHEMA = """
CREATE TABLE IF NOT EXISTS blob (key TEXT PRIMARY KEY, size INTEGER NOT NULL, sha256 TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS name (
    run      TEXT NOT NULL,
    key      TEXT NOT NULL,
    size     INTEGER NOT NULL,
    required INTEGER NOT NULL,
    sha256   TEXT,
    PRIMARY KEY (run, key)
) WITHOUT ROWID;
"""


class NeededBlob(NamedTuple):
    key: BlobKey
    #: The size, as far as the row knows it.
    size: int
    required: bool
    #: The hash that the bytes must have, if the row knows it.
    sha256: str | None = None


class HeldBlob(NamedTuple):
    key: BlobKey
    written: WrittenBlob


class BlobLedger:
    """Use as a context."""

    def __init__(self, folder: Path, *, new: bool) -> None:
        """With `new`, the file is made if it is missing. Otherwise it must exist and be whole, and is only read."""
        self._file = folder / FILE
        if not new and not self._file.is_file():
            raise MovingRefusal(f"{self._file} is missing: the folder is not whole.")
        self._connection = apsw.Connection(os.fspath(self._file))
        self._unwritten = 0
        self._execute(_SCHEMA if new else "PRAGMA query_only = ON")
        if not new and self._execute("PRAGMA integrity_check") != [("ok",)]:
            raise MovingRefusal(f"{self._file} is damaged.")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.write()
        self._connection.close()

    def forget_names(self, run: str) -> None:
        self._begin()
        self._execute("DELETE FROM name WHERE run = ?", run)

    def add_names(self, run: str, names: Iterable[NeededBlob]) -> None:
        """Add the names. A key that is named twice is required if one of the names says so."""
        self._begin()
        self._connection.executemany(
            "INSERT INTO name (run, key, size, required, sha256) VALUES (?, ?, ?, ?, ?)"
            " ON CONFLICT (run, key) DO UPDATE SET required = max(required, excluded.required),"
            " sha256 = COALESCE(sha256, excluded.sha256)",
            [(run, name.key, name.size, int(name.required), name.sha256) for name in names],
        )

    def add_blob(self, key: BlobKey, written: WrittenBlob) -> None:
        """Its bytes are in the folder."""
        self._begin()
        self._execute("INSERT OR REPLACE INTO blob VALUES (?, ?, ?)", key, written.size, written.sha256)
        self._unwritten += 1
        if self._unwritten >= _COMMIT_EVERY:
            self.write()

    def lacking(self, run: str, *, required: bool = False) -> Iterator[NeededBlob]:
        """Blobs that the run needs and the folder does not have."""
        return self._needed(
            "SELECT key, size, required, sha256 FROM name WHERE run = ? AND key > ? AND required >= ?"
            " AND NOT EXISTS (SELECT 1 FROM blob WHERE blob.key = name.key) ORDER BY key LIMIT ?",
            run, int(required),
        )  # fmt: skip

    def damaged(self, run: str) -> Iterator[NeededBlob]:
        """Blobs that the run needs and the folder has with other bytes than the row says."""
        return self._needed(
            "SELECT key, name.size, required, name.sha256 FROM name JOIN blob USING (key)"
            " WHERE run = ? AND key > ? AND name.sha256 <> blob.sha256 ORDER BY key LIMIT ?",
            run,
        )  # fmt: skip

    def some_damaged(self, run: str) -> list[BlobKey]:
        """Damaged blobs, as many as a sentence can name."""
        return [name.key for name in islice(self.damaged(run), MOST_TOLD)]

    def some_lost(self, run: str) -> list[BlobKey]:
        return [name.key for name in islice(self.lacking(run, required=True), MOST_TOLD)]

    def held(self, run: str) -> Iterator[HeldBlob]:
        """Blobs that the run needs and the folder has, in the order of keys."""
        sql = (
            "SELECT key, blob.size, blob.sha256 FROM name JOIN blob USING (key)"
            " WHERE run = ? AND key > ? ORDER BY key LIMIT ?"
        )
        return (HeldBlob(key, WrittenBlob(size, sha256)) for key, size, sha256 in self._walk(sql, run))

    def size_of_lacking(self, run: str) -> int:
        """The bytes that are lacking, as far as the rows know sizes."""
        sql = (
            "SELECT COALESCE(sum(size), 0) FROM name WHERE run = ?"
            " AND NOT EXISTS (SELECT 1 FROM blob WHERE blob.key = name.key)"
        )
        return int(self._execute(sql, run)[0][0])

    def size_of_held(self, run: str) -> tuple[int, int]:
        """The number of blobs that are held, and of their bytes."""
        sql = "SELECT count(*), COALESCE(sum(blob.size), 0) FROM name JOIN blob USING (key) WHERE run = ?"
        [(count, size)] = self._execute(sql, run)
        return count, size

    def names(self, run: str, key: BlobKey) -> bool:
        return self._execute("SELECT 1 FROM name WHERE run = ? AND key = ?", run, key) != []

    def keep_only(self, run: str) -> None:
        """Forget the names of other runs, and the blobs that this one does not need."""
        self._begin()
        self._execute("DELETE FROM name WHERE run <> ?", run)
        self._execute("DELETE FROM blob WHERE key NOT IN (SELECT key FROM name WHERE run = ?)", run)
        self.write()

    def write(self) -> None:
        """Make durable what was added. This also happens now and then by itself."""
        self._unwritten = 0
        if self._connection.in_transaction:
            self._execute("COMMIT")

    def _needed(self, sql: str, run: str, *args: int) -> Iterator[NeededBlob]:
        return (
            NeededBlob(key, size, bool(required), sha256) for key, size, required, sha256 in self._walk(sql, run, *args)
        )

    def _walk(self, sql: str, run: str, *args: int) -> Iterator[tuple[Any, ...]]:
        """All rows, a page at a time. The arguments of `sql` are the run, the key before the page, others, the size."""
        after = ""
        while page := self._execute(sql, run, after, *args, _PAGE):
            yield from page
            after = page[-1][0]

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._execute("BEGIN")

    def _execute(self, sql: str, *args: str | int) -> list[tuple[Any, ...]]:
        try:
            return self._connection.execute(sql, args).fetchall()
        except (apsw.CorruptError, apsw.NotADBError):
            raise MovingRefusal(f"{self._file} is damaged.") from None
