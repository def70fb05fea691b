"""Read EXIF, which a camera wrote into a picture: the time, the camera and the place.

Pillow, which reads HEIC for us too, parses the block. What it cannot read is left out.
"""

import math
import re
import struct
import warnings
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import msgspec
from PIL import Image

from stowboard.media.base.asset import Location

#: A longer block is cut; cameras write the directories first.
_LONGEST = 65_533
_TIME = re.compile(r"(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)")
_ZONE = re.compile(r"([+-])(\d\d):(\d\d)")
_LONGEST_NAME, _LONGEST_TEXT = 120, 1000
_DETAILS, _PLACE = 0x8769, 0x8825
_MAKE, _MODEL, _CHANGED, _TAKEN, _DIGITIZED, _OFFSET = 0x010F, 0x0110, 0x0132, 0x9003, 0x9004, 0x9011
#: In the directory of the place: the direction, and degrees, minutes and seconds.
_LATITUDE, _LONGITUDE = (1, 2), (3, 4)
#: Raised by Pillow for malformed blocks.
_FAILURES = (SyntaxError, ValueError, TypeError, KeyError, IndexError, EOFError, OSError, OverflowError, struct.error)


class ExifFacts(msgspec.Struct, frozen=True):
    #: In milliseconds; read as UTC if the camera wrote no time zone.
    at: int | None = None
    camera: str | None = None
    location: Location | None = None


def read_exif(data: bytes) -> ExifFacts:
    exif = Image.Exif()
    with warnings.catch_warnings(), suppress(*_FAILURES):
        warnings.simplefilter("ignore")
        exif.load(data[:_LONGEST])
    main, details, place = (_directory(exif, tag) for tag in (None, _DETAILS, _PLACE))
    written = _text(details, _TAKEN) or _text(details, _DIGITIZED) or _text(main, _CHANGED)
    return ExifFacts(
        _time(written, _text(details, _OFFSET)), _camera(_text(main, _MAKE), _text(main, _MODEL)), _location(place)
    )


def _directory(exif: Image.Exif, tag: int | None) -> Mapping[int, Any]:
    """The directory behind this tag, None is the first one; empty if it cannot be read."""
    with warnings.catch_warnings(), suppress(*_FAILURES):
        warnings.simplefilter("ignore")
        return dict(exif) if tag is None else exif.get_ifd(tag)
    return {}


def _text(directory: Mapping[int, Any], tag: int) -> str:
    """The text; empty if it is missing or not UTF-8, which Pillow takes for Latin-1."""
    value = directory.get(tag)
    try:
        return value[:_LONGEST_TEXT].encode("latin-1").decode().strip("\0 ") if isinstance(value, str) else ""
    except UnicodeError:
        return ""


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


def _location(place: Mapping[int, Any]) -> Location | None:
    latitude, longitude = _degrees(place, _LATITUDE, "S", 90), _degrees(place, _LONGITUDE, "W", 180)
    if latitude is None or longitude is None or (latitude == 0 and longitude == 0):  # cameras without a fix write zeros
        return None
    return Location(latitude, longitude)


def _degrees(place: Mapping[int, Any], tags: tuple[int, int], negative: str, most: int) -> float | None:
    direction, parts = _text(place, tags[0]), place.get(tags[1])
    try:
        degrees = sum(float(part) / 60**power for power, part in enumerate(parts[:3])) if parts else math.nan
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    return round(-degrees if direction.upper().startswith(negative) else degrees, 6) if 0 <= degrees <= most else None
