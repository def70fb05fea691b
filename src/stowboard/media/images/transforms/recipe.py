"""What is done to an image, in one canonical text: the name under which the result is kept beside its content."""

import msgspec

from stowboard.media.base.asset import FocalPoint
from stowboard.media.base.classes import Fit, TransformClass

#: Raised when the same recipe is to give other pixels or bytes; what was made before is then made anew.
PIPELINE_VERSION = 1
CENTRE = FocalPoint(0.5, 0.5)


class TransformRecipe(msgspec.Struct, frozen=True):
    transform_class: TransformClass
    #: Around which a cover is cropped; without meaning for anything else.
    focus: FocalPoint
    #: Whether all pictures of an animation are kept, not just the first.
    animated: bool = False

    def __str__(self) -> str:
        """The class by its measures: a class that is renamed keeps its images, one that is changed does not."""
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
    # Finer than any pixel that we keep.
    return TransformRecipe(transform_class, FocalPoint(round(focal_point.x, 5), round(focal_point.y, 5)), animated)
