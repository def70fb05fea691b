"""What a camera wrote about a picture (EXIF 3.0): when it was taken, with what, and where.

A TIFF header and directories of entries, each with a tag, a type, a count and a value or the place of one. What cannot
be read is left out; nothing is believed beyond the end of the bytes, and no place is followed twice.
"""

import re
import struct
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import msgspec

from stowboard.media.base.asset import Location

_MAKE, _MODEL, _DATE, _DETAILS, _PLACE = 0x010F, 0x0110, 0x0132, 0x8769, 0x8825
_TAKEN, _OFFSET, _DIGITIZED, _MAKER_NOTE = 0x9003, 0x9011, 0x9004, 0x927C
_LATITUDE, _LONGITUDE = (1, 2), (3, 4)
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8}
_MOST_ENTRIES, _LONGEST = 200, 1000
_TIME = re.compile(r"(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)")
_ZONE = re.compile(r"([+-])(\d\d):(\d\d)")
_LONGEST_NAME = 120


class Taken(msgspec.Struct, frozen=True):
    #: In milliseconds; as if in UTC where the camera did not write its zone.
    at: int | None = None
    camera: str | None = None
    location: Location | None = None


def read_exif(data: bytes) -> Taken:
    tiff = data.removeprefix(b"Exif\0\0")
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(tiff[:4])
    if order is None or len(tiff) < 8:
        return Taken()
    main = _Directory(tiff, order, int.from_bytes(tiff[4:8], "little" if order == "<" else "big"))
    details, place = main.below(_DETAILS), main.below(_PLACE)
    written = details.text(_TAKEN) or details.text(_DIGITIZED) or main.text(_DATE)
    return Taken(_time(written, details.text(_OFFSET)), _camera(main.text(_MAKE), main.text(_MODEL)), _location(place))


def find_place(data: bytes, start: int) -> list[tuple[int, bytes]]:
    """Where in the data the directory of the place is, of a TIFF header at `start`, and zeros for it and its values.

    And for what the maker of the camera noted in a way of their own, where a place may be too.
    """
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[start : start + 4])
    if order is None or start + 8 > len(data):
        return []
    tiff = data[start:]
    main = _Directory(tiff, order, struct.unpack_from(order + "I", tiff, 4)[0])
    notes = [(start + at, bytes(size)) for at, size in _maker_notes(tiff, order, main.below(_DETAILS).at)]
    at = main.below(_PLACE).at
    if at == 0:
        return notes
    (count,) = struct.unpack_from(order + "H", tiff, at)
    end = min(at + 2 + 12 * min(count, _MOST_ENTRIES), len(tiff))
    values = [(value, size) for value, size in _far_values(tiff, order, at, end) if value + size <= len(tiff)]
    return [(start + at, bytes(end - at)), *((start + value, bytes(size)) for value, size in values), *notes]


def _maker_notes(tiff: bytes, order: str, at: int) -> Iterator[tuple[int, int]]:
    if at == 0:
        return
    (count,) = struct.unpack_from(order + "H", tiff, at)
    for entry in range(at + 2, min(at + 2 + 12 * min(count, _MOST_ENTRIES), len(tiff) - 11), 12):
        tag, kind, number, value = struct.unpack_from(order + "HHII", tiff, entry)
        if tag == _MAKER_NOTE and (size := _SIZES.get(kind, 0) * number) > 4 and value + size <= len(tiff):
            yield value, size


def _far_values(tiff: bytes, order: str, at: int, end: int) -> Iterator[tuple[int, int]]:
    for entry in range(at + 2, end - 11, 12):
        _, kind, number, value = struct.unpack_from(order + "HHII", tiff, entry)
        if 4 < (size := _SIZES.get(kind, 0) * number) <= _LONGEST:
            yield value, size


class _Directory:
    def __init__(self, tiff: bytes, order: str, at: int) -> None:
        self._tiff, self._order = tiff, order
        self.at = at if 8 <= at <= len(tiff) - 2 else 0
        self._values = dict(self._entries(self.at)) if self.at else {}

    def below(self, tag: int) -> "_Directory":
        place = self._values.get(tag, b"")
        return _Directory(self._tiff, self._order, struct.unpack(self._order + "I", place)[0] if len(place) == 4 else 0)

    def text(self, tag: int) -> str:
        return self._values.get(tag, b"").split(b"\0")[0].decode("utf-8", "replace").strip()

    def parts(self, tag: int) -> list[float]:
        """Fractions; none if one of them has no denominator."""
        value = self._values.get(tag, b"")
        pairs = list(struct.iter_unpack(self._order + "II", value[: len(value) // 8 * 8]))
        return [above / below for above, below in pairs] if all(below for _, below in pairs) else []

    def _entries(self, at: int) -> Iterator[tuple[int, bytes]]:
        (count,) = struct.unpack_from(self._order + "H", self._tiff, at)
        for entry in range(at + 2, at + 2 + 12 * min(count, _MOST_ENTRIES), 12):
            if entry + 12 > len(self._tiff):
                return
            tag, kind, number = struct.unpack_from(self._order + "HHI", self._tiff, entry)
            size = _SIZES.get(kind, 0) * number
            start = entry + 8
            if size > 4:
                (start,) = struct.unpack_from(self._order + "I", self._tiff, start)
            if 0 < size <= _LONGEST and start + size <= len(self._tiff):
                yield tag, self._tiff[start : start + size]


def _time(written: str, offset: str) -> int | None:
    if (found := _TIME.match(written)) is None:
        return None
    zone = UTC
    if (shift := _ZONE.fullmatch(offset)) is not None:
        minutes = int(shift[2]) * 60 + int(shift[3])
        zone = timezone(timedelta(minutes=-minutes if shift[1] == "-" else minutes)) if minutes < 24 * 60 else UTC
    try:
        year, month, day, hour, minute, second = map(int, found.groups())
        at = round(datetime(year, month, day, hour, minute, second, tzinfo=zone).timestamp() * 1000)
    except (ValueError, OverflowError):  # cameras without a clock write zeros
        return None
    return at if at >= 0 else None


def _camera(make: str, model: str) -> str | None:
    """`Canon EOS R5`, and not `Canon Canon EOS R5`."""
    name = model if model.casefold().startswith(make.casefold()) else f"{make} {model}"
    plain = " ".join("".join(each if each.isprintable() else " " for each in name).split())
    return plain[:_LONGEST_NAME].strip() or None


def _location(place: _Directory) -> Location | None:
    latitude, longitude = _degrees(place, _LATITUDE, "S", 90), _degrees(place, _LONGITUDE, "W", 180)
    if latitude is None or longitude is None or (latitude == 0 and longitude == 0):  # written where there was no fix
        return None
    return Location(latitude, longitude)


def _degrees(place: _Directory, tags: tuple[int, int], negative: str, most: int) -> float | None:
    parts = place.parts(tags[1])
    if not parts:
        return None
    degrees = sum(part / 60**power for power, part in enumerate(parts[:3]))
    signed = -degrees if place.text(tags[0]).upper().startswith(negative) else degrees
    return round(signed, 6) if degrees <= most else None
