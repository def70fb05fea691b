"""Pre-signed uploads by one PUT: all announced bytes, streamed to the store, once.

One request at a time sends: a later one waits for a moment, and takes over as soon as the earlier one pauses
(turns.py). Requests in several processes write to keys of their own, so that their bytes never mix, and the first to
end wins. A request that ends early leaves nothing behind, and can be repeated. The expiry of the address is checked
when a request begins; it then has all the time it needs.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing, asynccontextmanager

import msgspec

from stowboard.api.endpoint import NO_META
from stowboard.api.envelope import success
from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobStore, WrittenBlob
from stowboard.core import clock
from stowboard.core.errors import Conflict, RequestTimeout, ServiceUnavailable
from stowboard.core.services import Services
from stowboard.db.database import Database, Tx
from stowboard.http.exchange import Exchange, Route, content_length, stream_deadline
from stowboard.http.head import CLOSE
from stowboard.http.origin import Origins
from stowboard.media.assets.inline import BLOB_KIND
from stowboard.media.assets.presigned import give_to_asset
from stowboard.media.assets.wire import show
from stowboard.media.base.asset import Asset
from stowboard.media.base.errors import (
    AssetNotFound,
    ChecksumMismatch,
    SignatureExpired,
    SizeMismatch,
    UploadGone,
    UploadNotFound,
)
from stowboard.media.base.links import MediaLinks
from stowboard.media.base.storage import Storage
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.ending import discard_bytes
from stowboard.media.uploads.tus.turns import LONG_PAUSE, UploadTurn, UploadTurns
from stowboard.media.uploads.upload import Upload, UploadPurpose, UploadState

#: At least one byte must come in this time.
SILENCE_SECONDS = 60.0
#: An upload that is being sent is kept alive for this long at a time.
ALIVE_SECONDS = 600
#: A complete upload is remembered for this long, to answer a client that sends it again.
REMEMBERED_MS = 24 * 3600 * 1000
_RETRY_SECONDS = 5.0
_HEADERS = [("content-type", "application/json"), ("cache-control", "no-store")]


def routes(services: Services, origins: Origins) -> list[Route]:
    return [Route("PUT", "/uploads/put/{token}", PutUploads(services, origins).put)]


class PutUploads:
    def __init__(self, services: Services, origins: Origins) -> None:
        self._db, self._blobs, self._links = services.use(Database), services.use(BlobStore), services.use(MediaLinks)
        self._origins, self._storage, self._turns = origins, services.use(Storage), services.use(UploadTurns)

    async def put(self, exchange: Exchange, token: str) -> None:
        upload = await self._db.read(_get_usable, token)
        if (length := content_length(exchange)) not in (None, upload.length):
            raise SizeMismatch(f"The upload was announced with {upload.length} bytes; Content-Length says {length}.")
        self._storage.require_space(upload.length or 0)
        async with self._turns.take(upload.id, LONG_PAUSE) as turn:
            if turn.waited:
                upload = await self._db.read(_get_usable, token)
            asset = await self._receive(exchange, upload, turn)
        view = show(self._links, self._origins.of(exchange), asset)
        exchange.respond(200, _HEADERS, success(view, NO_META))

    async def _receive(self, exchange: Exchange, upload: Upload, turn: UploadTurn) -> Asset:
        mine = msgspec.structs.replace(upload, blob_key=new_key(BLOB_KIND))
        async with _kept_alive(self._db, upload):
            async with aclosing(_counted(exchange, upload, turn)) as body:
                written = await self._blobs.put(mine.blob_key, body)
            try:
                if upload.checksum not in (None, written.sha256):
                    raise ChecksumMismatch
                asset = await self._db.transact(_complete, mine, written)
            except (ChecksumMismatch, Conflict, UploadGone, UploadNotFound):
                await self._blobs.delete_many([mine.blob_key])
                raise
        if asset is None:
            raise AssetNotFound
        return asset


async def _get_usable(tx: Tx, token: str) -> Upload:
    upload = await upload_store.get_by_token(tx, token)
    if upload.purpose is not UploadPurpose.ASSET:
        raise UploadNotFound
    _require_open(upload)
    if upload.expires_at <= clock.now_ms():
        raise SignatureExpired("The address has expired. Ask for a new one: POST /media/upload/presigned.")
    return upload


def _require_open(upload: Upload) -> None:
    if upload.state is UploadState.COMPLETE:
        raise Conflict("The bytes of this upload are there already. Ask for a new one: POST /media/upload/presigned.")
    if upload.state is UploadState.GONE:
        raise UploadGone
    if upload.received:
        raise Conflict("This upload was begun with TUS. Go on there, or terminate it and ask for a new one.")


async def _counted(exchange: Exchange, upload: Upload, turn: UploadTurn) -> AsyncGenerator[bytes]:
    """The body. Raises SizeMismatch unless it is exactly as long as announced."""
    assert upload.length is not None
    left, chunks, started = upload.length, aiter(exchange.chunks()), time.monotonic()
    while chunk := await _next(chunks, turn, started + stream_deadline(upload.length - left) - time.monotonic()):
        left -= len(chunk)
        if left < 0:
            raise SizeMismatch(f"The upload was announced with {upload.length} bytes; more than that were sent.")
        yield chunk
    if left:
        raise SizeMismatch(f"The upload was announced with {upload.length} bytes; {left} of them did not come.")


async def _next(chunks: AsyncIterator[bytes], turn: UploadTurn, patience: float) -> bytes:
    """The next bytes, empty at the end. Raises RequestTimeout if none come within `patience` seconds.

    Raises Conflict if none come for a moment and another request waits for its turn.
    """
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(min(SILENCE_SECONDS, patience)) as waiting:
            turn.when_asked(lambda _: None if waiting.expired() else waiting.reschedule(loop.time() + LONG_PAUSE))
            while (chunk := await anext(chunks, None)) is not None:
                if chunk:
                    return chunk
            return b""
    except TimeoutError:
        if turn.asked_to_stop:
            raise Conflict("A newer request has taken over, or the server is stopping.", (CLOSE,)) from None
        raise RequestTimeout(headers=(CLOSE,)) from None
    finally:
        turn.when_asked(lambda _: None)  # between two chunks there is no wait to end


async def _complete(tx: Tx, mine: Upload, written: WrittenBlob) -> Asset | None:
    """Complete the upload with the bytes of this request. Raises Conflict if another was faster."""
    upload = await upload_store.lock_usable(tx, mine.id)
    _require_open(upload)
    now = clock.now_ms()
    complete = msgspec.structs.replace(
        upload, blob_key=mine.blob_key, state=UploadState.COMPLETE, received=written.size, handle=None, holder=None,
        updated_at=now, expires_at=now + REMEMBERED_MS,
    )  # fmt: skip
    await upload_store.save(tx, complete)
    if upload.handle is not None or upload.holder is not None:
        await discard_bytes(tx, upload)  # a TUS request began and has stored nothing yet
    return await give_to_asset(tx, complete, written.sha256)


@asynccontextmanager
async def _kept_alive(db: Database, upload: Upload) -> AsyncIterator[None]:
    """While this is open, the upload does not expire."""
    task = asyncio.create_task(_prolong(db, upload))
    try:
        yield
    finally:
        task.cancel()


async def _prolong(db: Database, upload: Upload) -> None:
    """Writes nothing unless the upload comes near its expiry."""
    expires_at = upload.expires_at
    while True:
        left_ms = expires_at - clock.now_ms()
        if left_ms > ALIVE_SECONDS * 500:
            await asyncio.sleep(left_ms / 1000 - ALIVE_SECONDS / 2)
            continue
        try:
            wanted = clock.now_ms() + ALIVE_SECONDS * 1000
            await db.transact(upload_store.prolong, upload.id, wanted)
            expires_at = wanted
        except ServiceUnavailable:
            await asyncio.sleep(_RETRY_SECONDS)
