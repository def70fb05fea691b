"""A control group with a limit of memory, of either version, where this user may make one."""

import contextlib
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

_ROOT = Path("/sys/fs/cgroup")


@contextmanager
def memory_group(limit: int) -> Iterator[Path]:
    """Its folder: a pid written to `cgroup.procs` is held to the limit. Skips where there can be none."""
    second = (_ROOT / "cgroup.controllers").exists()
    folder = (_ROOT if second else _ROOT / "memory") / f"stowboard-test-{secrets.token_hex(4)}"
    try:
        folder.mkdir()
        (folder / ("memory.max" if second else "memory.limit_in_bytes")).write_text(str(limit))
    except OSError as error:
        with contextlib.suppress(OSError):
            folder.rmdir()
        pytest.skip(f"NOT TESTED HERE: no control group with a limit of memory can be made here: {error}")
    try:
        yield folder
    finally:
        _remove(folder)


def _remove(folder: Path) -> None:
    give_up = time.monotonic() + 10
    while True:
        try:
            folder.rmdir()
            return
        except OSError:  # the last process in it is still ending
            if time.monotonic() > give_up:
                return
            time.sleep(0.1)
