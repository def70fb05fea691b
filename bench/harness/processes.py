"""The costs of a contender: processor time and memory of a process and all its descendants, as Linux counts them."""

from __future__ import annotations

import os
import re
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def family(pid: int) -> list[int]:
    """The process and its descendants."""
    found = [pid]
    for member in found:
        for thread in _entries(Path(f"/proc/{member}/task")):
            found += [int(child) for child in _text(thread / "children").split()]
    return found


def cpu_seconds(pid: int) -> float:
    """User and system time of the family, with children that have ended and been waited for."""
    total = 0.0
    for member in family(pid):
        fields = _text(Path(f"/proc/{member}/stat")).rpartition(")")[2].split()
        total += sum(int(field) for field in fields[11:15]) / TICKS if fields else 0.0
    return total


def memory_mb(pid: int) -> float:
    """Resident memory: what each has for itself, and once what they share.

    Not the proportional share that Linux offers: that is smaller the more strangers run the same libraries, as other
    contenders do. What two members share with each other is taken to be what the one with the most of it shares.
    """
    own, shared = 0, [0]
    for member in family(pid):
        sizes = re.findall(r"^(Private|Shared)_(?:Clean|Dirty): +(\d+) kB$", _rollup(member), re.MULTILINE)
        own += sum(int(size) for kind, size in sizes if kind == "Private")
        shared.append(sum(int(size) for kind, size in sizes if kind == "Shared"))
    return (own + max(shared)) / 1024


def _rollup(pid: int) -> str:
    return _text(Path(f"/proc/{pid}/smaps_rollup"))


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:
        return ""
