"""Posters: the picture that stands for a file that is no image, kept with its content. Classes are made of it.

A poster is an image that was made like any other, under a recipe that no class has. If it is gone from the store, it is
made again.
"""

from stowboard.media.base.asset import FocalPoint
from stowboard.media.base.classes import ORIGINAL
from stowboard.media.images.derived_store import DerivedOrder
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import CENTRE, PIPELINE_VERSION, TransformRecipe

FORMAT = ImageFormat.WEBP
#: Around which a page is cropped if nobody said otherwise: where its title is.
TOP = FocalPoint(0.5, 0.0)


class _Poster(TransformRecipe, frozen=True):
    def __str__(self) -> str:
        return f"{PIPELINE_VERSION}:poster"


_RECIPE = _Poster(ORIGINAL, CENTRE)


def order_of(sha256: str) -> DerivedOrder:
    return DerivedOrder(sha256, _RECIPE, FORMAT)


def is_poster(order: DerivedOrder) -> bool:
    return order.recipe is _RECIPE
