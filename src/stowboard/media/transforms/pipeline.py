"""How an image of a class is made: everything that happens to it, in this order."""

from stowboard.media.errors import InvalidMedia
from stowboard.media.images import DerivedImage
from stowboard.media.libvips import Failure, Source
from stowboard.media.transforms import steps
from stowboard.media.transforms.formats import Format
from stowboard.media.transforms.recipe import Recipe
from stowboard.media.transforms.steps import Step

STEPS: list[Step] = [
    steps.crop,
    steps.convert_colors,
]


def derive_image(
    source: Source, recipe: Recipe, image_format: Format, full_size: tuple[int, int] | None = None
) -> DerivedImage:
    """`full_size` is the original's, if the source is a reduction of it. Raises InvalidMedia."""
    plan = steps.plan(source, recipe, image_format, full_size)
    try:
        image = steps.load(plan)
        for step in STEPS:
            image = step(image, plan)
        return DerivedImage(steps.save(image, plan), image.width, image.height)
    except Failure as error:
        raise InvalidMedia("The image is damaged and cannot be transformed; ask for the original.") from error
