"""libvips as we use it on bytes of strangers. To import this module is to load the library, some 40 MB of memory:
only decoders do.

Loaders are an allow-list; everything else that libvips can open is blocked, by name and by its own mark of what is
not safe. A file is opened by its header alone, and the header has to keep the limits before anything is decoded. One
operation uses one thread, since there are already as many decoders as there are cores to use, and nothing is cached:
two operations on the same bytes are rare, and the memory is better used otherwise.
"""

import logging
from mmap import mmap
from pathlib import Path
from typing import Any, TypeAlias

import pyvips

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.picture import NOT_AN_IMAGE

#: The types that pyvips gives itself are not true of the operations that it finds at run time.
vips: Any = pyvips
Image: TypeAlias = Any
#: A file, one that is mapped into memory, bytes, or an image that another library has decoded.
Source: TypeAlias = Path | mmap | bytes | Image
Failure = pyvips.Error

MAX_MEGAPIXELS = 50
MAX_SIDE = 16_384
#: A larger file is read from the disk while it is worked on; a smaller one is mapped into memory.
LARGEST_IN_MEMORY = 16 * 1024 * 1024
#: By the name that libvips gives the loader.
_LOADERS = {
    "jpegload": "image/jpeg",
    "pngload": "image/png",
    "gifload": "image/gif",
    "webpload": "image/webp",
    "heifload": "image/avif",
    "tiffload": "image/tiff",
    "heicload": "image/heic",
}
#: The types of which the pages of libvips are the pictures of an animation.
_MOVING = {"image/gif", "image/webp"}
_ALLOWED = ["Jpeg", "Png", "Nsgif", "Webp", "Heif", "Tiff"]
_TURNED = range(5, 9)
#: In the profile that most cameras and editors embed. To convert it to itself would be half of the work on an image.
_SRGB = b"sRGB IEC61966-2.1"
PROFILE, LOADER = "icc-profile-data", "vips-loader"
_OPAQUE_BANDS = {b"RGB ": 3, b"GRAY": 1}

_TOO_LARGE = f"An image may have {MAX_MEGAPIXELS} megapixels and {MAX_SIDE:,} pixels a side at most; this one is {{}}."


def open_image(source: Source, **options: float | str) -> Image:
    """The image by its header, its first frame if it has many. Raises InvalidMedia: not an image, or too large."""
    if is_decoded(source):
        return source
    try:
        image = vips.Image.new_from_source(opened(source), "", access="sequential", **options)
    except Failure as error:
        raise InvalidMedia(NOT_AN_IMAGE) from error
    require_limits(image.width, image.height)
    return image


def is_decoded(source: Source) -> bool:
    return isinstance(source, pyvips.Image)


def opened(source: Source) -> Any:
    """For what reads it. The image that is made of it keeps it alive."""
    if isinstance(source, Path):
        return vips.Source.new_from_file(str(source))
    return vips.Source.new_from_memory(source)


def head_of(source: Source, size: int) -> bytes:
    if isinstance(source, Path):
        with source.open("rb") as file:
            return file.read(size)
    return source[:size] if isinstance(source, bytes | mmap) else b""


def mime_type_of(image: Image) -> str:
    """Raises InvalidMedia where a loader reads more than we say: `heifload` also knows HEIC."""
    loader = image.get(LOADER).removesuffix("_buffer").removesuffix("_source")
    if loader not in _LOADERS or (loader == "heifload" and image.get("heif-compression") != "av1"):
        raise InvalidMedia(NOT_AN_IMAGE)
    return _LOADERS[loader]


def frames_of(image: Image) -> int:
    """How many pictures follow each other in it."""
    return int(image.get("n-pages")) if mime_type_of(image) in _MOVING and image.get_typeof("n-pages") else 1


def upright_size(image: Image) -> tuple[int, int]:
    """Width and height as the picture is meant to be seen."""
    turned = image.get_typeof("orientation") != 0 and image.get("orientation") in _TURNED
    return (image.height, image.width) if turned else (image.width, image.height)


def to_srgb(image: Image) -> Image:
    """Colours as screens without colour management show them, for images that say they have another space.

    For what `thumbnail` gives: eight bits, grey or red, green and blue, maybe with alpha.

    It has already dealt with CMYK and with sixteen bits, and has dropped profiles that are broken or do not fit; the
    profile of a CMYK image is still there.
    """
    if image.get_typeof(PROFILE) == 0:
        return image
    profile = image.get(PROFILE)
    fits = _OPAQUE_BANDS.get(profile[16:20]) == image.bands - (1 if image.hasalpha() else 0)
    return image.icc_transform("srgb", embedded=True, depth=8) if fits and _SRGB not in profile else image


def require_limits(width: int, height: int) -> None:
    if max(width, height) > MAX_SIDE or width * height > MAX_MEGAPIXELS * 1_000_000:
        raise InvalidMedia(_TOO_LARGE.format(f"{width:,} x {height:,}"))


def _configure() -> None:
    vips.block_untrusted_set(True)
    vips.operation_block_set("VipsForeignLoad", True)
    for loader in _ALLOWED:
        vips.operation_block_set(f"VipsForeignLoad{loader}", False)
    vips.cache_set_max(0)
    vips.concurrency_set(1)
    # What libvips warns of is about the files of users; what matters of it comes as an error.
    logging.getLogger("pyvips").setLevel(logging.CRITICAL + 1)


_configure()
