"""Bytes that came as base64 in JSON.

The standard alphabet (RFC 4648, 4). Forgiven, because common libraries write it: a `data:…;base64,` before it, missing
padding, white space between. Long texts are decoded in a thread, a piece at a time: the decoder holds Python's lock
while it works, and the event loop wants it back in between.
"""

import asyncio
import binascii
import re

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
_SHORT = 64 * 1024
_PIECE = 256 * 1024  # a multiple of four
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
    """For who has sent a form instead."""
    return _WAYS.format(member)


def _decoded(member: str, text: str) -> bytes:
    prefix = _PREFIX.match(text)
    try:
        digits = text[prefix.end() if prefix else 0 :].encode("ascii").translate(None, _WHITE_SPACE)
        return b"".join([binascii.a2b_base64(piece, strict_mode=True) for piece in _pieces(_padded(digits))])
    except ValueError:  # also what `encode` and binascii raise
        raise InvalidBase64(f"{member} is not base64 of the standard alphabet (RFC 4648).") from None


def _padded(digits: bytes) -> bytes:
    bare = digits.removesuffix(b"=").removesuffix(b"=")
    if b"=" in bare:  # the decoder would miss it at the end of a piece
        raise ValueError
    return bare + b"=" * (-len(bare) % 4)


def _pieces(digits: bytes) -> list[bytes]:
    return [digits[start : start + _PIECE] for start in range(0, len(digits), _PIECE)]
