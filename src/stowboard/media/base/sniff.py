"""The type of bytes, by the signature at their beginning.

`mime_type` believes the bytes before the client: a signature wins, then the declared type, then the extension of the
name. Text has no signature, and a container says little about its content, so there the client may be more precise (a
ZIP that is declared as a document). The type describes and does not protect: a wrong one must not make delivery unsafe.
"""

import mimetypes
import re
from collections.abc import Callable

from stowboard.media.base.image_types import TYPE_OF_EXTENSION

#: The number of first bytes that `sniff` looks at; with fewer it knows less.
SNIFF_BYTES = 4096
UNKNOWN = "application/octet-stream"

_TYPE = re.compile(r"[a-z0-9][a-z0-9!#$&^_.+-]{0,63}/[a-z0-9][a-z0-9!#$&^_.+-]{0,63}")


def sniff(head: bytes) -> str | None:
    """The type by the signature of the first bytes; None if they have none."""
    for signature, found in _SIGNATURES:
        if head.startswith(signature):
            return found
    for look in _LOOKS:
        if (seen := look(head)) is not None:
            return seen
    return None


def mime_type(head: bytes, declared: str | None, filename: str) -> str:
    """The type of bytes that begin with `head`, without parameters."""
    said, by_name = _essence(declared), _by_extension(filename)
    seen = sniff(head)
    if seen is None:
        return said or by_name or UNKNOWN
    for claim in (said, by_name):
        if claim is not None and _refines(claim, seen):
            return claim
    return seen


def _riff(head: bytes) -> str | None:
    return _RIFF.get(head[8:12]) if head.startswith(b"RIFF") else None


def _iso_media(head: bytes) -> str | None:
    """MP4 and its relatives: a box `ftyp` with brands. Old QuickTime files have none."""
    if head[4:8] in _OLD_QUICKTIME:
        return "video/quicktime"
    if head[4:8] != b"ftyp":
        return None
    size = int.from_bytes(head[:4], "big")
    brands = [head[8:12], *(head[at : at + 4] for at in range(16, min(size, len(head)), 4))]
    for brand in brands:
        if brand in _IMAGE_BRANDS:
            return _IMAGE_BRANDS[brand]
    if brands[0].startswith(b"3g"):
        return "video/3gpp"
    return _VIDEO_BRANDS.get(brands[0].rstrip(), "video/mp4")


def _matroska(head: bytes) -> str | None:
    if not head.startswith(b"\x1a\x45\xdf\xa3"):
        return None
    return "video/webm" if b"\x42\x82\x84webm" in head[:128] else "video/x-matroska"


def _ogg(head: bytes) -> str | None:
    if not head.startswith(b"OggS"):
        return None
    if b"\x80theora" in head:
        return "video/ogg"
    codecs = (b"OpusHead", b"\x01vorbis", b"\x7fFLAC", b"Speex   ")
    return "audio/ogg" if any(codec in head for codec in codecs) else "application/ogg"


def _transport_stream(head: bytes) -> str | None:
    """Packets of 188 bytes that begin with a sync byte, on Blu-ray each behind four bytes of time."""
    for first, length in ((0, 188), (4, 192)):
        if all(head[at : at + 1] == b"\x47" for at in range(first, first + 4 * length, length)):
            return "video/mp2t"
    return None


