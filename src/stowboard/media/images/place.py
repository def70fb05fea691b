"""Take the place out of a file by patches, so that all pixels stay as they are.

A place stands in its own directory of EXIF, which is zeroed, maybe in the notes of the camera's maker, which are zeroed
too, and in XMP, where values become blanks. Names of places that somebody typed in stay. A compressed place cannot be
patched; such a file is refused.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from pathlib import Path

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.exif_place import find_place
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


def patches_without_place(source: Source, header: Image) -> list[Patch]:
    """Raises InvalidMedia if it has a place that cannot be taken out."""
    data = _bytes_of(source)
    found = [patch for at in sorted(_exif_starts(data, header)) for patch in find_place(data, at)]
    found += _xmp_patches(data)
    hidden = _blob(header, "xmp-data")
    if _GPS.search(hidden) and hidden not in data:
        raise _STUCK
    return found + _checksums(data, found)


def _bytes_of(source: Source) -> bytes:
    return source.read_bytes() if isinstance(source, Path) else bytes(source)


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
