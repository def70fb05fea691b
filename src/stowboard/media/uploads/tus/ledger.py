"""The row of an upload in the hands of one writer.

Each step is a compare-and-set on what the writer last knew: generation, received bytes and holder. So two writers never
both move it, whatever they wrote to the store; the one that finds it changed raises UploadSuperseded and stops. The
last step, which says that all bytes are a blob, ignores the holder: that is a fact, and nobody can add bytes any more.

A writer that is done soon leaves no more trace than its one step. One that goes on for longer writes its name into
`holder`; a request in another process takes the upload over by writing another one there, which the writer finds out at
its next step, or when it looks because no bytes come.
"""

import secrets

import msgspec

from stowboard.blobs.resumable import DurableBytes, UploadPiece
from stowboard.core import clock
from stowboard.core.services import Services
from stowboard.db.database import Database, DatabaseUnavailable, Tx
from stowboard.media.base.discard import discard_later
from stowboard.media.base.errors import UploadGone
from stowboard.media.base.storage import Storage
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.upload import Upload, UploadReceiver, UploadReceivers, UploadState

_HOUR_MS = 3600 * 1000
#: An upload lives SILENCE_MS after its latest byte, but no longer than LIFE_MS after its creation.
SILENCE_MS = 24 * _HOUR_MS
LIFE_MS = 7 * 24 * _HOUR_MS
#: The time for which a complete upload answers, and waits until its bytes are taken.
COMPLETE_MS = 72 * _HOUR_MS


class UploadSuperseded(Exception):
    """Another request has the upload now, or it is at its end."""


class UploadLedger:
    """`upload` is the row as this writer last wrote or read it. It is also the store's AppenderLedger."""

    def __init__(self, services: Services, upload: Upload) -> None:
        self.upload = upload
        self._db, self._storage = services.use(Database), services.use(Storage)
        self._receiver = services.use(UploadReceivers).of(upload)
        self._name = secrets.token_hex(8)

    async def take_over(self) -> None:
        """Take the upload over from a writer in another process. Raises UploadGone."""
        taken = await self._db.transact(upload_store.set_holder, self.upload.id, self._name)
        if taken is None or taken.generation != self.upload.generation:
            raise UploadGone
        self.upload = taken

    async def keep(self, kept: DurableBytes, *, length: int | None, go_on: bool) -> None:
        """Acknowledge what the store has kept. `go_on` tells others that this writer is not done.

        Raises UploadSuperseded, or InsufficientStorage if the further bytes pass a limit.
        """
        now = clock.now_ms()
        later = min(now + SILENCE_MS, self.upload.created_at + LIFE_MS) if kept.size > self.upload.received else 0
        after = msgspec.structs.replace(
            self.upload, received=kept.size, length=length, holder=self._name if go_on else None, updated_at=now,
            expires_at=max(self.upload.expires_at, later),
        )  # fmt: skip
        await self._db.transact(_advance, self.upload, after, self._receiver, self._storage, kept.pieces)
        self.upload = after

    async def complete(self, size: int) -> None:
        """Say that all bytes are a blob of this size. Raises UploadSuperseded if another request has said so."""
        now = clock.now_ms()
        after = msgspec.structs.replace(
            self.upload, received=size, length=size, state=UploadState.COMPLETE, holder=None, updated_at=now,
            expires_at=now + COMPLETE_MS,
        )  # fmt: skip
        await self._db.transact(_complete, self.upload, after, self._receiver)
        self.upload = after

    async def look(self) -> None:
        """Raises UploadSuperseded if it is another's."""
        found = await self._db.read(upload_store.find, self.upload.id)
        mine = (self.upload.generation, self.upload.received, self.upload.holder, self.upload.state)
        if found is None or (found.generation, found.received, found.holder, found.state) != mine:
            raise UploadSuperseded

    async def begin(self, handle: str) -> None:
        try:
            begun = await self._db.transact(upload_store.begin_parts, self.upload, handle)
        except DatabaseUnavailable:
            # The connection may have been lost after the commit: the row knows.
            found = await self._db.read(upload_store.find, self.upload.id)
            if found is None or found.handle != handle:
                raise
            begun = True
        if not begun:
            raise UploadSuperseded
        self.upload = msgspec.structs.replace(self.upload, handle=handle)

    async def claim(self) -> None:
        await self.keep(DurableBytes(self.upload.received), length=self.upload.length, go_on=True)

    async def next_number(self) -> int:
        number = await self._db.transact(upload_store.next_part, self.upload)
        if number is None:
            raise UploadSuperseded
        return number

    async def tail(self) -> UploadPiece | None:
        return await self._db.read(upload_store.find_tail, self.upload.id)

    async def parts(self) -> list[UploadPiece]:
        return await self._db.read(upload_store.find_parts, self.upload.id)


async def _advance(
    tx: Tx, before: Upload, after: Upload, receiver: UploadReceiver, storage: Storage, pieces: list[UploadPiece]
) -> None:
    if not await upload_store.advance(tx, before, after):
        raise UploadSuperseded
    if after.reserved > before.reserved:
        await storage.require_room(tx, after.created_by, 0)
    if pieces:
        await discard_later(tx, await upload_store.remove_pieces(tx, after.id, pieces[0].start))
        await upload_store.add_pieces(tx, after.id, pieces)
    if before.received == 0 and after.received:
        await receiver.started(tx, after)


async def _complete(tx: Tx, before: Upload, after: Upload, receiver: UploadReceiver) -> None:
    if not await upload_store.complete(tx, before, after):
        raise UploadSuperseded
    await discard_later(tx, await upload_store.remove_pieces(tx, after.id, 0))
    await receiver.completed(tx, after)
