"""Bytes that arrive over many requests, perhaps over days, and become a blob at the end: `BlobStore.append_to`.

The store keeps the bytes, and the caller's row records how many count. `keep` makes bytes durable, then the caller
updates the row; only the bytes in the row were acknowledged. The next writer begins there, and overwrites bytes beyond
it. `finish` makes a blob of all bytes before the row says so. If the row was never updated, the next writer gets
`UploadFinished`, and can update it.

On disk, only one writer at a time can open the bytes (`UploadBusy`). In a bucket each writer makes its own objects, and
the row decides which of them count.
"""

from typing import Protocol

import msgspec

from stowboard.blobs.keys import BlobKey

#: No upload lasts longer: older bytes that are not a blob belong to nobody.
LONGEST_MS = 8 * 24 * 3600 * 1000


class UploadBusy(Exception):
    """Another process is writing these bytes."""


class UploadFinished(Exception):
    """They are a blob already, of this size."""

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(size)


class BytesLost(Exception):
    """Bytes that were acknowledged are not there any more."""


class GrowingBlob(msgspec.Struct, frozen=True):
    """Bytes on their way, as far as they were acknowledged."""

    key: BlobKey
    size: int
    #: The most bytes that there may be in the end.
    most: int
    #: The store's own id for these bytes, after `AppenderLedger.begin` has recorded it.
    handle: str | None = None


class UploadPiece(msgspec.Struct, frozen=True):
    """Some of the bytes in a bucket: a part of a multipart upload, or an object that is too small to be one yet."""

    start: int
    size: int
    number: int | None = None
    etag: str | None = None
    blob_key: BlobKey | None = None


class DurableBytes(msgspec.Struct, frozen=True):
    """Bytes that are durable now, and count once the row records them."""

    size: int
    #: The pieces from the start of the first one on. They replace all pieces that were recorded from there on.
    pieces: list[UploadPiece] = []


class AppenderLedger(Protocol):
    """The notes of a store about one upload. Raises whatever ends a writer that lost its turn."""

    async def begin(self, handle: str) -> None:
        """Remember the handle, the first one. Raises ServiceUnavailable if nobody knows whether it was done."""

    async def claim(self) -> None:
        """From now on no other writer may finish, unless it takes the bytes over from this one."""

    async def next_number(self) -> int:
        """A number, from 1 on, that was never given before."""

    async def tail(self) -> UploadPiece | None:
        """The piece at the end, if it is an object of its own."""

    async def parts(self) -> list[UploadPiece]:
        """The pieces that are parts, in order."""


class BlobAppender(Protocol):
    """One writer. Raises BlobStoreUnavailable, InsufficientStorage; `close` must follow whatever happens."""

    async def open(self) -> None:
        """Get ready to write behind what was acknowledged. Raises UploadBusy, UploadFinished or BytesLost."""

    async def write(self, chunks: list[bytes]) -> None:
        """Take these bytes. They are not durable yet."""

    async def keep(self, chunks: list[bytes]) -> DurableBytes:
        """Take these bytes, and make all that were taken durable."""

    async def finish(self, chunks: list[bytes]) -> None:
        """Take these bytes, and make a durable blob of all."""

    async def close(self) -> None:
        """Release the upload. Bytes that were not kept are lost."""
