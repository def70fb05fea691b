"""Transform classes: the named forms in which images are delivered.

Only named ones exist, so nobody can order arbitrary work by writing another number into an address. A picture is never
enlarged: one that is smaller than its class keeps its pixels, and is at most cropped to the shape.
"""

import re
from collections.abc import Sequence
from enum import StrEnum

import msgspec

from stowboard.media.base.errors import UnknownTransformClass

LARGEST_SIDE = 8192
MOST_CLASSES = 100
#: The longest side of a WebP; an original may have one pixel more.
_LONGEST = 16_383
_SETTING = "STOWBOARD_TRANSFORM_CLASSES"
_TEXT = re.compile(r"(?P<name>[a-z][a-z0-9-]{0,31})=(?P<width>[0-9]{1,5})(?:x(?P<height>[0-9]{1,5}))?")


class Fit(StrEnum):
    #: The bytes as they were uploaded.
    NONE = "none"
    #: As wide as the class; the height follows.
    INSIDE = "inside"
    #: Width and height of the class, cropped around the focal point.
    COVER = "cover"


class TransformClass(msgspec.Struct, frozen=True):
    name: str
    width: int | None
    height: int | None
    fit: Fit


ORIGINAL = TransformClass("original", None, None, Fit.NONE)
BUILT_IN = [
    ORIGINAL,
    TransformClass("thumbnail", 200, 200, Fit.COVER),
    TransformClass("small", 320, None, Fit.INSIDE),
    TransformClass("medium", 768, None, Fit.INSIDE),
    TransformClass("large", 1280, None, Fit.INSIDE),
    TransformClass("xlarge", 1920, None, Fit.INSIDE),
    TransformClass("square", 512, 512, Fit.COVER),
    TransformClass("og", 1200, 630, Fit.COVER),
]
ALIASES = {"thumb": "thumbnail"}


class TransformClasses:
    """The built-in classes and those of the operator's setting."""

    def __init__(self, own: Sequence[str] = ()) -> None:
        """Raises ValueError naming the setting."""
        if len(own) > MOST_CLASSES:
            raise ValueError(f"{_SETTING} may name {MOST_CLASSES} classes at most.")
        self._by_name = {each.name: each for each in BUILT_IN}
        for each in map(_parse, own):
            if each.name in self._by_name or each.name in ALIASES:
                raise ValueError(f"{_SETTING} defines {each.name!r}, which exists already; choose another name.")
            self._by_name[each.name] = each

    def all(self) -> list[TransformClass]:
        return list(self._by_name.values())

    def get(self, name: str) -> TransformClass:
        """By its name or an alias of it. Raises UnknownTransformClass."""
        found = self._by_name.get(ALIASES.get(name, name))
        if found is None:
            raise UnknownTransformClass(f"No transform class has this name; there are {', '.join(self._by_name)}.")
        return found


def output_size(transform_class: TransformClass, width: int, height: int) -> tuple[int, int]:
    """The size that the class gives to a picture of this size, upright."""
    box_width, box_height = transform_class.width, transform_class.height
    if box_width is None:
        return width, height
    if box_height is None:
        return scaled(width, height, min(1.0, box_width / width, _LONGEST / height))
    if width >= box_width and height >= box_height:
        return box_width, box_height
    shape = min(width / box_width, height / box_height)
    return max(1, round(box_width * shape)), max(1, round(box_height * shape))


def whole_size(transform_class: TransformClass, width: int, height: int) -> tuple[int, int]:
    """The size of the whole picture before it is cropped to `output_size`."""
    out_width, out_height = output_size(transform_class, width, height)
    return scaled(width, height, max(out_width / width, out_height / height))


def scaled(width: int, height: int, factor: float) -> tuple[int, int]:
    return max(1, round(width * factor)), max(1, round(height * factor))


def _parse(text: str) -> TransformClass:
    """`name=WIDTHxHEIGHT` to crop, `name=WIDTH` to scale."""
    match = _TEXT.fullmatch(text)
    sides = [int(side) for side in (match["width"], match["height"]) if side] if match else []
    if match is None or not all(1 <= side <= LARGEST_SIDE for side in sides):
        raise ValueError(
            f"{_SETTING} has {text!r}; expected name=WIDTHxHEIGHT to crop or name=WIDTH to scale,"
            f" with sides of 1 to {LARGEST_SIDE}."
        )
    if len(sides) == 1:
        return TransformClass(match["name"], sides[0], None, Fit.INSIDE)
    return TransformClass(match["name"], sides[0], sides[1], Fit.COVER)
