"""Short blobs that were read recently, kept in memory.

A blob never changes and its key is never used twice, so the bytes here are always right.
"""

from stowboard.blobs.keys import BlobKey

LONGEST = 1 << 16
_MOST_BYTES = 16 << 20
#: The memory of an entry beside its bytes, rounded up.
ENTRY_BYTES = 500


class RecentBlobs:
    def __init__(self, most_bytes: int = _MOST_BYTES) -> None:
        self._most = most_bytes
        self._blobs: dict[BlobKey, bytes] = {}
        self._bytes = 0

    def find(self, key: BlobKey) -> bytes | None:
        return self._blobs.get(key)

    def keep(self, key: BlobKey, data: bytes) -> None:
        """Keep the blob; the oldest ones make room. Does nothing if it is too long, or kept already."""
        if len(data) > LONGEST or key in self._blobs:
            return
        self._blobs[key] = data
        self._bytes += len(data) + ENTRY_BYTES
        while self._bytes > self._most:
            oldest = next(iter(self._blobs))
            self._bytes -= len(self._blobs.pop(oldest)) + ENTRY_BYTES
