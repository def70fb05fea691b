"""Take the place out of a file by patches, so that all pixels stay as they are.

A file has its place in a directory of EXIF, maybe in the notes of the camera's maker, and in XMP. The directory and the
notes are zeroed; values in XMP become blanks. Names of places that somebody typed in stay. A compressed place cannot be
patched; such a file is refused.

EXIF is a TIFF header and directories of entries, each with a tag, a type, a count and a value or its position. libvips
gives values without positions, so the directories are read here. Positions beyond the end of the bytes are ignored.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.libvips import Image, Source
from stowboard.media.images.patches import Patch, patched

_EXIF = re.compile(rb"Exif\0\0(?=II\*\0|MM\0\*)")
_XMP_BEGINS, _XMP_ENDS = b"<x:xmpmeta", b"</x:xmpmeta>"
_GPS = re.compile(rb""":[Gg][Pp][Ss]\w+\s*(?:=\s*"([^"]*)"|=\s*'([^']*)'|>([^<]*)<)""")
_PNG = b"\x89PNG\r\n\x1a\n"
_STUCK = InvalidMedia(
    "Where the picture was taken is written in a part of the file that cannot be changed without changing the picture."
    " Save it again without the place, or leave stripLocation out."
)
_DETAILS, _PLACE, _MAKER_NOTE = 0x8769, 0x8825, 0x927C
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8}
_ENTRY = 12
_MOST_ENTRIES, _LONGEST = 200, 1000


def patches_without_place(source: Source, header: Image) -> list[Patch]:
    """Raises InvalidMedia if it has a place that cannot be taken out."""
    data = source.read_bytes() if isinstance(source, Path) else bytes(source)
    found = [patch for at in sorted(_exif_starts(data, header)) for patch in find_place(data, at)]
    found += _xmp_patches(data)
    hidden = _blob(header, "xmp-data")
    if _GPS.search(hidden) and hidden not in data:
        raise _STUCK
    return found + _checksums(data, found)


def _exif_starts(data: bytes, header: Image) -> set[int]:
    """Positions of TIFF headers: behind the mark of EXIF, at the beginning, or where libvips found EXIF."""
    starts = {match.end() for match in _EXIF.finditer(data)}
    if data.startswith((b"II*\0", b"MM\0*")):
        starts.add(0)
    if tiff := _blob(header, "exif-data").removeprefix(b"Exif\0\0"):
        at = data.find(tiff)
        if at < 0:
            raise _STUCK
        starts.add(at)
    return starts


def _xmp_patches(data: bytes) -> Iterator[Patch]:
    end = 0
    while (start := data.find(_XMP_BEGINS, end)) >= 0 and (end := data.find(_XMP_ENDS, start)) >= 0:
        for place in _GPS.finditer(data, start, end):
            first, last = place.span(place.lastindex or 0)
            yield first, b" " * (last - first)


def _checksums(data: bytes, patches: list[Patch]) -> list[Patch]:
    """New checksums for the changed chunks of a PNG."""
    if not data.startswith(_PNG):
        return []
    changed, at, found = patched(data, patches), len(_PNG), []
    while at + 12 <= len(data):
        end = at + 8 + int.from_bytes(data[at : at + 4], "big")
        if changed[at:end] != data[at:end]:
            found.append((end, struct.pack(">I", zlib.crc32(changed[at + 4 : end]))))
        at = end + 4
    return found


def _blob(header: Image, name: str) -> bytes:
    return bytes(header.get(name)) if header.get_typeof(name) else b""


class _Entry(NamedTuple):
    tag: int
    #: The position of the value in the TIFF; a value of up to four bytes is in the entry itself.
    at: int
    size: int


def find_place(data: bytes, start: int) -> list[Patch]:
    """Zeros for the directory of the place and its values; the TIFF header is at `start`.

    The notes of the camera's maker are zeroed too: they may have the place in a form of their own.
    """
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[start : start + 4])
    if order is None or start + 8 > len(data):
        return []
    tiff = memoryview(data)[start:]
    below = {entry.tag: entry for entry in _entries(tiff, order, _position(tiff, order, 4)) if entry.size == 4}
    details, place = (_position(tiff, order, below[tag].at) if tag in below else 0 for tag in (_DETAILS, _PLACE))
    in_place = _entries(tiff, order, place)
    zeroed = [entry for entry in in_place if entry.size <= _LONGEST]
    zeroed += [entry for entry in _entries(tiff, order, details) if entry.tag == _MAKER_NOTE]
    patches = [(start + at, bytes(size)) for _, at, size in zeroed if size > 4 and at + size <= len(tiff)]
    return [(start + place, bytes(2 + _ENTRY * len(in_place))), *patches] if in_place else patches


def _entries(tiff: memoryview, order: str, at: int) -> list[_Entry]:
    if not 8 <= at <= len(tiff) - 2:
        return []
    (count,) = struct.unpack_from(order + "H", tiff, at)
    found = []
    for entry in range(at + 2, min(at + 2 + _ENTRY * min(count, _MOST_ENTRIES), len(tiff) - _ENTRY + 1), _ENTRY):
        tag, kind, number, value = struct.unpack_from(order + "HHII", tiff, entry)
        size = _SIZES.get(kind, 0) * number
        found.append(_Entry(tag, value if size > 4 else entry + 8, size))
    return found


def _position(tiff: memoryview, order: str, at: int) -> int:
    return int(struct.unpack_from(order + "I", tiff, at)[0])
