"""Images of a class, made as the service makes them, for tests of the pixels."""

from pathlib import Path

from stowboard.media.base.asset import FocalPoint
from stowboard.media.base.classes import TransformClasses
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.pipeline import derive_image
from stowboard.media.images.transforms.recipe import recipe_for

CLASSES = TransformClasses(["tiny=10x10", "half=100"])


def derived(
    source: bytes | Path,
    name: str,
    image_format: ImageFormat = ImageFormat.PNG,
    focus: tuple[float, float] | None = None,
    *,
    animated: bool = False,
) -> DerivedImage:
    recipe = recipe_for(CLASSES.get(name), FocalPoint(*focus) if focus else None, animated=animated)
    return derive_image(source, recipe, image_format)
