"""Tables for a terminal."""

import os
import shutil
import sys
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from stowboard_cli.output.harmless import harmless

_TIMES = ("reminder", "createdAt", "updatedAt", "dueAt", "completedAt", "expiresAt", "finalizedAt", "replacedAt")
_UNITS = ("B", "kB", "MB", "GB", "TB")


def table(names: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """A head and a line for each row, cut to the width of a terminal."""
    cells = [list(names), *([cell_of(name, _shown(row, name)) for name in names] for row in rows)]
    widths = [max(width_of(line[column]) for line in cells) for column in range(len(names))]
    most = page_width()
    for number, line in enumerate(cells):
        text = cut("  ".join(padded(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip(), most)
        yield bold(text) if number == 0 else text


def _shown(row: Mapping[str, Any], name: str) -> Any:
    """The value of a member; a task that is due on a day has that day in place of its last second."""
    return row[name] if name != "dueAt" else row.get("dueOn") or row[name]


def page_width() -> int:
    """The width of the terminal; a pipe or a file takes lines of any length."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize


def cell_of(name: str, value: Any) -> str:
    """A member's value, for people."""
    if value is None:
        return ""
    if name in _TIMES and isinstance(value, int):
        return when(value)
    if name == "size" and isinstance(value, int):
        return size(value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return harmless(", ".join(str(item) for item in value))
    if isinstance(value, Mapping):
        return harmless(", ".join(f"{key}={inner}" for key, inner in value.items()))
    return harmless(str(value))


def when(milliseconds: int) -> str:
    """A time on the clock of this machine."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return str(milliseconds)


def size(number: float) -> str:
    for unit in _UNITS:
        if number < 1000 or unit == _UNITS[-1]:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    raise AssertionError


def width_of(text: str) -> int:
    """The width in cells of a terminal: East Asian characters take two, combining marks none."""
    return sum(_cells(sign) for sign in text)


def padded(text: str, width: int) -> str:
    return text + " " * (width - width_of(text))


def cut(text: str, most: int) -> str:
    if width_of(text) <= most:
        return text
    kept, used = [], 0
    for sign in text:
        used += _cells(sign)
        if used > most - 1:
            break
        kept.append(sign)
    return "".join(kept) + "…"


def bold(text: str) -> str:
    return text if os.environ.get("NO_COLOR") or not sys.stdout.isatty() else f"\x1b[1m{text}\x1b[0m"


def _cells(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
