"""Make a placeholder, to show while a picture loads: a blur of it and its main colour."""

import base64
from collections import Counter

from stowboard.media.base.asset import Placeholder
from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.libvips import Image, to_srgb
from stowboard.media.images.picture import NOT_AN_IMAGE
from stowboard.media.images.thumbhash import thumbhash

#: The longer side of the miniature it is made of: ThumbHash keeps seven waves a side, so 32 pixels are ample.
MINIATURE = 32
_OPAQUE = 255
_RGBA = 4


def placeholder_of(image: Image) -> Placeholder:
    """Decodes the image. Raises InvalidMedia, and `Failure` of libvips for damaged bytes."""
    miniature = _miniature(image)
    pixels = _rgba(miniature)
    digest = thumbhash(miniature.width, miniature.height, pixels)
    return Placeholder(base64.b64encode(digest).decode(), _dominant_color(pixels))


def _miniature(image: Image) -> Image:
    """In sRGB, upright."""
    small = to_srgb(image.thumbnail_image(MINIATURE, height=MINIATURE, size="down"))
    if small.interpretation != "srgb":
        small = small.colourspace("srgb")
    if small.bands > _RGBA:
        raise InvalidMedia(NOT_AN_IMAGE)
    return small


def _rgba(image: Image) -> bytes:
    """The pixels with alpha. For so few of them Python is faster than an operation of libvips."""
    if image.bands != _RGBA - 1 or image.format != "uchar":
        return bytes((image if image.hasalpha() else image.addalpha()).write_to_memory())
    rgb, rgba = bytes(image.write_to_memory()), bytearray([_OPAQUE]) * (_RGBA * image.width * image.height)
    for channel in range(_RGBA - 1):
        rgba[channel::_RGBA] = rgb[channel :: _RGBA - 1]
    return bytes(rgba)


def _dominant_color(rgba: bytes) -> str:
    """The mean of the largest group of similar pixels (16 levels a channel); white if all are transparent."""
    seen = [pixel for pixel in zip(*[iter(rgba)] * 4, strict=True) if pixel[3] * 2 > _OPAQUE]
    if not seen:
        return "#ffffff"
    groups = [(r & 0xF0) << 8 | (g & 0xF0) << 4 | b & 0xF0 for r, g, b, _ in seen]
    [(largest, _)] = Counter(groups).most_common(1)
    similar = [pixel for pixel, group in zip(seen, groups, strict=True) if group == largest]
    means = (round(sum(pixel[channel] for pixel in similar) / len(similar)) for channel in range(3))
    return "#" + "".join(f"{mean:02x}" for mean in means)
