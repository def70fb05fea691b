"""Files at which a program comes to a stop, so that it can be killed in the middle of its work: named pipes."""

import contextlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def never_read(path: Path) -> Iterator[None]:
    """Make every reader of the file wait for its first byte. In the end the file is as it was, or gone as before."""
    content = path.read_bytes() if path.exists() else None
    path.parent.mkdir(parents=True, exist_ok=True)
    _put_pipe(path)
    try:
        yield
    finally:
        path.unlink()
        if content is not None:
            path.write_bytes(content)


@contextmanager
def never_read_twice(path: Path) -> Iterator[None]:
    """The first who opens the file reads it whole, the next one its first half, and waits for the other."""
    content, ended = path.read_bytes(), threading.Event()
    _put_pipe(path)
    serving = threading.Thread(target=_serve, args=(path, content, ended), daemon=True)
    serving.start()
    try:
        yield
    finally:
        ended.set()
        path.unlink()
        path.write_bytes(content)


def _serve(path: Path, content: bytes, ended: threading.Event) -> None:
    """To open a pipe takes until somebody has opened its other end."""
    with contextlib.suppress(BrokenPipeError), path.open("wb") as first:
        _put_pipe(path)  # a new one under its name, for the next
        first.write(content)
    with contextlib.suppress(BrokenPipeError), path.open("wb", buffering=0) as second:
        second.write(content[: len(content) // 2])
        ended.wait()


def _put_pipe(path: Path) -> None:
    draft = path.with_name(f".{path.name}.pipe")
    os.mkfifo(draft)
    draft.replace(path)
