"""ThumbHash (evanw.github.io/thumbhash): a picture in about 25 bytes, blurred, with its aspect ratio and transparency.

Colours become luminance, yellow-blue and red-green; each of these, and alpha, is kept as the first few coefficients of
its cosine transform, four bits each. The transform is done by rows and then by columns, which is the same sum as in
the reference and much less of it.
"""

import math
from functools import lru_cache
from operator import mul

import msgspec

#: The longest side that the algorithm takes.
LARGEST = 100
_ALPHA_BIT = 1 << 23


class _Waves(msgspec.Struct, frozen=True):
    constant: float
    #: The others, as parts of the largest of them, between 0 and 1.
    others: list[float]
    scale: float


def thumbhash(width: int, height: int, rgba: bytes) -> bytes:
    """The hash of pixels in sRGB with straight alpha, row by row."""
    if not 0 < max(width, height) <= LARGEST or len(rgba) != 4 * width * height:
        raise ValueError(f"ThumbHash takes 1 to {LARGEST} pixels a side, four bytes each.")
    alpha = [value / 255 for value in rgba[3::4]]
    transparent = min(alpha) < 1
    luminance, yellow_blue, red_green = _channels(rgba, alpha)
    most, longest = 5 if transparent else 7, max(width, height)
    across, down = max(1, _round(most * width / longest)), max(1, _round(most * height / longest))
    light = _waves(luminance, width, height, max(3, across), max(3, down))
    yellow = _waves(yellow_blue, width, height, 3, 3)
    red = _waves(red_green, width, height, 3, 3)
    header = (
        _round(63 * light.constant)
        | _round(31.5 + 31.5 * yellow.constant) << 6
        | _round(31.5 + 31.5 * red.constant) << 12
        | _round(31 * light.scale) << 18
        | (_ALPHA_BIT if transparent else 0)
    )
    shape = (
        (down if width > height else across)
        | _round(63 * yellow.scale) << 3
        | _round(63 * red.scale) << 9
        | (1 << 15 if width > height else 0)
    )
    digest = header.to_bytes(3, "little") + shape.to_bytes(2, "little")
    others = light.others + yellow.others + red.others
    if transparent:
        opacity = _waves(alpha, width, height, 5, 5)
        digest += bytes([_round(15 * opacity.constant) | _round(15 * opacity.scale) << 4])
        others += opacity.others
    return digest + _nibbles(others)


def is_transparent(digest: bytes) -> bool:
    """True if the picture had a pixel that is not opaque."""
    return bool(int.from_bytes(digest[:3], "little") & _ALPHA_BIT)


def _channels(rgba: bytes, alpha: list[float]) -> tuple[list[float], list[float], list[float]]:
    """Luminance, yellow-blue and red-green, with the mean colour behind transparent pixels."""
    if min(alpha) == 1:
        return _mixed([[1 / 255 * value for value in rgba[channel::4]] for channel in range(3)])
    opacity = sum(alpha)
    colors = []
    for channel in range(3):
        weighted = [part / 255 * value for part, value in zip(alpha, rgba[channel::4], strict=True)]
        mean = sum(weighted) / opacity if opacity else 0.0
        colors.append([mean * (1 - part) + value for part, value in zip(alpha, weighted, strict=True)])
    return _mixed(colors)


def _mixed(colors: list[list[float]]) -> tuple[list[float], list[float], list[float]]:
    pixels = list(zip(*colors, strict=True))
    return (
        [(r + g + b) / 3 for r, g, b in pixels],
        [(r + g) / 2 - b for r, g, b in pixels],
        [r - g for r, g, _ in pixels],
    )


def _waves(channel: list[float], width: int, height: int, across: int, down: int) -> _Waves:
    """The coefficients of the triangle that `across` and `down` cut off."""
    rows = [channel[at : at + width] for at in range(0, width * height, width)]
    by_wave = [[_dot(row, wave) for row in rows] for wave in _cosines(width, across)]
    vertical = _cosines(height, down)
    pixels = width * height
    found = [
        _dot(by_wave[cx], vertical[cy]) / pixels
        for cy in range(down)
        for cx in range(across)
        if cx * down < across * (down - cy)
    ]
    constant, *others = found
    scale = max(map(abs, others), default=0.0)
    if scale:
        others = [0.5 + 0.5 / scale * value for value in others]
    return _Waves(constant, others, scale)


@lru_cache(256)
def _cosines(length: int, count: int) -> list[list[float]]:
    return [[math.cos(math.pi / length * wave * (at + 0.5)) for at in range(length)] for wave in range(count)]


def _dot(left: list[float], right: list[float]) -> float:
    return sum(map(mul, left, right), 0.0)


def _nibbles(parts: list[float]) -> bytes:
    """Four bits each, the first of two in the lower half of a byte."""
    digits = [_round(15 * part) for part in parts]
    if len(digits) % 2:
        digits.append(0)
    return bytes(low | high << 4 for low, high in zip(digits[::2], digits[1::2], strict=True))


def _round(value: float) -> int:
    """Round halves up, as the reference does; Python's `round` goes to the even neighbour."""
    return math.floor(value + 0.5)
