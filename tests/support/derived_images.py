"""Images of a class, made as the service makes them, for tests of the pixels."""

from pathlib import Path

from stowboard.media.asset import FocalPoint
from stowboard.media.images import DerivedImage
from stowboard.media.transforms.classes import Classes
from stowboard.media.transforms.formats import Format
from stowboard.media.transforms.pipeline import derive_image
from stowboard.media.transforms.recipe import recipe_for

CLASSES = Classes(["tiny=10x10", "half=100"])


def derived(
    source: bytes | Path, name: str, image_format: Format = Format.PNG, focus: tuple[float, float] | None = None
) -> DerivedImage:
    return derive_image(source, recipe_for(CLASSES.get(name), FocalPoint(*focus) if focus else None), image_format)
