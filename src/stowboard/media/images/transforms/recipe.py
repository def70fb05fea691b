"""The recipe of a derived image as one canonical text, the name under which the image is kept with its content."""

import msgspec

from stowboard.media.base.asset import FocalPoint
from stowboard.media.base.classes import Fit, TransformClass

#: Raise it when the same recipe gives other pixels or bytes: all images are then made again.
PIPELINE_VERSION = 1
CENTRE = FocalPoint(0.5, 0.5)


class TransformRecipe(msgspec.Struct, frozen=True):
    transform_class: TransformClass
    #: A cover is cropped around it; other fits ignore it.
    focus: FocalPoint
    #: Keep all pictures of an animation, not just the first.
    animated: bool = False

    def __str__(self) -> str:
        """The class by its measures: a renamed class keeps its images, a changed one does not."""
        width, height = self.transform_class.width, self.transform_class.height
        kept = ":animated" if self.animated else ""
        if self.transform_class.fit is Fit.COVER:
            return f"{PIPELINE_VERSION}:cover:{width}x{height}:{self.focus.x:g},{self.focus.y:g}{kept}"
        return f"{PIPELINE_VERSION}:inside:{width}{kept}"


def recipe_for(
    transform_class: TransformClass, focal_point: FocalPoint | None, *, animated: bool = False
) -> TransformRecipe:
    if transform_class.fit is Fit.NONE:
        raise ValueError("An original is served as it is.")
    if transform_class.fit is Fit.INSIDE or focal_point is None:
        return TransformRecipe(transform_class, CENTRE, animated)
    # Finer than any pixel.
    return TransformRecipe(transform_class, FocalPoint(round(focal_point.x, 5), round(focal_point.y, 5)), animated)
