"""Hashes off the event loop: chunks that are read from a store, and blocks that a store pulls from us."""

import asyncio
import hashlib
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from typing import Self

from stowboard.blobs.store import WrittenBlob


async def hashed(chunks: AsyncGenerator[bytes]) -> WrittenBlob:
    """The size and the digest of these chunks."""
    digest, size = hashlib.sha256(), 0
    async with aclosing(chunks) as source:
        async for chunk in source:
            await asyncio.to_thread(digest.update, chunk)
            size += len(chunk)
    return WrittenBlob(size, digest.hexdigest())


class WriterStopped(Exception):
    """The writer was cancelled; the store that pulls has to abort its upload."""


class HashedBlocks:
    """An async iterator over blocks that were read already and those that follow. It keeps no block that it has given.

    It remembers what its source raised (the store that pulls may raise something else in its place) and it can be
    stopped from outside, even while it waits for its source.
    """

    def __init__(self, ready: deque[list[bytes]], rest: AsyncIterator[list[bytes]]) -> None:
        self.failure: BaseException | None = None
        self._ready = ready
        self._rest = rest
        self._digest = hashlib.sha256()
        self._size = 0
        self._stopped = False
        self._pull: asyncio.Task[bytes | None] | None = None

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        if self._stopped:
            raise WriterStopped
        self._pull = asyncio.create_task(self._next())
        try:
            block = await self._pull
        except BaseException as error:
            self.failure = error
            raise WriterStopped from error
        if block is None:
            raise StopAsyncIteration
        return block

    def stop(self) -> None:
        self._stopped = True
        if self._pull is not None:
            self._pull.cancel()

    def written(self) -> WrittenBlob:
        return WrittenBlob(self._size, self._digest.hexdigest())

    async def _next(self) -> bytes | None:
        chunks = self._ready.popleft() if self._ready else await anext(self._rest, None)
        return None if chunks is None else await asyncio.to_thread(self._joined, chunks)

    def _joined(self, chunks: list[bytes]) -> bytes:
        block = b"".join(chunks)
        chunks.clear()  # otherwise the source would hold it until the next one is asked for
        self._digest.update(block)
        self._size += len(block)
        return block
