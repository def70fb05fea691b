"""Names of files as clients give them, made fit for a URL, a header and any disk that they are saved to.

A name is never used as a path here; it is cleaned for those who download. Letters of any script stay. Cleaning a clean
name changes nothing.
"""

import re
import unicodedata
from functools import lru_cache

from stowboard.core.plain_text import checked_line
from stowboard.media.base.image_types import IMAGE_TYPES

MAX_BYTES = 255
FALLBACK = "file"
#: A longer ending is no type that anybody would miss.
_MAX_EXTENSION_BYTES = 32

#: Controls, line ends, lone surrogates; what turns the direction of text, and so makes `exe.png` of `gnp.exe`; and what
#: Windows forbids.
_FORBIDDEN = re.compile('[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff<>:"|?*]')
#: Windows drops these by itself, and then two names are one.
_AT_THE_END = re.compile(r"[\s.]+\Z")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)", re.IGNORECASE)
#: The type of the bytes, and the endings that fit it, the usual one first. Types whose bytes are shared by many formats
#: (a .docx is a ZIP file) are left out on purpose.
_EXTENSIONS = {
    **IMAGE_TYPES,
    "image/bmp": (".bmp", ".dib"),
    "image/svg+xml": (".svg",),
    "application/pdf": (".pdf",),
    "audio/mpeg": (".mp3",),
    "audio/wav": (".wav",),
    "audio/flac": (".flac",),
    "video/webm": (".webm",),
}
_KNOWN = {extension for extensions in _EXTENSIONS.values() for extension in extensions}


def check_filename(member: str, text: str) -> None:
    """Raises ValidationFailed for a blank name and for control characters; the member's name is for the message."""
    checked_line(member, text)


def clean_filename(text: str) -> str:
    """The last part of the path, without what is forbidden in names, at most 255 bytes of UTF-8; never empty."""
    last = re.split(r"[/\\]", text)[-1]
    allowed = _FORBIDDEN.sub("", unicodedata.normalize("NFC", last))
    # Again: what was around a forbidden character may belong together now.
    name = _AT_THE_END.sub("", unicodedata.normalize("NFC", allowed).lstrip())
    if _RESERVED.match(name):
        name = f"_{name}"
    return _AT_THE_END.sub("", _shortened(name)) or FALLBACK


@lru_cache(1024)
def fitting_filename(name: str, mime_type: str) -> str:
    """The name with another ending if its own is that of another type than the bytes are."""
    stem, extension = _split(name)
    fitting = _EXTENSIONS.get(mime_type)
    if fitting is None or extension.lower() not in _KNOWN or extension.lower() in fitting:
        return name
    return clean_filename(stem + fitting[0])


def _shortened(name: str) -> str:
    if len(name.encode()) <= MAX_BYTES:
        return name
    stem, extension = _split(name)
    room = MAX_BYTES - len(extension.encode())
    return stem.encode()[:room].decode(errors="ignore") + extension


def _split(name: str) -> tuple[str, str]:
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending.encode()) >= _MAX_EXTENSION_BYTES:
        return name, ""
    return stem, dot + ending
