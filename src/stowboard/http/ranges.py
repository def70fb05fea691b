"""The bytes that a request wants: the header Range (RFC 9110, 14.2).

Ranges that overlap or touch become one, so an answer is never larger than the whole. A header is ignored, as the
standard allows, if it is not a list of byte ranges, or asks for more pieces than a player or a download manager ever
would.
"""

import re
from typing import NamedTuple

MOST_RANGES = 16
#: The most ranges, counted before overlaps are joined. It limits the work, and no real client sends nearly as many.
_MOST_SPECS = 256
_UNIT = re.compile(r"bytes[ \t]*=", re.IGNORECASE)
_SPEC = re.compile(r"[ \t]*([0-9]{0,100})-([0-9]{0,100})[ \t]*")


class ByteSpan(NamedTuple):
    """The bytes from `start` up to and without `end`."""

    start: int
    end: int

    def content_range(self, size: int) -> str:
        return f"bytes {self.start}-{self.end - 1}/{size}"


def wanted_spans(header: str | None, size: int) -> list[ByteSpan] | None:
    """The spans in the order of the request. None means all bytes; an empty list means that no such bytes exist."""
    specs = _specs(header) if header is not None and size > 0 else None
    if specs is None:
        return None
    spans = _joined([span for first, last in specs if (span := _span(first, last, size)) is not None])
    return spans if len(spans) <= MOST_RANGES else None


def _specs(header: str) -> list[tuple[str, str]] | None:
    """The first and the last position of each range, as written. None if we ignore the header."""
    unit = _UNIT.match(header)
    if unit is None or header.count(",") >= _MOST_SPECS:
        return None
    specs = []
    for text in header[unit.end() :].split(","):
        if not text.strip(" \t"):
            continue  # empty elements of a list mean nothing (5.6.1)
        spec = _SPEC.fullmatch(text)
        if spec is None or not (spec[1] or spec[2]) or (spec[1] and spec[2] and int(spec[2]) < int(spec[1])):
            return None
        specs.append((spec[1], spec[2]))
    return specs or None


def _span(first: str, last: str, size: int) -> ByteSpan | None:
    """None if no byte of it lies within the size."""
    if not first:
        return ByteSpan(max(0, size - int(last)), size) if int(last) > 0 else None
    end = min(int(last) + 1, size) if last else size
    return ByteSpan(int(first), end) if int(first) < size else None


def _joined(spans: list[ByteSpan]) -> list[ByteSpan]:
    """The spans without overlaps, each in the place of its first range (15.3.7.2)."""
    pieces: list[tuple[int, ByteSpan]] = []
    for asked, span in sorted(enumerate(spans), key=lambda each: each[1]):
        if pieces and span.start <= pieces[-1][1].end:
            before, piece = pieces[-1]
            pieces[-1] = min(before, asked), ByteSpan(piece.start, max(piece.end, span.end))
        else:
            pieces.append((asked, span))
    return [piece for _, piece in sorted(pieces)]
