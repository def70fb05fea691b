"""The files that a command names: files, folders with their contents, patterns, and `-` for standard input."""

import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from stowboard_cli.exits import NOT_FOUND, CommandFailure


@dataclass(frozen=True, slots=True)
class LocalFile:
    path: Path
    name: str
    size: int


def find_files(paths: Sequence[str], name: str | None) -> list[LocalFile]:
    """The files in order, each once. A hidden file has to be named itself. Raises CommandFailure for a missing path."""
    found: dict[Path, LocalFile] = {}
    for path in paths:
        for file in _files_at(path):
            found.setdefault(file.resolve(), LocalFile(file, name or file.name, file.stat().st_size))
    return list(found.values())


def spooled_stdin(name: str) -> LocalFile:
    """Standard input as a file: an upload has to tell its size first."""
    folder = Path(tempfile.mkdtemp(prefix="stow-"))
    path = folder / "stdin"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file, 1024 * 1024)
    return LocalFile(path, name, path.stat().st_size)


def _files_at(path: str) -> Iterator[Path]:
    given = Path(path)
    if given.is_dir():
        yield from _files_below(given)
    elif given.is_file():
        yield given
    else:
        matches = sorted(glob.glob(path, recursive=True))  # noqa: PTH207  as it was typed
        if not matches:
            raise CommandFailure(NOT_FOUND, f"There is no file {path}.")
        for match in matches:
            yield from _files_at(match)


def _files_below(folder: Path) -> Iterator[Path]:
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            file = Path(at, name)
            if not name.startswith(".") and file.is_file():
                yield file
