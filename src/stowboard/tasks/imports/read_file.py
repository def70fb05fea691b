"""Read a file of another program, within bounds: nothing that a stranger has made takes much time or memory.

JSON is read by msgspec, which bounds its nesting. Of a ZIP one entry is read, and no more of it than a file may have.
"""

import csv
import io
import struct
import zipfile
import zlib
from enum import StrEnum
from pathlib import PurePath
from typing import Any

import msgspec

from stowboard.core.errors import TooManyItems, ValidationFailed
from stowboard.tasks.imports.calendar_file import read_calendar
from stowboard.tasks.imports.plan import Plan
from stowboard.tasks.imports.stowboard_lines import read_lines
from stowboard.tasks.imports.todoist_csv import read_csv
from stowboard.tasks.imports.todoist_sync import read_sync
from stowboard.tasks.imports.trello import read_trello
from stowboard.tasks.imports.vikunja import read_vikunja

#: Bytes of a text: reading one of this size takes about 100 ms of a process.
MOST_BYTES = 16 * 1024 * 1024
#: Bytes of the list of a ZIP's entries: some 10,000 entries.
_LONGEST_LIST = 1024 * 1024
MOST_BOARDS, MOST_TASKS = 1000, 20_000
_ENTRY = "data.json"
_DIRECTORY_END, _DIRECTORY_END_64 = b"PK\x05\x06", b"PK\x06\x07"
_NOT_READ = (
    ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError, RuntimeError, EOFError,
    csv.Error, msgspec.MsgspecError, zipfile.BadZipFile, zlib.error, struct.error,
)  # fmt: skip


class ImportKind(StrEnum):
    TRELLO = "trello"
    TODOIST = "todoist"
    VIKUNJA = "vikunja"
    ICS = "ics"
    STOWBOARD = "stowboard"


class FileNotUnderstood(ValidationFailed):
    """The file is not what the named program exports."""


def read_file(content: bytes, filename: str, kind: ImportKind | None, zone: str) -> tuple[ImportKind, Plan]:
    """The plan of a file; without a kind, the file's own look tells it. `zone` is that of times that name none.

    Raises FileNotUnderstood, TooManyItems. It takes time: call it in a thread.
    """
    try:
        kind, plan = _read(content, PurePath(filename).stem, kind, zone)
    except _NOT_READ as error:
        which = f"what {kind.capitalize()} exports" if kind else "a file that can be imported"
        raise FileNotUnderstood(
            f"file: {filename!r} is not {which} ({_reason(error)}). Files of Trello (JSON), Todoist (CSV, or JSON of"
            " its sync API), Vikunja (ZIP), calendars (.ics) and `stow export` are read."
        ) from None
    tasks = sum(len(board.tasks) for board in plan.boards)
    if len(plan.boards) > MOST_BOARDS or tasks > MOST_TASKS:
        raise TooManyItems(f"file: an import has at most {MOST_BOARDS:,} boards and {MOST_TASKS:,} tasks; split it.")
    return kind, plan


def _read(content: bytes, name: str, kind: ImportKind | None, zone: str) -> tuple[ImportKind, Plan]:
    if content.startswith(b"PK"):
        content = _unzipped(content)
    if len(content) > MOST_BYTES:
        raise ValueError(f"it has more than {MOST_BYTES // 1024 // 1024} MiB of text")
    kind = kind or _kind_of(content)
    if kind is ImportKind.ICS:
        return kind, read_calendar(content, name, zone)
    if kind is ImportKind.STOWBOARD:
        return kind, read_lines(content)
    if kind is ImportKind.TODOIST and not content.lstrip().startswith(b"{"):
        return kind, read_csv(content.decode("utf-8-sig", "replace"), name)
    members: Any = msgspec.json.decode(content)
    if kind is ImportKind.TODOIST:
        return kind, read_sync(members, zone)
    return kind, (read_trello if kind is ImportKind.TRELLO else read_vikunja)(members)


def _kind_of(content: bytes) -> ImportKind:
    start = content[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")
    if start[:15].upper() == b"BEGIN:VCALENDAR":
        return ImportKind.ICS
    if start.startswith(b'{"kind":'):
        return ImportKind.STOWBOARD
    if start.startswith(b"["):
        return ImportKind.VIKUNJA
    if start.startswith(b"{"):
        members = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
        return ImportKind.TRELLO if "cards" in members else ImportKind.TODOIST
    return ImportKind.TODOIST


def _unzipped(content: bytes) -> bytes:
    """The entry that Vikunja keeps its data in. Raises BadZipFile or ValueError."""
    end = content.rfind(_DIRECTORY_END)
    if not 0 <= end <= len(content) - 22 or content.find(_DIRECTORY_END_64, max(0, end - 20), end) >= 0:
        raise ValueError("the ZIP is damaged, or too large")
    if struct.unpack_from("<L", content, end + 12)[0] > _LONGEST_LIST:
        raise ValueError("the ZIP has too many entries")
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        entry = archive.getinfo(_ENTRY)
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError("the ZIP is packed in an unusual way")
        with archive.open(entry) as data:
            return data.read(MOST_BYTES + 1)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"{error} is missing"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)[:200] or type(error).__name__
