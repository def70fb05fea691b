"""The port to bytes at rest, and what can go wrong there.

A blob is written once, whole, under a fresh key, and never changed. When `put` returns, the bytes survive a crash;
when it fails or is cancelled, there is nothing under the key, or the whole blob if it was too late to stop. So: put
first, then commit the row that names the key; a sweep deletes old blobs that no row names.

Two writers of one key do not exclude each other: the blob of one of them stays, whole. Deletions are not durable: after
a crash a deleted blob may be back, and the sweep will find it.
"""

from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Mapping
from pathlib import Path
from typing import Protocol, runtime_checkable

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.resumable import AppenderLedger, BlobAppender, GrowingBlob
from stowboard.core.errors import ServiceUnavailable

#: About the memory of a bytes object beside its bytes: a block of many tiny chunks must not become large.
_CHUNK_OVERHEAD = 64


class BlobNotFound(LookupError):
    """No blob has this key."""

    def __init__(self, key: BlobKey) -> None:
        self.key = key
        super().__init__(key)


class BlobStoreUnavailable(ServiceUnavailable):
    """The store did not do what it was asked. `reason` is for the log and the operator, not for clients."""

    message = "The store of files is away for the moment. Nothing was changed; retry."

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__()


class WrittenBlob(msgspec.Struct, frozen=True):
    size: int
    #: In hexadecimal.
    sha256: str


class StoredBlob(msgspec.Struct, frozen=True):
    key: BlobKey
    size: int
    modified_ms: int


class DiskSpace(msgspec.Struct, frozen=True):
    free: int
    total: int


class BlobStore(Protocol):
    """Every method may raise BlobStoreUnavailable; those that write, InsufficientStorage."""

    async def put(self, key: BlobKey, chunks: AsyncIterable[bytes]) -> WrittenBlob:
        """Write what the source yields, in flat memory. What the source raises comes out as it is."""

    async def put_bytes(self, key: BlobKey, data: bytes, sha256: str | None = None) -> WrittenBlob:
        """Write bytes that are in memory already. A caller that knows their hash gives it, and saves hashing them."""

    def read(self, key: BlobKey, start: int = 0, end: int | None = None) -> AsyncGenerator[bytes]:
        """The bytes from `start` up to and without `end`, in large chunks; fewer where the blob is shorter.

        Raises BlobNotFound at the first chunk, and at a later one if the blob is deleted meanwhile. A caller
        that may stop before the end closes it (`contextlib.aclosing`).
        """

    async def find(self, key: BlobKey) -> StoredBlob | None:
        """Size and age, or None."""

    async def delete_many(self, keys: Iterable[BlobKey]) -> None:
        """Delete these blobs; a missing one is no error."""

    def walk(self, kind: str | None = None, after: BlobKey | None = None) -> AsyncGenerator[StoredBlob]:
        """Every whole blob in the order of keys, of one kind or of all, beyond the key `after`.

        Files and objects of others, whose names are not keys, are left out. Blobs that come or go meanwhile may be
        in it or not.
        """

    async def discard_unfinished(self, before_ms: int) -> int:
        """Remove the half-written blobs of killed writers, untouched since `before_ms`; returns how many.

        `before_ms` must be older than any upload may last: an upload that is still running would lose its bytes.
        """

    def append_to(self, growing: GrowingBlob, ledger: AppenderLedger) -> BlobAppender:
        """A writer for bytes that arrive over many requests (`resumable`), to be opened."""

    async def discard_growing(self, key: BlobKey, handle: str | None) -> None:
        """Remove such bytes, whether they became a blob or not. The caller removes pieces with keys of their own."""

    def space(self) -> DiskSpace | None:
        """The bytes that still fit; None if the store has no known limit. Sends no request."""

    async def check(self) -> None:
        """Write, read and delete a small blob; raises what prevented it."""

    async def close(self) -> None:
        """Let go of threads and connections."""


@runtime_checkable
class LocalFiles(Protocol):
    """A store whose blobs are files here, which the server can send without passing them through Python."""

    def local_path(self, key: BlobKey) -> Path:
        """The path of the blob, which may not exist."""


@runtime_checkable
class SignedLinks(Protocol):
    """A store that serves a blob directly to anyone who has a signed link."""

    def signed_get(
        self, key: BlobKey, headers: Mapping[str, str], *, expires_in_s: int, begins_at_s: int | None = None
    ) -> str:
        """A URL that serves the blob with these headers until it expires. By default its time begins now."""


async def in_blocks(chunks: AsyncIterable[bytes], size: int) -> AsyncGenerator[list[bytes]]:
    """The chunks in groups that hold at least `size` bytes (the last may be smaller), for fewer calls of a thread."""
    block: list[bytes] = []
    size_so_far = 0
    async for chunk in chunks:
        block.append(chunk)
        size_so_far += len(chunk) + _CHUNK_OVERHEAD
        if size_so_far >= size:
            yield block
            block, size_so_far = [], 0
    if block:
        yield block


def held(block: list[bytes]) -> int:
    """Memory that a group of chunks takes."""
    return sum(map(len, block)) + _CHUNK_OVERHEAD * len(block)


def require_range(start: int, end: int | None) -> None:
    if start < 0 or (end is not None and end <= start):
        raise ValueError(f"not a range of at least one byte: {start}..{end}")
