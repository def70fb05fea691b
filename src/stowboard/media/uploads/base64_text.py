"""Bytes that came as base64 in JSON.

The standard alphabet (RFC 4648, 4). What common libraries write is forgiven: a `data:…;base64,` at the start, missing
padding, white space inside. A megabyte takes 0.1 ms; only texts in lines or of several megabytes are worth a thread.
"""

import asyncio
import re

import pybase64

from stowboard.core.errors import PayloadTooLarge
from stowboard.media.base.errors import InvalidBase64

#: Characters of text, as they came.
MAX_TEXT = 10 * 1024 * 1024
MAX_BYTES = MAX_TEXT // 4 * 3
INSTEAD = f"A file of up to {MAX_BYTES} bytes fits; send larger ones with POST /media/upload/presigned."
_WAYS = (
    "A file goes as base64 text in the member {}; or as it is, by a PUT to the address that"
    " POST /media/upload/presigned gives."
)
#: Above it, decoding takes long enough to be noticed by others.
_SHORT = 2 * 1024 * 1024
_PREFIX = re.compile(r"data:[^,]{0,255};base64,", re.IGNORECASE)
_WHITE_SPACE = b" \t\r\n\f\v"


async def decode_base64(member: str, text: str) -> bytes:
    """The bytes, at least one. The member's name is for the message. Raises InvalidBase64."""
    if len(text) > MAX_TEXT:
        raise PayloadTooLarge(f"{member} has more than the {MAX_TEXT} characters that this operation takes. {INSTEAD}")
    decoded = _decoded(member, text) if len(text) <= _SHORT else await asyncio.to_thread(_decoded, member, text)
    if not decoded:
        raise InvalidBase64(f"{member} has no bytes; expected base64 of at least one.")
    return decoded


def ways_to_send(member: str) -> str:
    """Advice for a client that sent a form which is not read."""
    return _WAYS.format(member)


def _decoded(member: str, text: str) -> bytes:
    prefix = _PREFIX.match(text)
    digits = text[prefix.end() :] if prefix else text
    try:
        try:
            return _strictly(digits)
        except ValueError:
            return _strictly(digits.encode("ascii").translate(None, _WHITE_SPACE).decode())
    except ValueError:
        raise InvalidBase64(f"{member} is not base64 of the standard alphabet (RFC 4648).") from None


def _strictly(digits: str) -> bytes:
    """Raises ValueError, also for what is not ASCII."""
    if len(digits) % 4:
        bare = digits.removesuffix("=").removesuffix("=")
        digits = bare + "=" * (-len(bare) % 4)
    return pybase64.b64decode(digits, validate=True)