def _mpeg_audio(head: bytes) -> str | None:
    """A frame without a tag before it: eleven bits of sync, then version, layer and a bit rate that exists."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return None
    version, layer = head[1] >> 3 & 3, head[1] >> 1 & 3
    if layer == 0 and head[1] & 0xF6 == 0xF0:
        return "audio/aac"
    rate_exists = head[2] >> 4 not in (0, 15) and head[2] >> 2 & 3 != 3
    return "audio/mpeg" if layer == 1 and version != 1 and rate_exists else None


def _bitmap(head: bytes) -> str | None:
    return "image/bmp" if head.startswith(b"BM") and head[14:18] in _BITMAP_HEADERS else None


def _zip(head: bytes) -> str | None:
    """EPUB and OpenDocument name themselves in a first entry that is not compressed."""
    if not head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return None
    named = re.match(rb"mimetype(application/[a-z0-9.+-]{1,80})", head[30:150])
    return named[1].decode() if named and head[26:28] == b"\x08\x00" else "application/zip"


def _markup(head: bytes) -> str | None:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith((b"<!doctype html", b"<html", b"<head", b"<body", b"<script")):
        return "text/html"
    if text.startswith((b"<svg", b"<!doctype svg")):
        return "image/svg+xml"
    if not text.startswith((b"<?xml", b"<!--", b"<!doctype")):
        return None
    if re.search(rb"<(?:\w+:)?svg[\s>]", text):
        return "image/svg+xml"
    if re.search(rb"<html[\s>]|<!doctype html", text):
        return "text/html"
    return "application/xml" if text.startswith(b"<?xml") else None


def _refines(claim: str, seen: str) -> bool:
    """True if the signature shows only the container, and bytes of the claimed type come in it."""
    pattern = _REFINEMENTS.get(seen)
    return pattern is not None and pattern.fullmatch(claim) is not None


def _essence(declared: str | None) -> str | None:
    """The type without its parameters; None if it is malformed or says nothing."""
    essence = (declared or "").partition(";")[0].strip().lower()
    return essence if _TYPE.fullmatch(essence) and essence != UNKNOWN else None


def _by_extension(filename: str) -> str | None:
    extension = "." + filename.rpartition(".")[2].lower() if "." in filename else ""
    return _MORE_EXTENSIONS.get(extension) or _EXTENSIONS.get(extension)


_SIGNATURES = [
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
    (b"II*\0", "image/tiff"),
    (b"MM\0*", "image/tiff"),
    (b"II+\0", "image/tiff"),
    (b"MM\0+", "image/tiff"),
    (b"%PDF-", "application/pdf"),
    (b"\x1f\x8b\x08", "application/gzip"),
    (b"FLV\x01", "video/x-flv"),
    (b"\0\0\x01\xba", "video/mpeg"),
    (b"\0\0\x01\xb3", "video/mpeg"),
    (b"0&\xb2u\x8ef\xcf\x11", "video/x-ms-asf"),
    (b"ID3", "audio/mpeg"),
    (b"fLaC", "audio/flac"),
]
_LOOKS: list[Callable[[bytes], str | None]] = [
    _riff, _iso_media, _matroska, _ogg, _transport_stream, _mpeg_audio, _bitmap, _zip, _markup,
]  # fmt: skip
_RIFF = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}
_OLD_QUICKTIME = {b"moov", b"mdat", b"wide", b"pnot"}
_IMAGE_BRANDS = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    **dict.fromkeys((b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx"), "image/heic"),
}
_VIDEO_BRANDS = {
    b"qt": "video/quicktime",
    b"M4V": "video/x-m4v",
    b"M4VH": "video/x-m4v",
    b"M4VP": "video/x-m4v",
    b"M4A": "audio/mp4",
    b"M4B": "audio/mp4",
    b"mif1": "image/heif",
    b"msf1": "image/heif",
}
_BITMAP_HEADERS = {size.to_bytes(4, "little") for size in (12, 40, 52, 56, 64, 108, 124)}
_REFINEMENTS = {
    "application/zip": re.compile(
        r"application/(?:.*\+zip|vnd\.openxmlformats-officedocument\..*|vnd\.oasis\.opendocument\..*"
        r"|vnd\.ms-.*macroenabled\.12|vnd\.android\.package-archive|java-archive|vnd\.comicbook\+zip)"
    ),
    "application/xml": re.compile(r"text/xml|(?:application|text|model)/.*\+xml"),
    "application/ogg": re.compile(r"(?:audio|video)/ogg"),
    "application/gzip": re.compile(r"application/x-gzip|application/.*\+gzip"),
    "video/mp4": re.compile(r"audio/mp4|video/x-m4v"),
    "video/webm": re.compile(r"audio/webm"),
    "video/x-matroska": re.compile(r"audio/x-matroska"),
    "video/x-ms-asf": re.compile(r"(?:audio|video)/x-ms-wm[av]"),
}
# The table of the standard library alone: /etc/mime.types of a machine must not change answers.
_EXTENSIONS = mimetypes.MimeTypes(()).types_map[True]
_MORE_EXTENSIONS = {
    **TYPE_OF_EXTENSION,
    ".csv": "text/csv",
    ".docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ".epub": "application/epub+zip",
    ".flac": "audio/flac",
    ".gz": "application/gzip",
    ".js": "text/javascript",
    ".m4a": "audio/mp4",
    ".m4v": "video/x-m4v",
    ".md": "text/markdown",
    ".mkv": "video/x-matroska",
    ".odp": "application/vnd.oasis.opendocument.presentation",
    ".ods": "application/vnd.oasis.opendocument.spreadsheet",
    ".odt": "application/vnd.oasis.opendocument.text",
    ".ogg": "audio/ogg",
    ".ogv": "video/ogg",
    ".opus": "audio/ogg",
    ".pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ".rtf": "application/rtf",
    ".wav": "audio/wav",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".xml": "application/xml",
    ".yaml": "application/yaml",
    ".yml": "application/yaml",
}
