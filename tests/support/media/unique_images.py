"""Small images, each with other bytes than any before, and one that must not count as an image."""

import secrets
import struct
import zlib

from support.media.pictures import noise, saved


def png(width: int = 40, height: int = 30) -> bytes:
    """Without a library, so that it costs next to nothing."""
    rows = (b"\0" + secrets.token_bytes(3) * width) * height
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    comment = b"Comment\0" + secrets.token_bytes(16)
    chunks = [(b"IHDR", head), (b"tEXt", comment), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in chunks)


def jpeg(width: int = 64, height: int = 48) -> bytes:
    """Bytes behind its end are allowed, and make it unique."""
    return saved(noise(width, height), ".jpg") + secrets.token_bytes(16)


def svg() -> bytes:
    return b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
