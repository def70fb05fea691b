"""Clean the names of files that clients give, for URLs, headers and any disk that they are saved to.

The service never uses a name as a path. Letters of any script stay. Cleaning a clean name changes nothing.
"""

import re
import unicodedata
from functools import lru_cache

from stowboard.core.plain_text import checked_line
from stowboard.media.base.image_types import IMAGE_TYPES

MAX_BYTES = 255
FALLBACK = "file"
#: A longer ending is not an extension.
_MAX_EXTENSION_BYTES = 32

#: Controls, line ends, lone surrogates, marks that turn the direction of text (and make `exe.png` of `gnp.exe`), and
#: the characters that Windows forbids.
_FORBIDDEN = re.compile('[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff<>:"|?*]')
#: Windows drops these, so that two names would become one.
_AT_THE_END = re.compile(r"[\s.]+\Z")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)", re.IGNORECASE)
#: Types and their extensions, the usual one first. Types that many formats share (a .docx is a ZIP file) are left out.
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
    """Raises ValidationFailed, naming the member, for a blank name and for control characters."""
    checked_line(member, text)


def clean_filename(text: str) -> str:
    """The last part of the path without forbidden characters, at most 255 bytes of UTF-8; never empty."""
    last = re.split(r"[/\\]", text)[-1]
    allowed = _FORBIDDEN.sub("", unicodedata.normalize("NFC", last))
    # Again: characters on both sides of a forbidden one may compose now.
    name = _AT_THE_END.sub("", unicodedata.normalize("NFC", allowed).lstrip())
    if _RESERVED.match(name):
        name = f"_{name}"
    return _AT_THE_END.sub("", _shortened(name)) or FALLBACK


@lru_cache(1024)
def fitting_filename(name: str, mime_type: str) -> str:
    """The name. Its extension is replaced if it belongs to another type than the bytes have."""
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
