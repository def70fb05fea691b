"""New and changed files in folders. A file counts once it has not changed between two looks."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

from stowboard_cli.exits import CommandFailure
from stowboard_cli.media.found_files import LocalFile, find_files

_LOOK_SECONDS = 1.0
#: Size and time of the last change of each file.
Seen: TypeAlias = dict[Path, tuple[int, int]]


def watch(paths: Sequence[str], sent: Seen) -> Iterator[list[LocalFile]]:
    """Yield without end the files that differ from those that were sent."""
    before = sent
    while True:
        time.sleep(_LOOK_SECONDS)
        now = look(paths)
        settled = {path: state for path, state in now.items() if before.get(path) == state != sent.get(path)}
        before = now
        if settled:
            yield [LocalFile(path, path.name, size) for path, (size, _) in settled.items()]
            sent = sent | settled


def look(paths: Sequence[str]) -> Seen:
    """All files that are there, with their present state."""
    state: Seen = {}
    for path in paths:
        try:
            files = find_files([path], None)
        except (OSError, CommandFailure):
            continue
        for file in files:
            state[file.path] = (file.size, _changed(file.path))
    return state


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0
