"""The memory that this process may use: the machine's, or less if its control groups limit it."""

import os
from pathlib import Path

_GROUPS = Path("/sys/fs/cgroup")
_MEMBERSHIP = Path("/proc/self/cgroup")


def memory_allowed() -> int:
    """The bytes of memory that this process may use."""
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return min([machine, *_limits()])


def _limits() -> list[int]:
    """The limits of the process's control groups and of all groups above them, of version 1 and 2."""
    try:
        lines = [line.split(":", 2) for line in _MEMBERSHIP.read_text().splitlines()]
    except OSError:
        return []
    limits = []
    for _, controllers, path in lines:
        if controllers == "":
            limits += _along(_GROUPS, path, "memory.max")
        elif "memory" in controllers.split(","):
            limits += _along(_GROUPS / "memory", path, "memory.limit_in_bytes")
    return limits


def _along(root: Path, path: str, name: str) -> list[int]:
    # Inside of a container the path is that of the host, and the group itself is mounted as the root.
    inner = root / path.strip("/")
    folders = [inner, *(each for each in inner.parents if each.is_relative_to(root)), root]
    return [limit for folder in folders if (limit := _read(folder / name)) is not None]


def _read(file: Path) -> int | None:
    try:
        text = file.read_text().strip()
    except OSError:
        return None
    return int(text) if text.isdecimal() else None  # `max` is no limit
