"""Pictures to be uploaded: like photographs in what they cost to decode, and each with bytes of its own.

A picture carries a number in a comment, so that no two are the same to a store that keeps equal bytes once, while their
pixels are. The number is where base64 can be put together from parts: a client then needs no time to encode a new one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyvips

from bench.harness.figures import Void

vips: Any = pyvips
_DIGITS = 12
_START = b"\xff\xd8"
_COMMENT = b"\xff\xfe" + (_DIGITS + 2).to_bytes(2, "big")


@dataclass(frozen=True, slots=True)
class Picture:
    """A JPEG without the number in it. What is before the number, and the number, are whole groups of base64."""

    rest: bytes

    def numbered(self, number: int) -> bytes:
        return self.beginning(number) + self.rest

    def beginning(self, number: int) -> bytes:
        return _START + _COMMENT + b"%012d" % number


def photograph(width: int, height: int, quality: int) -> Picture:
    """Large soft shapes, small ones and the noise of a sensor."""
    shapes = vips.Image.perlin(width, height, cell_size=200, seed=1) * 60 + 128
    details = vips.Image.perlin(width, height, cell_size=30, seed=2) * 30
    bands = [shapes + details + vips.Image.gaussnoise(width, height, mean=0, sigma=8, seed=seed) for seed in (3, 4, 5)]
    image = bands[0].bandjoin(bands[1:]).cast("uchar").copy(interpretation="srgb")
    return Picture(image.jpegsave_buffer(Q=quality).removeprefix(_START))


def check_jpeg(data: bytes, width: int, height: int) -> None:
    """Decode all of it. Raises Void if it is not a JPEG of this size."""
    try:
        image = vips.Image.jpegload_buffer(data, fail_on="warning")
        image.avg()
    except pyvips.Error as error:
        raise Void(f"the answer is no whole JPEG: {' '.join(str(error).split())}") from error
    if (image.width, image.height) != (width, height):
        raise Void(f"the picture is {image.width} x {image.height} instead of {width} x {height}")
