"""The rows of a table as lines of JSON, in one form and one order, so that equal tables have equal hashes.

The hash is of the lines before gzip. Values are checked against the types of the catalogue, since SQLite itself does
not enforce them.
"""

import gzip
import hashlib
import os
import zlib
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from pathlib import Path
from types import GenericAlias
from typing import Any, NamedTuple

import msgspec

from stowboard.moving.as_moved import select_moved
from stowboard.moving.catalogue import TYPES, MovedTable
from stowboard.moving.manifest import TableFile
from stowboard.moving.progress import MovingProgress
from stowboard.moving.refusal import MovingRefusal
from stowboard.moving.snapshot import Snapshot

#: A low level of gzip: higher ones take much longer and gain little.
_LEVEL = 1
_BATCH_ROWS = 2000
_BATCH_BYTES = 2 << 20
_encode = msgspec.json.Encoder().encode


class TableDigest(NamedTuple):
    rows: int
    sha256: str


async def write_table(snapshot: Snapshot, table: MovedTable, folder: Path, progress: MovingProgress) -> TableFile:
    with file_of(folder, table.name).open("wb") as raw:
        with gzip.GzipFile(fileobj=raw, mode="wb", compresslevel=_LEVEL, filename="", mtime=0) as file:
            written = await digest_table(snapshot, table, table.columns, progress, file.write)
        raw.flush()
        os.fsync(raw.fileno())
    return TableFile(name=table.name, columns=table.columns, rows=written.rows, sha256=written.sha256)


async def digest_table(
    snapshot: Snapshot,
    table: MovedTable,
    columns: Mapping[str, str],
    progress: MovingProgress,
    write: Callable[[bytes], object] = lambda _: None,
) -> TableDigest:
    """The digest that the table's file has or would have. `write` is called with the lines."""
    digest, count = hashlib.sha256(), 0
    async for lines in _lines(snapshot, table, columns):
        text = b"".join(lines)
        write(text)
        digest.update(text)
        count += len(lines)
        progress.advance(len(lines))
    return TableDigest(count, digest.hexdigest())


def check_file(folder: Path, table: TableFile) -> None:
    """Raises MovingRefusal, naming the file, if it has changed since it was written."""
    digest, count = hashlib.sha256(), 0
    for lines in _read_lines(folder, table.name):
        digest.update(b"".join(lines))
        count += len(lines)
    if (count, digest.hexdigest()) != (table.rows, table.sha256):
        raise _damaged(file_of(folder, table.name))


def read_rows(folder: Path, table: TableFile, skip: int) -> Iterator[list[tuple[Any, ...]]]:
    """The rows after the first `skip`, in lists."""
    decoder = msgspec.json.Decoder(_row_type(table.columns))
    for lines in _read_lines(folder, table.name, skip):
        try:
            yield [decoder.decode(line) for line in lines]
        except msgspec.DecodeError:
            raise _damaged(file_of(folder, table.name)) from None


def file_of(folder: Path, table: str) -> Path:
    return folder / f"{table}.jsonl.gz"


async def _lines(snapshot: Snapshot, table: MovedTable, columns: Mapping[str, str]) -> AsyncGenerator[list[bytes]]:
    shape: Any = GenericAlias(list, _row_type(columns))
    async for batch in snapshot.batches(select_moved(table, columns, snapshot.dialect)):
        try:
            rows = msgspec.convert([tuple(row) for row in batch], shape, builtin_types=(bytes,))
        except msgspec.ValidationError as error:
            raise MovingRefusal(
                f"a row of the table {table.name} has a value that is not of its column: {error}."
            ) from None
        yield [_encode(row) + b"\n" for row in rows]


def _row_type(columns: Mapping[str, str]) -> Any:
    return GenericAlias(tuple, tuple(TYPES[kind] | None for kind in columns.values()))


def _read_lines(folder: Path, table: str, skip: int = 0) -> Iterator[list[bytes]]:
    path = file_of(folder, table)
    batch: list[bytes] = []
    size = 0
    try:
        with gzip.open(path, "rb") as file:
            for number, line in enumerate(file):
                if number < skip:
                    continue
                batch.append(line)
                size += len(line)
                if len(batch) >= _BATCH_ROWS or size >= _BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
    except FileNotFoundError:
        raise MovingRefusal(f"{path} is missing: the folder is not whole.") from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise _damaged(path) from None
    if batch:
        yield batch


def _damaged(path: Path) -> MovingRefusal:
    return MovingRefusal(f"{path} is damaged: it is not what was written.")
