"""A body on its way in: read ahead by a task of its own, so that the network and the disk work at the same time.

How much is read ahead is bounded; a client that sends faster waits.
"""

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Self

#: The bytes that a writer gets at a time, if they come fast enough.
BLOCK = 1 << 20
_READ_AHEAD = 2 * BLOCK
#: A pause is this many seconds without a byte. It is seen after one to two times that.
PAUSE_SECONDS = 0.125
#: Bytes that come slowly are given at least this often.
_LONGEST_SECONDS = 1.0


class UploadInflow:
    """Use it as a context: on leaving, reading ends."""

    def __init__(self, chunks: AsyncIterator[bytes]) -> None:
        self._chunks = chunks
        self._held: list[bytes] = []
        self._size = 0
        #: True if something came since the last look.
        self._fresh = False
        self._read_all = False
        self._loop = asyncio.get_running_loop()
        self._waiting: asyncio.Future[None] | None = None
        self._room = asyncio.Event()
        self._hurry: float | None = None
        self._hurried_just_now = False
        #: True if a pause followed the last block.
        self.paused = False

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._read())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)  # a broken body is seen by its length
        del self._task  # it remembers where it was cancelled, and so keeps this object and the request alive

    @property
    def ended(self) -> bool:
        """True once all bytes were taken."""
        return self._read_all and not self._held

    def hurry(self, seconds: float) -> None:
        """From now on, `block` waits no longer than this for bytes, and not for a whole block."""
        self._hurry, self._hurried_just_now = seconds, True
        self._wake()

    async def block(self, patience: float) -> list[bytes]:
        """About BLOCK bytes; fewer at the end, at a pause or if they come slowly; none after `patience` seconds."""
        give_up, self.paused = self._loop.time() + _LONGEST_SECONDS, False
        while self._size < BLOCK and not self._read_all:
            self._fresh = self._hurried_just_now = False
            await self._wait(PAUSE_SECONDS if self._held else self._hurry or patience)
            if not self._fresh and not self._hurried_just_now:
                self.paused = True
                break
            if self._held and (self._hurry or self._loop.time() > give_up):
                break
        taken, self._held, self._size = self._held, [], 0
        self._room.set()
        return taken

    async def _wait(self, seconds: float) -> None:
        """Wait until there is a block, the end, or somebody in a hurry; at most these seconds."""
        self._waiting = self._loop.create_future()
        timer = self._loop.call_later(seconds, self._wake)
        try:
            await self._waiting
        finally:
            timer.cancel()
            self._waiting = None

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    async def _read(self) -> None:
        try:
            async for chunk in self._chunks:
                if chunk:
                    is_first = not self._held
                    self._held.append(chunk)
                    self._size += len(chunk)
                    self._fresh = True
                    if is_first or self._size >= BLOCK:
                        self._wake()
                if self._size >= _READ_AHEAD:
                    self._room.clear()
                    await self._room.wait()
        finally:
            self._read_all = True
            self._wake()
