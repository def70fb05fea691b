"""The body of one request on its way into the store.

Bytes count as they arrive: they are made durable and acknowledged every 16 MiB, every few seconds, as soon as they
pause, and at the end, however that comes. So a lost connection loses at most what was in flight, and a crash what came
since the last step.
Where a checksum was announced, nothing counts before it was verified.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import msgspec

from stowboard.blobs.resumable import (
    BlobAppender,
    BytesLost,
    DurableBytes,
    GrowingBlob,
    UploadBusy,
    UploadFinished,
)
from stowboard.blobs.store import BlobStore
from stowboard.core.errors import (
    Conflict,
    InsufficientStorage,
    PayloadTooLarge,
    Problem,
    RequestTimeout,
    ServiceUnavailable,
)
from stowboard.http.exchange import stream_deadline
from stowboard.http.head import CLOSE
from stowboard.media.base.errors import ChecksumMismatch, UploadGone, UploadLocked
from stowboard.media.uploads.tus.inflow import UploadInflow
from stowboard.media.uploads.tus.ledger import UploadLedger, UploadSuperseded
from stowboard.media.uploads.tus.protocol import TusChecksum
from stowboard.media.uploads.tus.turns import WAIT_SECONDS, UploadTurn

KEEP_BYTES = 16 << 20
KEEP_SECONDS = 5.0
#: A few bytes between two pauses are not worth a step each time.
FEW_BYTES = 64 * 1024
FEW_SECONDS = 2.0
#: While no bytes come: how often the row is looked at, and when the request ends.
LOOK_SECONDS = 0.5
SILENCE_SECONDS = 60.0
#: A holder that is asked to stop does so at the next pause, and after waiting this long for bytes in any case.
ASKED_SECONDS = 5.0
#: A writer in another process gets this long to end by itself before it is superseded.
BUSY_SECONDS = 0.3
_BUSY_PAUSE_SECONDS = 0.05


class TransferBounds(msgspec.Struct, frozen=True):
    """How many bytes an upload may have."""

    #: All of them, as the client said; None while it has not.
    length: int | None
    #: The largest upload that the server takes.
    most: int
    #: For an upload without a length: the length at which the storage is full. None if nothing bounds it.
    room: int | None = None

    @property
    def end(self) -> int:
        if self.length is not None:
            return self.length
        return self.most if self.room is None else min(self.most, self.room)

    def passed(self) -> Problem:
        """The problem of bytes beyond the end."""
        if self.length is None and self.end < self.most:
            return InsufficientStorage(f"There is room for {self.end} bytes of this upload, and more came.")
        return PayloadTooLarge(f"These bytes go beyond the {self.end} that the upload may have.")


class UploadTransfer:
    def __init__(
        self,
        blobs: BlobStore,
        ledger: UploadLedger,
        turn: UploadTurn,
        bounds: TransferBounds,
        checksum: TusChecksum | None,
    ) -> None:
        self._blobs, self._ledger, self._turn = blobs, ledger, turn
        self._bounds, self._length, self._checksum = bounds, bounds.length, checksum
        self._loop = asyncio.get_running_loop()
        self._start = self._size = ledger.upload.received
        self._started_at = self._kept_at = self._heard_at = self._loop.time()
        self._waited_since_asked = 0.0
        self._announced = False

    async def run(self, chunks: AsyncIterator[bytes], announced: int | None) -> None:
        """Take in the bytes; `announced` is how many the request says will come.

        Raises UploadSuperseded, or the Problem that ended it early; what counts then is in `ledger.upload`.
        """
        upload = self._ledger.upload
        growing = GrowingBlob(upload.blob_key, upload.received, self._bounds.end, upload.handle)
        appending = self._blobs.append_to(growing, self._ledger)
        try:
            await self._open(appending)
            async with UploadInflow(chunks) as inflow:
                self._turn.when_asked(inflow.hurry)
                rest, problem = await self._take_in(inflow, appending, announced)
                # Inside the context, so that reading ends by itself meanwhile and is not cancelled.
                await self._put_away(appending, rest, problem or self._lost(announced))
        except UploadFinished as finished:
            await self._ledger.complete(finished.size)
            raise UploadSuperseded from None
        except BytesLost:
            await self._ledger.look()  # or did another writer merge them into others?
            raise UploadGone from None
        finally:
            await appending.close()

    async def _open(self, appending: BlobAppender) -> None:
        try:
            await appending.open()
        except UploadBusy:
            await self._open_after_another(appending)
            await self._ledger.look()  # the other one may have got somewhere
            if self._ledger.upload.received != self._start:
                raise UploadSuperseded from None

    async def _open_after_another(self, appending: BlobAppender) -> None:
        started, taken = self._loop.time(), False
        while (waited := self._loop.time() - started) < WAIT_SECONDS:
            if waited > BUSY_SECONDS and not taken:
                await self._ledger.take_over()
                taken = True
            await asyncio.sleep(_BUSY_PAUSE_SECONDS)
            with suppress(UploadBusy):
                await appending.open()
                return
        raise UploadLocked

    async def _take_in(
        self, inflow: UploadInflow, appending: BlobAppender, announced: int | None
    ) -> tuple[list[bytes], Problem | None]:
        """The bytes that were not given to the store yet, and the reason if the body ended early."""
        while True:
            before = self._loop.time()
            block = await inflow.block(LOOK_SECONDS)
            if self._turn.asked_to_stop:
                self._waited_since_asked += self._loop.time() - before
            if self._size + sum(map(len, block)) > self._bounds.end:
                return [], self._bounds.passed()
            await self._count(block)
            if inflow.ended or self._size - self._start == announced:
                return block, None
            if block:
                await appending.write(block)
            elif problem := await self._be_quiet():
                return [], problem
            if self._is_worth_keeping(inflow.paused):
                await self._keep(appending)
            if self._loop.time() > self._started_at + stream_deadline(self._size - self._start):
                return [], _too_slow("The bytes come too slowly. Ask with HEAD, and go on from there.")
            if self._waited_since_asked > ASKED_SECONDS:
                return [], _stopped()

    @property
    def _unkept(self) -> int:
        return self._size - self._ledger.upload.received

    async def _count(self, block: list[bytes]) -> None:
        if block:
            self._heard_at = self._loop.time()
            self._size += sum(map(len, block))
            if self._checksum is not None:
                await asyncio.to_thread(self._checksum.update, block)

    async def _keep(self, appending: BlobAppender) -> None:
        if self._checksum is None:
            kept = await appending.keep([])
        else:
            kept = DurableBytes(self._ledger.upload.received)
        await self._ledger.keep(kept, length=self._length, go_on=True)
        self._kept_at, self._announced = self._loop.time(), True

    def _is_worth_keeping(self, paused: bool) -> bool:
        since = self._loop.time() - self._kept_at
        if self._checksum is not None or not self._unkept:
            return paused and not self._announced  # tells others that somebody is here
        if self._unkept >= KEEP_BYTES or since > KEEP_SECONDS:
            return True
        return paused and (self._unkept >= FEW_BYTES or since > FEW_SECONDS or not self._announced)

    async def _be_quiet(self) -> Problem | None:
        """No byte came for a while."""
        if self._turn.asked_to_stop:
            return _stopped()
        if self._loop.time() - self._heard_at > SILENCE_SECONDS:
            return _too_slow(f"No byte came for {SILENCE_SECONDS:.0f} seconds. Ask with HEAD, and go on from there.")
        if self._announced:
            await self._ledger.look()
        return None

    def _lost(self, announced: int | None) -> Problem | None:
        """A problem if the body has fewer bytes than were announced: then its client has gone."""
        if announced is None or self._size - self._start >= announced:
            return None
        # 503, because clients of TUS try again after it, and not after a 4xx.
        lost = ServiceUnavailable(
            "The body ended before its Content-Length was reached. Ask with HEAD, and go on from there."
        )
        lost.headers += (CLOSE,)
        return lost

    async def _put_away(self, appending: BlobAppender, rest: list[bytes], problem: Problem | None) -> None:
        if self._checksum is not None and (problem is not None or not self._checksum.matches):
            await self._let_go(DurableBytes(self._ledger.upload.received))
            raise problem or ChecksumMismatch
        if self._size == self._length:
            await appending.finish(rest)
            await self._ledger.complete(self._size)
        else:
            await self._let_go(await appending.keep(rest) if self._unkept else DurableBytes(self._size))
        if problem is not None:
            raise problem

    async def _let_go(self, kept: DurableBytes) -> None:
        upload = self._ledger.upload
        if kept.size != upload.received or self._length != upload.length or upload.holder is not None:
            await self._ledger.keep(kept, length=self._length, go_on=False)


def _stopped() -> Problem:
    message = "A newer request has taken over, or the server is stopping. Ask with HEAD, and go on from there."
    return Conflict(message, (CLOSE,))


def _too_slow(message: str) -> Problem:
    return RequestTimeout(message, (CLOSE,))
