"""Headers of TUS 1.0.0: what a request says with them, and what an answer says.

Harmless mistakes are accepted: an empty Upload-Metadata, and the same length declared twice. Upload-Metadata is kept
and given back as it came; nothing in it is trusted.
"""

import base64
import binascii
import hashlib
from dataclasses import dataclass, field
from email.utils import formatdate
from typing import TYPE_CHECKING

from stowboard.core.errors import InvalidParameter, PreconditionFailed, UnsupportedMediaType
from stowboard.http.exchange import Exchange, Headers
from stowboard.media.uploads.upload import Upload

if TYPE_CHECKING:
    from hashlib import _Hash

VERSION = "1.0.0"
RESUMABLE = ("tus-resumable", VERSION)
ALGORITHMS = ("sha1", "sha256", "md5")
EXTENSIONS = "creation,creation-with-upload,creation-defer-length,checksum,expiration,termination,concatenation"
CONTENT_TYPE = "application/offset+octet-stream"
LONGEST_METADATA = 8 * 1024
#: More digits than any length has; int() of a very long text is slow.
_MOST_DIGITS = 18
_OVERRIDE = "x-http-method-override"


@dataclass
class TusChecksum:
    """The announced digest of one request's body."""

    algorithm: str
    expected: bytes
    _hash: "_Hash" = field(init=False)

    def __post_init__(self) -> None:
        self._hash = hashlib.new(self.algorithm, usedforsecurity=False)

    def update(self, chunks: list[bytes]) -> None:
        for chunk in chunks:
            self._hash.update(chunk)

    @property
    def matches(self) -> bool:
        return self._hash.digest() == self.expected


def method_of(exchange: Exchange) -> str:
    """A POST may stand for a method that something on the way does not let through."""
    return (exchange.header(_OVERRIDE) or exchange.method).upper() if exchange.method == "POST" else exchange.method


def require_version(exchange: Exchange) -> None:
    """Raises PreconditionFailed."""
    if exchange.header("tus-resumable") != VERSION:
        raise PreconditionFailed(
            f"Send Tus-Resumable: {VERSION}, the version of the protocol that is spoken here.",
            (("tus-version", VERSION),),
        )


def check_version(exchange: Exchange) -> None:
    """Check the header where a client may leave it out. Raises PreconditionFailed."""
    if exchange.has_header("tus-resumable"):
        require_version(exchange)


def require_content_type(exchange: Exchange) -> None:
    """Raises UnsupportedMediaType."""
    if (exchange.header("content-type") or "").partition(";")[0].strip().lower() != CONTENT_TYPE:
        raise UnsupportedMediaType(f"Send the bytes with Content-Type: {CONTENT_TYPE}.")


def offset_of(exchange: Exchange) -> int:
    """Raises InvalidParameter."""
    offset = _number(exchange, "upload-offset")
    if offset is None:
        raise InvalidParameter("Upload-Offset is missing: it says where the bytes of this request begin.")
    return offset


def length_of(exchange: Exchange) -> int | None:
    """The length of all bytes, if it is said. Raises InvalidParameter."""
    return _number(exchange, "upload-length")


def declared_length_of(exchange: Exchange) -> int | None:
    """The length that a creation has to say, None if it is to be said later. Raises InvalidParameter."""
    length, deferred = length_of(exchange), exchange.header("upload-defer-length")
    if (length is None) == (deferred is None):
        raise InvalidParameter("Send either Upload-Length or Upload-Defer-Length: 1.")
    if deferred not in (None, "1"):
        raise InvalidParameter("Upload-Defer-Length can only be 1.")
    return length


def concat_of(exchange: Exchange) -> str | None:
    """`partial`, or `final;` and what follows it; None if the upload is neither. Raises InvalidParameter."""
    expected = "Upload-Concat must be `partial`, or `final;` and the addresses of the parts."
    text = _text(exchange, "upload-concat", expected)
    if text not in (None, "partial") and not text.startswith("final;"):
        raise InvalidParameter(expected)
    return text


def metadata_of(exchange: Exchange) -> str | None:
    """As it came. Raises InvalidParameter."""
    text = _text(exchange, "upload-metadata", "Upload-Metadata must be ASCII: keys, and values in base64.")
    if text is not None and len(text) > LONGEST_METADATA:
        raise InvalidParameter(f"Upload-Metadata may have at most {LONGEST_METADATA} characters.")
    return text or None


def checksum_of(exchange: Exchange) -> TusChecksum | None:
    """Raises InvalidParameter."""
    expected = "Upload-Checksum must end with the digest in base64."
    text = _text(exchange, "upload-checksum", expected)
    if text is None:
        return None
    algorithm, _, digest = text.partition(" ")
    if algorithm not in ALGORITHMS:
        raise InvalidParameter(f"Upload-Checksum must begin with one of {', '.join(ALGORITHMS)}.")
    try:
        return TusChecksum(algorithm, base64.b64decode(digest, validate=True))
    except binascii.Error:
        raise InvalidParameter(expected) from None


def standing(upload: Upload) -> Headers:
    """The offset, and the time when the upload expires."""
    return [("upload-offset", str(upload.received)), *_expiry(upload)]


def description(upload: Upload) -> Headers:
    """All headers that describe an upload."""
    length = ("upload-length", str(upload.length)) if upload.length is not None else ("upload-defer-length", "1")
    metadata = [("upload-metadata", upload.metadata)] if upload.metadata is not None else []
    concat = [("upload-concat", upload.concat)] if upload.concat is not None else []
    return [*standing(upload), length, *metadata, *concat]


def _expiry(upload: Upload) -> Headers:
    return [] if upload.complete else [("upload-expires", formatdate(upload.expires_at / 1000, usegmt=True))]


def _number(exchange: Exchange, name: str) -> int | None:
    expected = f"{name.title()} must be a number of bytes."
    text = _text(exchange, name, expected)
    if text is not None and (not text.isdecimal() or len(text) > _MOST_DIGITS):
        raise InvalidParameter(expected)
    return None if text is None else int(text)


def _text(exchange: Exchange, name: str, expected: str) -> str | None:
    """The header, None if it was not sent. Raises InvalidParameter if it is not ASCII, rather than ignore it."""
    text = exchange.header(name)
    if exchange.has_header(name) and (text is None or not text.isascii()):
        raise InvalidParameter(expected)
    return text
