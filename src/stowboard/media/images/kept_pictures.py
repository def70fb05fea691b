"""Reductions and posters: pictures kept with a content, of which transform classes are made.

A reduction is a large JPEG at an eighth of its size. Decoding twelve megapixels takes 35 ms, even to an eighth of the
size. The placeholder needs that once anyway, so the result is kept; the first request for a thumbnail then takes a
fifth of the time. Without a reduction the original is used.

A poster is the picture of a PDF or audio. If it is gone from the store, it is made again.
"""

from stowboard.db.database import Tx
from stowboard.media.base.asset import FocalPoint
from stowboard.media.base.classes import ORIGINAL
from stowboard.media.images import derived_store
from stowboard.media.images.derived_store import DerivedFile, DerivedOrder
from stowboard.media.images.transforms.formats import ImageFormat
from stowboard.media.images.transforms.recipe import CENTRE, PIPELINE_VERSION, TransformRecipe

#: The filter that scales a picture down needs one and a half times the wanted width.
_ROOM = 1.5
#: Pages are cropped around their title unless the asset has a focal point.
TOP_OF_PAGE = FocalPoint(0.5, 0.0)


class _NamedRecipe(TransformRecipe, frozen=True):
    """A recipe that no class has."""

    name: str = ""

    def __str__(self) -> str:
        return f"{PIPELINE_VERSION}:{self.name}"


_REDUCTION, _POSTER = (_NamedRecipe(ORIGINAL, CENTRE, name=name) for name in ("eighth", "poster"))


def reduction_order(sha256: str) -> DerivedOrder:
    return DerivedOrder(sha256, _REDUCTION, ImageFormat.JPEG)


def poster_order(sha256: str) -> DerivedOrder:
    return DerivedOrder(sha256, _POSTER, ImageFormat.WEBP)


def is_poster(order: DerivedOrder) -> bool:
    return order.recipe is _POSTER


async def find_reduction(tx: Tx, sha256: str, width: int) -> DerivedFile | None:
    """The reduction, if a picture of this width can be made of it."""
    found = await derived_store.find(tx, reduction_order(sha256))
    return found if found is not None and found.width >= _ROOM * width else None
