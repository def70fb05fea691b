"""EXIF as cameras write it, built by hand, so that each part of it can be chosen."""

import struct
from fractions import Fraction

from support.media.pictures import Image, saved, vips

Value = str | int | list[Fraction]


def exif(
    order: str = ">", make: str = "Acme", model: str = "Snap 7", taken: str = "2024:05:06 07:08:09",
    zone: str | None = "+02:00", place: tuple[float, float] | None = (53.545, -9.966),
    maker_note: str = "",
) -> bytes:  # fmt: skip
    """With the six bytes before it, as in a JPEG."""
    details: dict[int, Value] = {0x9003: taken}
    if zone is not None:
        details[0x9011] = zone
    if maker_note:
        details[0x927C] = maker_note
    main: dict[int, Value] = {0x010F: make, 0x0110: model, 0x8769: 0, 0x8825: 0}
    gps: dict[int, Value] = {}
    if place is not None:
        north, east = place
        gps = {
            1: "N" if north >= 0 else "S",
            2: _sexagesimal(north),
            3: "E" if east >= 0 else "W",
            4: _sexagesimal(east),
        }
    header = (b"MM\0*" if order == ">" else b"II*\0") + struct.pack(order + "I", 8)
    at_details = 8 + len(_directory(order, main, 8))
    at_gps = at_details + len(_directory(order, details, at_details))
    main |= {0x8769: at_details, 0x8825: at_gps}
    parts = [_directory(order, main, 8), _directory(order, details, at_details), _directory(order, gps, at_gps)]
    return b"Exif\0\0" + header + b"".join(parts)


def photo(image: Image, written: bytes, suffix: str = ".jpg") -> bytes:
    """A JPEG with these very bytes of EXIF; in other formats as the library writes them."""
    if suffix == ".jpg":
        data = saved(image, ".jpg")
        return data[:2] + b"\xff\xe1" + struct.pack(">H", len(written) + 2) + written + data[2:]
    with_exif = image.copy()
    with_exif.set_type(vips.GValue.blob_type, "exif-data", written)
    return saved(with_exif, suffix)


def _sexagesimal(degrees: float) -> list[Fraction]:
    whole = abs(Fraction(degrees).limit_denominator(10_000))
    minutes = (whole - int(whole)) * 60
    return [Fraction(int(whole)), Fraction(int(minutes)), (minutes - int(minutes)) * 60]


def _directory(order: str, entries: dict[int, Value], at: int) -> bytes:
    data_at, table, data = at + 2 + 12 * len(entries) + 4, b"", b""
    for tag, value in sorted(entries.items()):
        kind, count, raw = _written(order, value)
        if len(raw) > 4:
            table += struct.pack(order + "HHII", tag, kind, count, data_at + len(data))
            data += raw
        else:
            table += struct.pack(order + "HHI", tag, kind, count) + raw.ljust(4, b"\0")
    return struct.pack(order + "H", len(entries)) + table + bytes(4) + data


def _written(order: str, value: Value) -> tuple[int, int, bytes]:
    if isinstance(value, str):
        text = value.encode() + b"\0"
        return 2, len(text), text
    if isinstance(value, int):
        return 4, 1, struct.pack(order + "I", value)
    return 5, len(value), b"".join(struct.pack(order + "II", part.numerator, part.denominator) for part in value)
