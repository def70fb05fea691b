"""The port to bytes that arrive over many requests, perhaps over days, and become a blob at the end.

The store keeps what it is given, but how far that counts is the caller's to write down: `keep` makes bytes durable,
then the caller's row moves, and only what the row says was ever promised. Whoever opens the bytes again begins there;
what lies beyond was never acknowledged and is written over. `finish` makes a blob of all of them before a row says so:
if the row was never moved, the next to open them is told by `UploadFinished`, and can move it.

On disk two writers of the same bytes keep each other out (`UploadBusy`). In a bucket each writes its own objects, and
the row decides whose count.
"""

from typing import Protocol, runtime_checkable

import msgspec

from stowboard.blobs.keys import BlobKey

#: No bytes are on their way for longer: what is older and not a blob is nobody's.
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
    #: How many they may become at most.
    most: int
    #: What the store itself calls them, once it was told of in `AppenderLedger.begin`.
    handle: str | None = None


class UploadPiece(msgspec.Struct, frozen=True):
    """Some of the bytes in a bucket: a part of a multipart upload, or an object that is too small to be one yet."""

    start: int
    size: int
    number: int | None = None
    etag: str | None = None
    blob_key: BlobKey | None = None


class DurableBytes(msgspec.Struct, frozen=True):
    """Bytes that are durable now, and count once they are written down."""

    size: int
    #: All pieces from the first one's start on; those that were written down before from there on are no more.
    pieces: list[UploadPiece] = []


class AppenderLedger(Protocol):
    """The notes of a store about one upload. Raises whatever ends a writer that lost its turn."""

    async def begin(self, handle: str) -> None:
        """Remember the handle, the first one. Raises ServiceUnavailable if nobody knows whether it was done."""

    async def claim(self) -> None:
        """From here on nobody else may finish, unless by taking the bytes from this writer."""

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
        """Take these. They are not durable yet."""

    async def keep(self, chunks: list[bytes]) -> DurableBytes:
        """Take these and make all durable."""

    async def finish(self, chunks: list[bytes]) -> None:
        """Take these and make a durable blob of all bytes."""

    async def close(self) -> None:
        """Let go. What was not kept is lost."""


@runtime_checkable
class ResumableStore(Protocol):
    """A store that takes bytes in this way; ours all do."""

    def append_to(self, growing: GrowingBlob, ledger: AppenderLedger) -> BlobAppender:
        """A writer, to be opened."""

    async def discard_growing(self, key: BlobKey, handle: str | None) -> None:
        """Remove the bytes, whether they became a blob or not; pieces with keys of their own are the caller's."""
