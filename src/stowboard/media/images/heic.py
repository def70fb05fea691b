"""Decode HEIC and HEIF, as phones write them, with libheif and libde265 (`pi-heif`), into an image of libvips.

The libheif inside libvips reads only AVIF. The file's own boxes turn and mirror the picture; the orientation in EXIF
repeats that and is not applied again. Ten bits become eight.
"""

import struct
from pathlib import Path
from typing import Any

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.base.sniff import SNIFF_BYTES, sniff
from stowboard.media.images.libvips import LOADER, PROFILE, Image, Source, head_of, require_limits, vips
from stowboard.media.images.picture import NOT_AN_IMAGE

HEIC = "heicload"
_TYPES = {"image/heic", "image/heif"}
_BANDS = {"L": 1, "LA": 2, "RGB": 3, "RGBA": 4}
#: Raised by pi-heif for malformed files.
_FAILURES = (ValueError, SyntaxError, EOFError, RuntimeError, OSError, struct.error)


def decoded_if_heic(source: Source) -> Source:
    """An image in memory if the source is HEIC or HEIF, else the source. Raises InvalidMedia."""
    head = head_of(source, SNIFF_BYTES)
    return _decoded(source) if head[4:8] == b"ftyp" and sniff(head) in _TYPES else source


def _decoded(source: Source) -> Image:
    import pi_heif

    library: Any = pi_heif
    library.options.DECODE_THREADS = 1
    try:
        found = library.open_heif(str(source) if isinstance(source, Path) else bytes(source), bgr_mode=False)
        require_limits(*found.size)
        return _image(found)
    except _FAILURES as error:
        raise InvalidMedia(NOT_AN_IMAGE) from error


def _image(found: Any) -> Image:
    (width, height), bands = found.size, _BANDS[found.mode]
    data, length = memoryview(found.data), width * bands
    if found.stride != length:
        data = memoryview(b"".join(data[at : at + length] for at in range(0, found.stride * height, found.stride)))
    borrowed = vips.Image.new_from_memory(data, width, height, bands, "uchar")
    # A copy: an image does not keep borrowed memory alive.
    image = borrowed.copy(interpretation="srgb" if bands > 2 else "b-w").copy_memory()
    image.set_type(vips.GValue.gstr_type, LOADER, HEIC)
    for name, value in ((PROFILE, found.info.get("icc_profile")), ("exif-data", found.info.get("exif"))):
        if value:
            image.set_type(vips.GValue.blob_type, name, value)
    return image
