"""Choose the format in which an image is delivered.

AVIF and WebP are small, but only clients that name them get them: `image/*` and `*/*` also come from clients that know
neither. Others get the original's format if it is one for the web, else PNG if the image may be transparent, else JPEG.
Weights (q) are respected; between equals, the smaller file wins.

Clients that name WebP or GIF, or take the format of the original, get an animation; others get its first picture.
"""

import base64
import re
from enum import StrEnum
from functools import lru_cache

from stowboard.media.base.asset import Asset
from stowboard.media.images.thumbhash import is_transparent

_WEIGHT = re.compile(r"(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)")
#: No browser sends a longer header; strangers must not fill the memory.
_LONGEST_REMEMBERED = 300


class ImageFormat(StrEnum):
    AVIF = "avif"
    WEBP = "webp"
    JPEG = "jpeg"
    PNG = "png"
    #: For animations alone.
    GIF = "gif"

    @property
    def mime_type(self) -> str:
        return f"image/{self}"


MOVING = (ImageFormat.WEBP, ImageFormat.GIF)
_BY_MIME_TYPE = {each.mime_type: each for each in ImageFormat if each is not ImageFormat.GIF}


def format_for(accept: str | None, asset: Asset) -> ImageFormat:
    """The format of a transform class of this asset for a client with this header Accept."""
    placeholder = asset.placeholder
    opaque = placeholder is not None and not is_transparent(base64.b64decode(placeholder.thumbhash))
    choose = choose_format if accept is not None and len(accept) > _LONGEST_REMEMBERED else _chosen_format
    return choose(accept, asset.mime_type, transparent=not opaque, animated=asset.moves)


def choose_format(
    accept: str | None, mime_type: str, *, transparent: bool = True, animated: bool = False
) -> ImageFormat:
    """The same for an original of this type; `transparent` if some of its pixels may be transparent."""
    weights = _weights(accept) if accept is not None else {"*/*": 1.0}
    if animated:
        moving = ImageFormat.GIF if mime_type == ImageFormat.GIF.mime_type else ImageFormat.WEBP
        if (best := _best(weights, MOVING, moving)) is not None:
            return best
    plain = ImageFormat.PNG if transparent else ImageFormat.JPEG
    native = _BY_MIME_TYPE.get(mime_type, plain)
    if (best := _best(weights, (ImageFormat.AVIF, ImageFormat.WEBP), native)) is not None:
        return best
    # If the client takes none of these, RFC 9110 (12.5.1) lets us send another one.
    return next(
        (each for each in (plain, ImageFormat.JPEG, ImageFormat.PNG) if _weight_of(weights, each.mime_type)), native
    )


_chosen_format = lru_cache(1024)(choose_format)


def _best(weights: dict[str, float], small: tuple[ImageFormat, ...], native: ImageFormat) -> ImageFormat | None:
    """The best of these formats, small ones only if they are named; None if the client takes none."""
    offers = {each: weights.get(each.mime_type, 0.0) for each in small}
    offers[native] = _weight_of(weights, native.mime_type)
    best = max(offers, key=lambda each: offers[each])
    return best if offers[best] > 0 else None


def _weights(accept: str) -> dict[str, float]:
    """Media ranges and their weights; malformed ones are left out."""
    weights = {}
    for element in accept.lower().split(","):
        media_range, *parameters = (part.strip() for part in element.split(";"))
        weight = next((value for name, _, value in (each.partition("=") for each in parameters) if name == "q"), "1")
        if media_range and _WEIGHT.fullmatch(weight):
            weights[media_range] = float(weight)
    return weights


def _weight_of(weights: dict[str, float], mime_type: str) -> float:
    """The weight of the most specific range that fits."""
    return next((weights[each] for each in (mime_type, "image/*", "*/*") if each in weights), 0.0)
