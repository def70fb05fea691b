"""Make an image of a transform class. libvips works lazily, when the image is saved."""

from collections.abc import Callable

import msgspec

from stowboard.media.base.classes import output_size, whole_size
from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.heic import decoded_if_heic
from stowboard.media.images.libvips import (
    Failure,
    Image,
    Source,
    frames_of,
    is_decoded,
    mime_type_of,
    open_image,
    opened,
    to_srgb,
    upright_size,
    vips,
)
from stowboard.media.images.picture import DerivedImage
from stowboard.media.images.transforms.formats import MOVING, ImageFormat
from stowboard.media.images.transforms.recipe import TransformRecipe


class _Plan(msgspec.Struct, frozen=True):
    source: Source
    #: The factor by which decoding shrinks a JPEG; 1 leaves that to libvips.
    shrink: int
    #: The size of the whole picture, upright, before it is cropped.
    width: int
    height: int
    #: The part that is kept: left, top, width, height.
    crop: tuple[int, int, int, int]
    #: The pictures of an animation that are kept; libvips has them one below the other.
    frames: int = 1


def derive_image(
    source: Source, recipe: TransformRecipe, image_format: ImageFormat, full_size: tuple[int, int] | None = None
) -> DerivedImage:
    """`full_size` is the original's, if the source is a reduction of it. Raises InvalidMedia."""
    plan = _plan(decoded_if_heic(source), recipe, image_format, full_size)
    try:
        image = to_srgb(_cropped(_load(plan), plan))
        # Without metadata: no EXIF and so no place, no XMP, no IPTC, no profile.
        saved = _SAVERS[image_format](image)
    except Failure as error:
        raise InvalidMedia("The image is damaged and cannot be transformed; ask for the original.") from error
    return DerivedImage(saved, image.width, image.height // plan.frames)


def _plan(
    source: Source, recipe: TransformRecipe, image_format: ImageFormat, full_size: tuple[int, int] | None
) -> _Plan:
    """Reads the header alone. Raises InvalidMedia."""
    header = open_image(source)
    own_width, own_height = upright_size(header)
    full_width, full_height = full_size or (own_width, own_height)
    out_width, out_height = output_size(recipe.transform_class, full_width, full_height)
    width, height = whole_size(recipe.transform_class, full_width, full_height)
    left = _offset(width, out_width, recipe.focus.x)
    top = _offset(height, out_height, recipe.focus.y)
    shrink = _shrink(own_width / width) if mime_type_of(header) == "image/jpeg" else 1
    frames = frames_of(header) if recipe.animated and image_format in MOVING else 1
    return _Plan(source, shrink, width, height, (left, top, out_width, out_height), frames)


def _load(plan: _Plan) -> Image:
    """The first picture or all, decoded at about the wanted size, upright, scaled, in 8 bits, without CMYK."""
    size = {"height": plan.height, "size": "force"}
    if plan.shrink > 1 or is_decoded(plan.source):
        options = {"shrink": plan.shrink} if plan.shrink > 1 else {}
        return open_image(plan.source, **options).thumbnail_image(plan.width, **size)
    pages = {"option_string": "n=-1"} if plan.frames > 1 else {}
    return vips.Image.thumbnail_source(opened(plan.source), plan.width, **size, **pages)


def _cropped(image: Image, plan: _Plan) -> Image:
    if plan.crop == (0, 0, plan.width, plan.height):
        return image
    left, top, width, height = plan.crop
    parts = [image.extract_area(left, top + number * plan.height, width, height) for number in range(plan.frames)]
    return parts[0] if plan.frames == 1 else _film(parts)


def _film(frames: list[Image]) -> Image:
    film = vips.Image.arrayjoin(frames, across=1).copy()
    film.set_type(vips.GValue.gint_type, "page-height", frames[0].height)
    return film


def _shrink(factor: float) -> int:
    """The factor that leaves the filter a quarter more pixels a side than it needs.

    libvips by itself would leave twice as many. For a square of 12 megapixels that takes a fifth longer, and nobody
    sees the difference: 0.7 of 255 in the mean.
    """
    return next((each for each in (8, 4, 2) if factor >= 1.25 * each), 1)


def _offset(whole: int, part: int, focus: float) -> int:
    """The start of the part that has the focus in its middle, or as near to it as the whole allows."""
    return max(0, min(whole - part, round(whole * focus - part / 2)))


# Measured: somebody waits for the first view, and more effort costs more time than the saved bytes are worth.
# JPEG has no alpha: transparent pixels become white.
_SAVERS: dict[ImageFormat, Callable[[Image], bytes]] = {
    ImageFormat.JPEG: lambda image: image.jpegsave_buffer(Q=82, optimize_coding=True, background=[255], keep="none"),
    ImageFormat.PNG: lambda image: image.pngsave_buffer(compression=4, filter="all", keep="none"),
    ImageFormat.WEBP: lambda image: image.webpsave_buffer(Q=80, effort=2, keep="none"),
    ImageFormat.GIF: lambda image: image.gifsave_buffer(effort=1, keep="none"),
    ImageFormat.AVIF: lambda image: image.heifsave_buffer(compression="av1", Q=60, effort=0, keep="none"),
}
