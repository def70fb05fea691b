"""Content-Type and Content-Disposition: how a browser shows bytes, and under which name it saves them.

Only types that run nothing are shown in place; all others are saved. A stored type or name is never trusted to be fit
for a header.
"""

import re
import unicodedata
from enum import StrEnum
from functools import lru_cache
from urllib.parse import quote

from stowboard.media.base.image_types import IMAGE_TYPES


class Disposition(StrEnum):
    INLINE = "inline"
    ATTACHMENT = "attachment"


#: For bytes whose type is unknown or would be dangerous.
OPAQUE = "application/octet-stream"
#: Images that run nothing; browsers can decode some that we cannot.
_RASTER = {*IMAGE_TYPES, "image/apng", "image/bmp", "image/jxl", "image/vnd.microsoft.icon", "image/x-icon"}
_TYPE = re.compile(r"[A-Za-z0-9!#$&^_.+-]{1,64}/[A-Za-z0-9!#$&^_.+-]{1,64}")
_ACTIVE = re.compile(r"(java|ecma|j|live)script|text/css", re.IGNORECASE)
#: RFC 8187 leaves these as they are, beside letters and digits.
_ATTR_CHAR = "!#$&+-.^_`|~"
#: `?` is left out too: browsers decode encoded words (RFC 2047) in a name.
_NOT_IN_QUOTES = re.compile(r'[^ !#-$&-.0->@-\[\]-~]')  # fmt: skip
#: Controls, and marks that would show `gpj.exe` as `exe.jpg`.
_INVISIBLE = re.compile("[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
_SEPARATORS = re.compile(r"[/\\]")


@lru_cache(1024)
def content_type(mime_type: str) -> str:
    """The value of the header. Scripts and style sheets become opaque, so that no page of this origin can load one."""
    return mime_type if _TYPE.fullmatch(mime_type) and not _ACTIVE.search(mime_type) else OPAQUE


@lru_cache(1024)
def content_disposition(mime_type: str, filename: str, wanted: Disposition = Disposition.INLINE) -> str:
    """The header's value, in ASCII, whatever the name is (RFC 6266)."""
    shown = wanted if is_inert(mime_type) else Disposition.ATTACHMENT
    name = _SEPARATORS.sub("_", _INVISIBLE.sub("", filename)).encode(errors="replace").decode() or "file"
    return f"{shown}; filename=\"{_in_ascii(name)}\"; filename*=UTF-8''{quote(name, safe=_ATTR_CHAR)}"


def is_inert(mime_type: str) -> bool:
    """True for a type that runs nothing where a browser shows it."""
    kind = mime_type.lower()
    return kind in _RASTER or kind == "text/plain" or kind.startswith(("audio/", "video/"))


def _in_ascii(name: str) -> str:
    """The name for clients that do not know `filename*`: letters without marks, `_` for all other characters.

    A percent sign is replaced too, since some clients take it for an escape.
    """
    plain = "".join(char for char in unicodedata.normalize("NFKD", name) if not unicodedata.combining(char))
    return _NOT_IN_QUOTES.sub("_", plain)
