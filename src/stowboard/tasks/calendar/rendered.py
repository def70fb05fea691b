"""Calendars as they were rendered last, for as long as their tasks have the same versions, on the same day.

It holds across processes, as the versions come from the database at each request. Memory is bounded: the calendar that
was rendered longest ago goes first.
"""

from collections import OrderedDict
from typing import NamedTuple

MOST_BYTES = 32 * 1024 * 1024


class CalendarLook(NamedTuple):
    """Whose calendar, and how it is shown."""

    owner: str
    titles: bool
    origin: str
    as_todo: bool


class RenderedCalendars:
    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._calendars: OrderedDict[CalendarLook, tuple[bytes, bytes]] = OrderedDict()
        self._most_bytes, self._bytes = most_bytes, 0

    def find(self, look: CalendarLook, state: bytes) -> bytes | None:
        """`state` is a digest of the day and of all versions."""
        known, body = self._calendars.get(look, (b"", b""))
        return body if known == state else None

    def keep(self, look: CalendarLook, state: bytes, body: bytes) -> None:
        self._bytes += len(body) - len(self._calendars.pop(look, (b"", b""))[1])
        self._calendars[look] = (state, body)
        while self._bytes > self._most_bytes:
            _, (_, oldest) = self._calendars.popitem(last=False)
            self._bytes -= len(oldest)
