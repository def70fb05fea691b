"""Make an image of a transform class: all steps, in their order."""

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.heic import decoded_if_heic
from stowboard.media.images.libvips import Failure, Source
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.transforms import steps
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import TransformRecipe
from stowboard.media.images.transforms.steps import Step

STEPS: list[Step] = [
    steps.crop,
    steps.convert_colors,
]


def derive_image(
    source: Source, recipe: TransformRecipe, image_format: ImageFormat, full_size: tuple[int, int] | None = None
) -> DerivedImage:
    """`full_size` is the original's, if the source is a reduction of it. Raises InvalidMedia."""
    plan = steps.plan(decoded_if_heic(source), recipe, image_format, full_size)
    try:
        image = steps.load(plan)
        for step in STEPS:
            image = step(image, plan)
        return DerivedImage(steps.save(image, plan), image.width, image.height // plan.frames)
    except Failure as error:
        raise InvalidMedia("The image is damaged and cannot be transformed; ask for the original.") from error
