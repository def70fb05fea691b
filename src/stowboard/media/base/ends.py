"""The ends of a large blob, its first and last 64 KiB: a quick proof of its bytes, for the first time it is served."""

import hashlib

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore

#: Up to this size a blob is hashed whole instead.
WHOLE_BYTES = 8 << 20
_END_BYTES = 64 * 1024


async def digest_of_ends(blobs: BlobStore, key: BlobKey, size: int) -> str | None:
    """The digest to keep beside a large blob; None for one that is hashed whole. Raises BlobNotFound."""
    if size <= WHOLE_BYTES:
        return None
    digest = hashlib.sha256()
    for start in (0, size - _END_BYTES):
        async for chunk in blobs.read(key, start, start + _END_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
