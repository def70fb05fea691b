"""libvips, configured for bytes of strangers. Importing this module loads the library, some 40 MB of memory: only
decoders do.

Loaders are an allow-list; all others are blocked, by name and by libvips' own mark for unsafe ones. Opening reads only
the header, and the header has to keep the limits before anything is decoded. One operation uses one thread, since
there are already as many decoders as cores. Nothing is cached: two operations on the same bytes are rare.
"""

import logging
from mmap import mmap
from pathlib import Path
from typing import Any, TypeAlias

import pyvips

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.picture import NOT_AN_IMAGE

#: pyvips' own types do not know the operations that it finds at run time.
vips: Any = pyvips
Image: TypeAlias = Any
#: A file, a mapped file, bytes, or an image that another library has decoded.
Source: TypeAlias = Path | mmap | bytes | Image
Failure = pyvips.Error

MAX_MEGAPIXELS = 50
MAX_SIDE = 16_384
#: A larger file is read from the disk, a smaller one mapped into memory.
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
#: For these types the pages of libvips are the pictures of an animation.
_MOVING = {"image/gif", "image/webp"}
_ALLOWED = ["Jpeg", "Png", "Nsgif", "Webp", "Heif", "Tiff"]
_TURNED = range(5, 9)
#: In the profile that most cameras and editors embed. Converting sRGB to sRGB would be half of the work on an image.
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
    """A source of libvips; images made of it keep it alive."""
    if isinstance(source, Path):
        return vips.Source.new_from_file(str(source))
    return vips.Source.new_from_memory(source)


def head_of(source: Source, size: int) -> bytes:
    if isinstance(source, Path):
        with source.open("rb") as file:
            return file.read(size)
    return source[:size] if isinstance(source, bytes | mmap) else b""


def mime_type_of(image: Image) -> str:
    """Raises InvalidMedia for types that are not on the list: `heifload` also knows HEIC."""
    loader = image.get(LOADER).removesuffix("_buffer").removesuffix("_source")
    if loader not in _LOADERS or (loader == "heifload" and image.get("heif-compression") != "av1"):
        raise InvalidMedia(NOT_AN_IMAGE)
    return _LOADERS[loader]


def frames_of(image: Image) -> int:
    """The number of pictures of an animation, else 1."""
    return int(image.get("n-pages")) if mime_type_of(image) in _MOVING and image.get_typeof("n-pages") else 1


def upright_size(image: Image) -> tuple[int, int]:
    """Width and height after the picture is turned upright."""
    turned = image.get_typeof("orientation") != 0 and image.get("orientation") in _TURNED
    return (image.height, image.width) if turned else (image.width, image.height)


def to_srgb(image: Image) -> Image:
    """Convert an image with another colour profile to sRGB, for screens without colour management.

    The image comes from `thumbnail`: eight bits, grey or RGB, maybe with alpha. `thumbnail` has converted CMYK and
    sixteen bits, and dropped profiles that are broken or do not fit; the profile of a CMYK image is still there.
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
    # Its warnings are about files of users; anything that matters comes as an error.
    logging.getLogger("pyvips").setLevel(logging.CRITICAL + 1)


_configure()
