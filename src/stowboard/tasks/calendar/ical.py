"""iCalendar (RFC 5545) as calendars read it: lines of at most 75 octets, ended by CRLF, with texts escaped.

The same entries always give the same bytes, so their digest is an ETag.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta

import msgspec

from stowboard.core.clock import LATEST_MS

_LINE_OCTETS = 75
_HEAD = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Stowboard//Stowboard//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "NAME:Stowboard",
    "X-WR-CALNAME:Stowboard",
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
]
_NOT_IN_TEXTS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class CalendarEntry(msgspec.Struct, frozen=True, kw_only=True):
    """One component. Times are milliseconds since the epoch."""

    uid: str
    summary: str
    begins_at: int
    #: It is all that day.
    day: date | None = None
    changed_at: int
    version: int
    description: str | None = None
    categories: Sequence[str] = ()
    url: str | None = None
    #: These two are of a to-do.
    status: str | None = None
    completed_at: int | None = None


def as_events(entries: Iterable[CalendarEntry], length_ms: int) -> bytes:
    """Events, which every calendar shows. They are "free": meetings may be at the same hour."""
    return _calendar(
        ["BEGIN:VEVENT", *_common(entry), *_span(entry, length_ms), "TRANSP:TRANSPARENT", "END:VEVENT"]
        for entry in entries
    )


def as_todos(entries: Iterable[CalendarEntry]) -> bytes:
    """To-dos, for programs that have them."""
    return _calendar(["BEGIN:VTODO", *_common(entry), *_of_todo(entry), "END:VTODO"] for entry in entries)


def _calendar(components: Iterable[list[str]]) -> bytes:
    lines = [*_HEAD, *(line for component in components for line in component), "END:VCALENDAR"]
    return b"".join(_folded(line) for line in lines)


def _common(entry: CalendarEntry) -> list[str]:
    changed = compact(entry.changed_at)
    lines = [
        f"UID:{entry.uid}", f"DTSTAMP:{changed}", f"LAST-MODIFIED:{changed}", f"SEQUENCE:{entry.version}",
        f"SUMMARY:{_text(entry.summary)}",
    ]  # fmt: skip
    if entry.description:
        lines.append(f"DESCRIPTION:{_text(entry.description)}")
    if entry.categories:
        lines.append(f"CATEGORIES:{','.join(map(_text, entry.categories))}")
    if entry.url:
        lines.append(f"URL:{entry.url}")
    return lines


def _span(entry: CalendarEntry, length_ms: int) -> list[str]:
    if entry.day is not None:  # DTEND is the first day after it
        return [_at("DTSTART", entry.day), _at("DTEND", entry.day + timedelta(days=1))]
    end = min(entry.begins_at + length_ms, LATEST_MS)
    return [f"DTSTART:{compact(entry.begins_at)}", f"DTEND:{compact(end)}"]


def _at(name: str, day: date) -> str:
    return f"{name};VALUE=DATE:{day:%Y%m%d}"


def _of_todo(entry: CalendarEntry) -> list[str]:
    lines = [_at("DUE", entry.day) if entry.day else f"DUE:{compact(entry.begins_at)}"]
    if entry.status is not None:
        lines.append(f"STATUS:{entry.status}")
    if entry.completed_at is not None:
        lines.append(f"COMPLETED:{compact(entry.completed_at)}")
    return lines


def compact(ms: int) -> str:
    """The time in iCalendar's form, to the second, in UTC."""
    return f"{datetime.fromtimestamp(ms // 1000, UTC):%Y%m%dT%H%M%SZ}".rjust(16, "0")


def _text(text: str) -> str:
    plain = _NOT_IN_TEXTS.sub("", text.replace("\r\n", "\n"))
    return plain.replace("\\", "\\\\").replace(";", "\\;").replace(",", "\\,").replace("\n", "\\n")


def _folded(line: str) -> bytes:
    """The line, cut between characters, never inside one. Each further piece begins with a space."""
    raw, pieces = line.encode(), []
    room = _LINE_OCTETS
    while len(raw) > room:
        cut = room
        while raw[cut] & 0xC0 == 0x80:
            cut -= 1
        pieces.append(raw[:cut])
        raw, room = raw[cut:], _LINE_OCTETS - 1
    return b"\r\n ".join([*pieces, raw]) + b"\r\n"
