"""Read EXIF, which a camera wrote into a picture: the time, the camera and the place.

libvips parses it with libexif when it opens an image, and leaves out what it cannot read. It does not do so for images
that another library decoded (HEIC), so the block is always put into a JPEG of one pixel, and that is opened.
"""

import re
from datetime import UTC, datetime, timedelta, timezone

import msgspec

from stowboard.media.base.asset import Location
from stowboard.media.images.libvips import Failure, Image, vips

_MARK = b"Exif\0\0"
#: The longest segment of a JPEG. A longer block is cut; cameras write the directories first.
_LONGEST = 65_533
_TIME = re.compile(r"(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d):(\d\d):(\d\d)")
_ZONE = re.compile(r"([+-])(\d\d):(\d\d)")
_LONGEST_NAME = 120
#: libvips writes a text twice: «Snap 7 (Snap 7, ASCII, 7 components, 7 bytes)».
_TWICE = re.compile(r"(.*) \(\1", re.DOTALL)
_LONGEST_TEXT = 1000
_PIXEL: bytes = vips.Image.black(1, 1).jpegsave_buffer(keep="none")


class ExifFacts(msgspec.Struct, frozen=True):
    #: In milliseconds; read as UTC if the camera wrote no time zone.
    at: int | None = None
    camera: str | None = None
    location: Location | None = None


def read_exif(data: bytes) -> ExifFacts:
    block = (_MARK + data.removeprefix(_MARK))[:_LONGEST]
    jpeg = _PIXEL[:2] + b"\xff\xe1" + (len(block) + 2).to_bytes(2, "big") + block + _PIXEL[2:]
    try:
        header = vips.Image.new_from_buffer(jpeg, "")
    except Failure:
        return ExifFacts()
    written = _text(header, "ifd2-DateTimeOriginal") or _text(header, "ifd2-DateTimeDigitized")
    return ExifFacts(
        _time(written or _text(header, "ifd0-DateTime"), _text(header, "ifd2-OffsetTimeOriginal")),
        _camera(_text(header, "ifd0-Make"), _text(header, "ifd0-Model")),
        _location(header),
    )


def _text(header: Image, name: str) -> str:
    shown = _shown(header, name)
    twice = _TWICE.match(shown)
    return (twice[1] if twice else shown.partition(" (")[0]).strip()


def _fractions(header: Image, name: str) -> list[float]:
    """«53/1 32/1 42/1 (53, 32, 42, Rational, …)» as numbers; empty if one of them is not a fraction."""
    try:
        parts = [part.split("/") for part in _shown(header, name).partition(" (")[0].split()]
        return [int(above) / int(below) for above, below in parts]
    except (ValueError, ZeroDivisionError):
        return []


def _shown(header: Image, name: str) -> str:
    """The text of libvips; empty if it is missing or not UTF-8."""
    field = f"exif-{name}"
    try:
        return str(header.get(field))[:_LONGEST_TEXT] if header.get_typeof(field) else ""
    except UnicodeDecodeError:
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


def _location(header: Image) -> Location | None:
    latitude, longitude = _degrees(header, "GPSLatitude", "S", 90), _degrees(header, "GPSLongitude", "W", 180)
    if latitude is None or longitude is None or (latitude == 0 and longitude == 0):  # cameras without a fix write zeros
        return None
    return Location(latitude, longitude)


def _degrees(header: Image, name: str, negative: str, most: int) -> float | None:
    parts = _fractions(header, f"ifd3-{name}")
    if not parts:
        return None
    degrees = sum(part / 60**power for power, part in enumerate(parts[:3]))
    signed = -degrees if _text(header, f"ifd3-{name}Ref").upper().startswith(negative) else degrees
    return round(signed, 6) if 0 <= degrees <= most else None
