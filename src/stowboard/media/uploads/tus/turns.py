"""One request at a time has an upload in hand, and a newer one takes it from an older one.

In one process that is a queue: a request that comes asks the holder to stop, and waits until it has put its bytes away.
The holder stops as soon as its bytes pause, and after a moment even if they do not. So a client that has lost its
connection and comes back does not wait for what is left of the old one, and if two clients write at once, one gets
through. Between processes the row's `holder` does it (ledger.py).
"""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from stowboard.core.errors import ServiceUnavailable
from stowboard.media.base.errors import UploadLocked

WAIT_SECONDS = 10.0
#: A request that only asks gets the upload soon; one that wants to write gives the holder a better chance.
SHORT_PAUSE = 0.125
LONG_PAUSE = 1.0
#: Each may hold a few megabytes in memory.
MOST_AT_ONCE = 512


class UploadTurn:
    """A request's turn. `waited` is true if another one had the upload before: what was read of it may be old."""

    def __init__(self, waited: bool) -> None:
        self.waited = waited
        self.asked_to_stop = False
        self._pause = LONG_PAUSE
        self._tell: Callable[[float], None] | None = None

    def when_asked(self, tell: Callable[[float], None]) -> None:
        """`tell` gets the number of seconds without a byte after which the holder has to stop."""
        self._tell = tell
        if self.asked_to_stop:
            tell(self._pause)

    def ask_to_stop(self, pause: float) -> None:
        self.asked_to_stop, self._pause = True, min(pause, self._pause)
        if self._tell is not None:
            self._tell(self._pause)


class _Queue:
    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        #: The pauses that the waiting requests ask for.
        self.waiting: list[float] = []
        self.holder: UploadTurn | None = None


class UploadTurns:
    """The turns of all uploads in this process."""

    def __init__(self) -> None:
        self._queues: dict[str, _Queue] = {}
        self._closed = False
        self._all_ended = asyncio.Event()

    @asynccontextmanager
    async def take(self, upload_id: str, pause: float = SHORT_PAUSE) -> AsyncIterator[UploadTurn]:
        """Raises UploadLocked if the holder does not stop in time, ServiceUnavailable if there are too many."""
        if self._closed or (upload_id not in self._queues and len(self._queues) >= MOST_AT_ONCE):
            raise ServiceUnavailable(
                "Too many uploads are being written at the moment, or the server is stopping. Retry."
            )
        queue = self._queues.setdefault(upload_id, _Queue())
        waited = queue.lock.locked() or bool(queue.waiting)
        await self._wait_for_turn(upload_id, queue, pause)
        turn = queue.holder = UploadTurn(waited)
        if queue.waiting:
            turn.ask_to_stop(min(queue.waiting))
        try:
            yield turn
        finally:
            queue.holder = None
            queue.lock.release()
            self._forget_unused(upload_id, queue)

    def stop(self) -> None:
        """Ask all to put away what they have, and let nobody in any more."""
        self._closed = True
        for queue in self._queues.values():
            if queue.holder is not None:
                queue.holder.ask_to_stop(SHORT_PAUSE)

    async def close(self) -> None:
        """Stop, and wait until all did, for a while."""
        self.stop()
        if self._queues:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._all_ended.wait(), WAIT_SECONDS / 2)

    async def _wait_for_turn(self, upload_id: str, queue: _Queue, pause: float) -> None:
        if queue.holder is not None:
            queue.holder.ask_to_stop(pause)
        queue.waiting.append(pause)
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await queue.lock.acquire()
        except TimeoutError:
            raise UploadLocked from None
        finally:
            queue.waiting.remove(pause)
            self._forget_unused(upload_id, queue)

    def _forget_unused(self, upload_id: str, queue: _Queue) -> None:
        if not queue.lock.locked() and not queue.waiting:
            self._queues.pop(upload_id, None)
            if self._closed and not self._queues:
                self._all_ended.set()
