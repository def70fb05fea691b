"""Inspect an image: its type, its size upright, its EXIF, and a placeholder to show while it loads.

Every pixel of the first frame is read, so an image that passes is whole; JPEG and WebP are decoded at a fraction of
their size, which is several times cheaper. Later frames of an animation are not decoded here.

A large plain JPEG is looked at briefly instead: it passes if its markers say that it is whole. Decoding it would make
its upload wait, so a job calls `describe_image` later.
"""

from mmap import mmap

from stowboard.media.base.errors import InvalidMedia
from stowboard.media.images.documents.description import FileDescription
from stowboard.media.images.exif import ExifFacts, read_exif
from stowboard.media.images.heic import decoded_if_heic
from stowboard.media.images.libvips import (
    Failure,
    Image,
    Source,
    frames_of,
    mime_type_of,
    open_image,
    to_srgb,
    upright_size,
)
from stowboard.media.images.picture import NOT_AN_IMAGE, DerivedImage, Picture
from stowboard.media.images.place import patches_without_place
from stowboard.media.images.placeholder import MINIATURE, placeholder_of

#: The largest and smallest length of a reduction's longer side; hardly a class could be made of a smaller one.
_REDUCTION, _LEAST_REDUCTION = 640, 400
#: High, since classes made of it are compressed a second time.
_REDUCTION_QUALITY = 92
#: In bytes. To decode a smaller one takes no longer than to order a job.
_LARGE = 256 * 1024
_OPAQUE = 255
#: Markers: a header of a picture in Huffman code that is not progressive, restarts, a scan, the end.
_PLAIN, _RESTARTS, _SCAN, _END = {0xC0, 0xC1}, 0xDD, 0xDA, b"\xff\xd9"
#: Positions of the number of components, behind the markers of a header and of a scan.
_COMPONENTS, _SCANNED = 9, 4
#: Before the scan. Cameras write a dozen, a colour profile may take 255. To walk a million takes longer than decoding.
_MOST_SEGMENTS = 1000


def inspect_image(file: Source, *, strip_location: bool = False) -> Picture:
    """Raises InvalidMedia, also if the place is to be taken out and cannot be."""
    source = decoded_if_heic(file)
    header = open_image(source)
    mime_type = mime_type_of(header)
    width, height = upright_size(header)
    try:
        seen = None if _is_whole(source, header) else _describe(source, mime_type, max(width, height))
    except Failure as error:
        raise InvalidMedia(NOT_AN_IMAGE) from error
    taken = read_exif(header.get("exif-data")) if header.get_typeof("exif-data") else ExifFacts()
    frames = frames_of(header)
    return Picture(
        mime_type=mime_type,
        width=width,
        height=height,
        placeholder=seen.placeholder if seen is not None else None,
        reduction=seen.picture if seen is not None else None,
        taken_at=taken.at,
        camera=taken.camera,
        location=None if strip_location else taken.location,
        frames=frames if frames > 1 else None,
        patches=tuple(patches_without_place(file, header)) if strip_location else (),
    )


def describe_image(file: Source) -> FileDescription:
    """The placeholder and the reduction. Raises InvalidMedia."""
    source = decoded_if_heic(file)
    header = open_image(source)
    try:
        return _describe(source, mime_type_of(header), max(header.width, header.height))
    except Failure as error:
        raise InvalidMedia(NOT_AN_IMAGE) from error


def _is_whole(source: Source, header: Image) -> bool:
    """True if the image is known to be whole without decoding it."""
    if not isinstance(source, bytes | mmap) or len(source) < _LARGE or mime_type_of(header) != "image/jpeg":
        return False
    if not has_end(source):
        return False
    # Decoding the first row checks the whole header. It comes last: a progressive file would need every scan for it.
    header.crop(0, 0, header.width, 1).avg()
    return True


def _describe(source: Source, mime_type: str, longest: int) -> FileDescription:
    image, reduction = _decoded(source, mime_type, longest), None
    if mime_type == "image/jpeg" and max(image.width, image.height) >= _LEAST_REDUCTION:
        image = to_srgb(image.thumbnail_image(_REDUCTION, height=_REDUCTION, size="down")).copy_memory()
        data = image.jpegsave_buffer(Q=_REDUCTION_QUALITY, background=[_OPAQUE], keep="none")
        reduction = DerivedImage(data, image.width, image.height)
    return FileDescription(reduction, placeholder_of(image))


def _decoded(source: Source, mime_type: str, longest: int) -> Image:
    """The image at a fraction of its size. `thumbnail` in one step would not notice a file that ends too early."""
    shrink = next(each for each in (8, 4, 2, 1) if each == 1 or longest // each >= 2 * MINIATURE)
    at_load: dict[str, dict[str, float]] = {"image/jpeg": {"shrink": shrink}, "image/webp": {"scale": 1 / shrink}}
    return open_image(source, fail_on="truncated", **at_load.get(mime_type, {}))


def has_end(data: bytes | mmap) -> bool:
    """True if the end marker of a JPEG is found, without decoding it.

    Behind the header, decoding requires nothing but this marker: it paints missing or broken parts grey. That holds for
    a picture of one scan without restarts, as most cameras write it. For any other one the answer is False, and it has
    to be decoded.
    """
    at, components = 2, b""
    for _ in range(_MOST_SEGMENTS):
        head = data[at : at + 4]
        if len(head) < 4 or head[0] != 0xFF or head[1] == _RESTARTS:
            break
        marker, behind = head[1], at + 2 + int.from_bytes(head[2:], "big")
        if marker == _SCAN:
            scanned = data[at + _SCANNED : at + _SCANNED + 1]
            return scanned == components != b"" and data.rfind(_END, behind) >= 0
        if marker in _PLAIN:
            components = data[at + _COMPONENTS : at + _COMPONENTS + 1]
        at = behind
    return False
