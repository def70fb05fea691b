"""Posters: the picture of a PDF or audio, kept with its content. Transform classes are made of it.

A poster is a derived image with a recipe that no class has. If it is gone from the store, it is made again.
"""

from stowboard.media.base.asset import FocalPoint
from stowboard.media.base.classes import ORIGINAL
from stowboard.media.images.derived_store import DerivedOrder
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import CENTRE, PIPELINE_VERSION, TransformRecipe

FORMAT = ImageFormat.WEBP
#: Pages are cropped around their title unless the asset has a focal point.
TOP = FocalPoint(0.5, 0.0)


class _Poster(TransformRecipe, frozen=True):
    def __str__(self) -> str:
        return f"{PIPELINE_VERSION}:poster"


_RECIPE = _Poster(ORIGINAL, CENTRE)


def order_of(sha256: str) -> DerivedOrder:
    return DerivedOrder(sha256, _RECIPE, FORMAT)


def is_poster(order: DerivedOrder) -> bool:
    return order.recipe is _RECIPE
