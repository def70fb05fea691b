"""libvips as we use it on bytes of strangers. To import this module is to load the library, some 40 MB of memory:
only threads of ImageWorks do.

Loaders are an allow-list; everything else that libvips can open is blocked, by name and by its own mark of what is
not safe. A file is opened by its header alone, and the header has to keep the limits before anything is decoded. One
operation uses one thread, since the pool already has as many as there are cores to use, and nothing is cached: two
operations on the same bytes are rare, and the memory is better used otherwise.
"""

import logging
from pathlib import Path
from typing import Any, TypeAlias

import pyvips

from stowboard.media.base.errors import InvalidMedia

Source: TypeAlias = Path | bytes
#: The types that pyvips gives itself are not true of the operations that it finds at run time.
vips: Any = pyvips
Image: TypeAlias = Any
Failure = pyvips.Error

MAX_MEGAPIXELS = 50
MAX_SIDE = 16_384
#: A larger file is read from the disk while it is worked on; each thread has at most one.
LARGEST_IN_MEMORY = 16 * 1024 * 1024
#: By the name that libvips gives the loader.
_LOADERS = {
    "jpegload": "image/jpeg",
    "pngload": "image/png",
    "gifload": "image/gif",
    "webpload": "image/webp",
    "heifload": "image/avif",
    "tiffload": "image/tiff",
}
_ALLOWED = ["Jpeg", "Png", "Nsgif", "Webp", "Heif", "Tiff"]
_TURNED = range(5, 9)
#: In the profile that most cameras and editors embed. To convert it to itself would be half of the work on an image.
_SRGB = b"sRGB IEC61966-2.1"
_PROFILE = "icc-profile-data"
_OPAQUE_BANDS = {b"RGB ": 3, b"GRAY": 1}

NOT_AN_IMAGE = (
    "The bytes are not an image that can be read here: JPEG, PNG, GIF, WebP, AVIF or TIFF, whole and undamaged."
    " Anything else can be stored with POST /media/upload/file."
)
_TOO_LARGE = f"An image may have {MAX_MEGAPIXELS} megapixels and {MAX_SIDE:,} pixels a side at most; this one is {{}}."


def open_image(source: Source, **options: float | str) -> Image:
    """The image by its header, its first frame if it has many. Raises InvalidMedia: not an image, or too large."""
    try:
        if isinstance(source, bytes):
            # Not new_from_buffer, which copies the bytes. The image keeps them alive.
            memory = vips.Source.new_from_memory(source)
            image = vips.Image.new_from_source(memory, "", access="sequential", **options)
        else:
            image = vips.Image.new_from_file(str(source), access="sequential", **options)
    except Failure as error:
        raise InvalidMedia(NOT_AN_IMAGE) from error
    _require_limits(image)
    return image


def in_memory(source: Source) -> Source:
    """For decoding: libvips reads a file in small pieces. For a header the file itself is quicker."""
    if isinstance(source, bytes):
        return source
    try:
        return source if source.stat().st_size > LARGEST_IN_MEMORY else source.read_bytes()
    except OSError:  # it was just deleted; libvips says so in its own way
        return source


def mime_type_of(image: Image) -> str:
    """Raises InvalidMedia where a loader reads more than we say: `heifload` also knows HEIC."""
    loader = image.get("vips-loader").removesuffix("_buffer").removesuffix("_source")
    if loader not in _LOADERS or (loader == "heifload" and image.get("heif-compression") != "av1"):
        raise InvalidMedia(NOT_AN_IMAGE)
    return _LOADERS[loader]


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
    if image.get_typeof(_PROFILE) == 0:
        return image
    profile = image.get(_PROFILE)
    fits = _OPAQUE_BANDS.get(profile[16:20]) == image.bands - (1 if image.hasalpha() else 0)
    return image.icc_transform("srgb", embedded=True, depth=8) if fits and _SRGB not in profile else image


def _require_limits(image: Image) -> None:
    width, height = image.width, image.height
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
