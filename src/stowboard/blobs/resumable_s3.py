"""Bytes on their way in a bucket: parts of one multipart upload, and at the end an object that is no part yet.

S3 takes no part below 5 MiB except the last, so shorter bytes are kept as an object of their own, the tail; the next
writer reads it back and continues behind it. Numbers of parts are never used twice, so a writer that was superseded
cannot overwrite a part that counts. A multipart upload is begun with its first part: small uploads are one object, put
at the end.

In memory a writer has one part at most. A part is as long as it must be for the largest upload to need 9,000 of them;
S3 takes 10,000, so a thousand may be wasted by writers that were interrupted. Parts are not all of one size, which some
stores that are not Amazon's demand.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import ParamSpec, TypeVar

from stowboard.blobs.keys import BlobKey, new_key
from stowboard.blobs.multipart import MultipartUploads, NoSuchUpload
from stowboard.blobs.resumable import AppenderLedger, BytesLost, DurableBytes, GrowingBlob, UploadFinished, UploadPiece
from stowboard.blobs.store import BlobNotFound, BlobStore
from stowboard.core.errors import ServiceUnavailable

P = ParamSpec("P")
T = TypeVar("T")

_MIB = 1 << 20
_SMALLEST_PART = 5 * _MIB
_USUAL_PART = 8 * _MIB
_MOST_PARTS = 9000
#: The kind of the tails' keys.
TAIL = "tail"


class BucketAppender:
    def __init__(
        self,
        growing: GrowingBlob,
        ledger: AppenderLedger,
        blobs: BlobStore,
        multipart: MultipartUploads,
        threads: Executor,
    ) -> None:
        self._key, self._handle = growing.key, growing.handle
        self._ledger, self._blobs, self._multipart, self._threads = ledger, blobs, multipart, threads
        needed = -(-growing.most // _MOST_PARTS)
        self._part, self._smallest = max(_USUAL_PART, needed), max(_SMALLEST_PART, needed)
        #: Bytes that are in no part yet: the tail, and all that was written behind it.
        self._held: list[bytes] = []
        self._held_size = self._tail_size = 0
        self._size = growing.size
        #: Parts that are not written down yet.
        self._parts: list[UploadPiece] = []

    async def open(self) -> None:
        tail = await self._ledger.tail()
        if tail is not None:
            assert tail.blob_key is not None
            self._held = [await self._read(tail.blob_key)]
            self._held_size = self._tail_size = tail.size

    async def write(self, chunks: list[bytes]) -> None:
        self._hold(chunks)
        if self._held_size >= self._part:
            await self._send_part()

    async def keep(self, chunks: list[bytes]) -> DurableBytes:
        self._hold(chunks)
        if self._held_size >= self._smallest:
            await self._send_part()
        pieces, self._parts = self._parts, []
        if self._held_size > self._tail_size:
            pieces = [*pieces, await self._put_tail()]
        return DurableBytes(self._size, pieces)

    async def finish(self, chunks: list[bytes]) -> None:
        self._hold(chunks)
        await self._ledger.claim()  # otherwise two writers could both put the whole blob
        if self._handle is None:
            await self._blobs.put_bytes(self._key, b"".join(self._held))
            return
        if self._held:
            await self._send_part()
        parts = [*await self._ledger.parts(), *self._parts]
        try:
            await self._in_thread(self._multipart.complete, self._key, self._handle, parts)
        except NoSuchUpload:
            found = await self._blobs.find(self._key)
            if found is None or found.size != self._size:
                raise BytesLost from None

    async def close(self) -> None:
        self._held = []

    def _hold(self, chunks: list[bytes]) -> None:
        self._held += chunks
        added = sum(map(len, chunks))
        self._held_size += added
        self._size += added

    async def _send_part(self) -> None:
        """All that is held."""
        if self._handle is None:
            self._handle = await self._begin()
        number = await self._ledger.next_number()
        try:
            etag = await self._in_thread(self._multipart.send_part, self._key, self._handle, number, self._held)
        except NoSuchUpload:
            found = await self._blobs.find(self._key)
            raise BytesLost if found is None else UploadFinished(found.size) from None
        self._parts.append(UploadPiece(self._size - self._held_size, self._held_size, number, etag))
        self._held, self._held_size, self._tail_size = [], 0, 0

    async def _begin(self) -> str:
        handle = await self._in_thread(self._multipart.create, self._key)
        try:
            await self._ledger.begin(handle)
        except (ServiceUnavailable, asyncio.CancelledError):
            raise  # it may be recorded already, and in use; if it is not, the sweep will find it
        except BaseException:
            await self._in_thread(self._multipart.abort, self._key, handle)
            raise
        return handle

    async def _put_tail(self) -> UploadPiece:
        tail, key = b"".join(self._held), new_key(TAIL)
        await self._blobs.put_bytes(key, tail)
        self._held, self._tail_size = [tail], self._held_size
        return UploadPiece(self._size - self._held_size, self._held_size, blob_key=key)

    async def _read(self, key: BlobKey) -> bytes:
        try:
            return b"".join([chunk async for chunk in self._blobs.read(key)])
        except BlobNotFound:
            raise BytesLost from None

    async def _in_thread(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: call(*args, **kwargs))
