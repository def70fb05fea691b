"""Find the positions of the place in EXIF, to write zeros over it.

EXIF is a TIFF header and directories of entries, each with a tag, a type, a count and a value or its position. libvips
gives values without positions, so the directories are read here. Positions beyond the end of the bytes are ignored.
"""

import struct
from typing import NamedTuple

from stowboard.media.images.patches import Patch

_DETAILS, _PLACE, _MAKER_NOTE = 0x8769, 0x8825, 0x927C
_SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8}
_ENTRY = 12
_MOST_ENTRIES, _LONGEST = 200, 1000


class _Entry(NamedTuple):
    tag: int
    #: The position of the value in the TIFF; a value of up to four bytes is in the entry itself.
    at: int
    size: int


def find_place(data: bytes, start: int) -> list[Patch]:
    """Zeros for the directory of the place and its values; the TIFF header is at `start`.

    Also for the notes of the camera's maker, which may have the place in a form of their own.
    """
    order = {b"II*\0": "<", b"MM\0*": ">"}.get(data[start : start + 4])
    if order is None or start + 8 > len(data):
        return []
    tiff = data[start:]
    below = {entry.tag: entry for entry in _entries(tiff, order, _position(tiff, order, 4)) if entry.size == 4}
    details, place = (_position(tiff, order, below[tag].at) if tag in below else 0 for tag in (_DETAILS, _PLACE))
    in_place = _entries(tiff, order, place)
    spans = [(entry.at, entry.size) for entry in in_place if 4 < entry.size <= _LONGEST]
    spans += [
        (entry.at, entry.size)
        for entry in _entries(tiff, order, details)
        if entry.tag == _MAKER_NOTE and entry.size > 4
    ]
    patches = [(start + at, bytes(size)) for at, size in spans if at + size <= len(tiff)]
    return [(start + place, bytes(2 + _ENTRY * len(in_place))), *patches] if in_place else patches


def _entries(tiff: bytes, order: str, at: int) -> list[_Entry]:
    if not 8 <= at <= len(tiff) - 2:
        return []
    (count,) = struct.unpack_from(order + "H", tiff, at)
    found = []
    for entry in range(at + 2, min(at + 2 + _ENTRY * min(count, _MOST_ENTRIES), len(tiff) - _ENTRY + 1), _ENTRY):
        tag, kind, number, value = struct.unpack_from(order + "HHII", tiff, entry)
        size = _SIZES.get(kind, 0) * number
        found.append(_Entry(tag, value if size > 4 else entry + 8, size))
    return found


def _position(tiff: bytes, order: str, at: int) -> int:
    return int(struct.unpack_from(order + "I", tiff, at)[0])
