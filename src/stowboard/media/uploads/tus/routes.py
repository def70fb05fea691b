"""`/uploads/tus/{token}`: TUS 1.0.0, for clients that create an upload by POST and those that were given its address.

The upload exists from the start. The bare address stands for its present generation. Each POST starts a new one at
offset 0, at an address of its own (`/{generation}`), which is 410 once there is a newer one: two clients never mix
their bytes.

A HEAD tells the offset that counts, and stops whoever is still writing, so that the offset stays true.
"""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeAlias

from stowboard.blobs.resumable import DurableBytes
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from stowboard.core.errors import Conflict, InvalidParameter, MethodNotAllowed, PayloadTooLarge, Problem
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.http.exchange import Exchange, Headers, Route, content_length
from stowboard.http.origin import Origins
from stowboard.media.base.errors import UploadFinalized, UploadGone, UploadNotFound
from stowboard.media.base.links import MediaLinks
from stowboard.media.base.settings import MediaSettings
from stowboard.media.base.storage import Storage
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.tus import protocol
from stowboard.media.uploads.tus.begin import (
    PARTIAL,
    begin_again,
    begin_part,
    end_parts,
    find_parts,
    read_parts,
    terminate,
)
from stowboard.media.uploads.tus.closing import heal
from stowboard.media.uploads.tus.ledger import UploadLedger, UploadSuperseded
from stowboard.media.uploads.tus.protocol import RESUMABLE, VERSION
from stowboard.media.uploads.tus.transfer import TransferBounds, UploadTransfer
from stowboard.media.uploads.tus.turns import LONG_PAUSE, UploadTurn, UploadTurns
from stowboard.media.uploads.upload import Upload, UploadPurpose, UploadReceivers, UploadState

#: Bytes on their way in, and how many were announced.
Body: TypeAlias = tuple[AsyncIterator[bytes], int | None]
#: On every answer at or below this path, whoever gives it.
HEADERS_BELOW: list[tuple[str, Headers]] = [("/uploads/tus", [RESUMABLE])]
_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,100}")
#: Some clients never notice the end of their file and send empty requests for ever.
MOST_EMPTY = 50
_ALLOW = "DELETE, HEAD, OPTIONS, PATCH, POST"


def routes(services: Services, origins: Origins) -> list[Route]:
    tus = TusUploads(services, origins)
    return [
        Route(method, path, tus.answer)
        for path in ("/uploads/tus/{token}", "/uploads/tus/{token}/{generation}")
        for method in ("OPTIONS", "POST", "HEAD", "PATCH", "DELETE")
    ]


class TusUploads:
    def __init__(self, services: Services, origins: Origins) -> None:
        self._services, self._origins = services, origins
        self._db, self._blobs, self._turns = services.use(Database), services.use(BlobStore), services.use(UploadTurns)
        self._settings, self._storage = services.use(MediaSettings), services.use(Storage)
        self._empty: dict[str, int] = {}

    async def answer(self, exchange: Exchange, token: str, generation: str | None = None) -> None:
        methods: dict[str, Callable[[Exchange, str, str | None], Awaitable[None]]] = {
            "OPTIONS": self._options,
            "POST": self._create,
            "HEAD": self._describe,
            "PATCH": self._append,
            "DELETE": self._terminate,
        }
        method = methods.get(protocol.method_of(exchange))
        if method is None:
            raise MethodNotAllowed(headers=(("allow", _ALLOW),))
        await method(exchange, token, generation)

    async def _options(self, exchange: Exchange, _token: str, _generation: str | None) -> None:
        largest = max(self._settings.max_video_bytes, self._settings.max_upload_bytes)
        headers = [
            ("allow", _ALLOW),
            ("tus-version", VERSION),
            ("tus-extension", protocol.EXTENSIONS),
            ("tus-max-size", str(largest)),
            ("tus-checksum-algorithm", ",".join(protocol.ALGORITHMS)),
        ]
        exchange.respond(204, headers)

    async def _create(self, exchange: Exchange, token: str, generation: str | None) -> None:
        protocol.require_version(exchange)
        upload = await self._get(token, generation)
        concat, metadata = protocol.concat_of(exchange), protocol.metadata_of(exchange)
        if concat is not None and concat != PARTIAL:
            await self._join(exchange, upload, token, concat, metadata)
            return
        length = protocol.declared_length_of(exchange)
        checksum, has_body = protocol.checksum_of(exchange), content_length(exchange) != 0
        if has_body:
            protocol.require_content_type(exchange)
        self._check_length(upload, length)
        self._check_body(exchange, 0, length)
        if concat is not None:
            if upload.purpose is UploadPurpose.PART:
                raise InvalidParameter("Upload-Concat: a part cannot have parts. Ask at the address of the upload.")
            upload, token = await self._db.transact(begin_part, self._services, upload.id, length, metadata)
        async with self._turns.take(upload.id) as turn:
            if concat is None:
                upload = await self._db.transact(begin_again, self._services, upload.id, length, metadata)
            if has_body or upload.length == 0:
                body = exchange.chunks(), content_length(exchange)
                upload = await self._receive(body, upload, turn, upload.length, checksum)
        self._created(exchange, token, upload)

    async def _join(self, exchange: Exchange, upload: Upload, token: str, concat: str, metadata: str | None) -> None:
        """Make the upload of its parts."""
        if exchange.has_header("upload-length") or content_length(exchange) != 0:
            raise InvalidParameter("Upload-Concat: what is joined has the length of its parts, and no body.")
        parts = await self._db.read(find_parts, upload, concat.partition(";")[2].split())
        length = sum(part.received for part in parts)
        self._check_length(upload, length)
        async with self._turns.take(upload.id) as turn:
            upload = await self._db.transact(begin_again, self._services, upload.id, length, metadata, concat)
            joined = read_parts(self._blobs, parts), length
            upload = await self._receive(joined, upload, turn, length, None)
            await self._db.transact(end_parts, parts)
        self._created(exchange, token, upload)

    def _created(self, exchange: Exchange, token: str, upload: Upload) -> None:
        address = f"{self._services.use(MediaLinks).tus(self._origins.of(exchange), token)}/{upload.generation}"
        exchange.respond(201, [("location", address), *protocol.standing(upload)])

    async def _describe(self, exchange: Exchange, token: str, generation: str | None) -> None:
        protocol.check_version(exchange)
        upload = await self._get(token, generation)
        async with self._turns.take(upload.id) as turn:
            if turn.waited:
                upload = await self._get(token, generation)
            if upload.holder is not None:
                taken = await self._db.transact(upload_store.set_holder, upload.id, None)
                upload = taken if taken is not None else await self._get(token, generation)
            upload = await heal(self._services, upload)
        exchange.respond(200, [("cache-control", "no-store"), *protocol.description(upload)])

    async def _append(self, exchange: Exchange, token: str, generation: str | None) -> None:
        protocol.require_version(exchange)
        upload = await self._get(token, generation)
        protocol.require_content_type(exchange)
        if upload.concat is not None and upload.concat != PARTIAL:
            raise UploadFinalized("The upload was joined from parts, and takes no bytes of its own.")
        offset, length = protocol.offset_of(exchange), protocol.length_of(exchange)
        checksum = protocol.checksum_of(exchange)
        async with self._turns.take(upload.id, LONG_PAUSE) as turn:
            if turn.waited:
                upload = await self._get(token, generation)
            length = self._agreed_length(upload, length)
            _check_offset(upload, offset)
            self._check_body(exchange, offset, length)
            if upload.complete:
                if content_length(exchange) != 0:
                    raise UploadFinalized
            elif self._is_empty(exchange, upload, length):
                self._count_empty(upload)
            else:
                body = exchange.chunks(), content_length(exchange)
                upload = await self._receive(body, upload, turn, length, checksum)
        exchange.respond(204, protocol.standing(upload))

    async def _terminate(self, exchange: Exchange, token: str, generation: str | None) -> None:
        protocol.require_version(exchange)
        upload = await self._get(token, generation)
        async with self._turns.take(upload.id):
            await self._db.transact(terminate, self._services.use(UploadReceivers), upload.id, upload.generation)
        exchange.respond(204, [])

    async def _get(self, token: str, generation: str | None) -> Upload:
        if not _TOKEN.fullmatch(token):
            raise UploadNotFound
        upload = await self._db.read(upload_store.get_by_token, token)
        if generation not in (None, str(upload.generation)):
            raise UploadGone if _was(generation, upload) else UploadNotFound
        expired = upload.state is UploadState.OPEN and upload.expires_at <= clock.now_ms()
        if upload.state is UploadState.GONE or expired:
            raise UploadGone
        return upload

    async def _receive(
        self, body: Body, upload: Upload, turn: UploadTurn, length: int | None, checksum: protocol.TusChecksum | None
    ) -> Upload:
        """The upload as it is afterwards."""
        ledger = UploadLedger(self._services, upload)
        try:
            if upload.holder is not None:
                await ledger.take_over()
                _check_offset(ledger.upload, upload.received)
            if length != upload.length:  # written down before the bytes come, so that others cannot take their room
                await ledger.keep(DurableBytes(upload.received), length=length, go_on=False)
            bounds = TransferBounds(
                length, self._most(upload), await self._find_end(upload) if length is None else None
            )
            await UploadTransfer(self._blobs, ledger, turn, bounds, checksum).run(*body)
        except UploadSuperseded:
            found = await self._db.read(upload_store.find, upload.id)
            if found is None or found.state is UploadState.GONE or found.generation != upload.generation:
                raise UploadGone from None
            raise _elsewhere(found.received) from None
        except UploadGone:
            raise
        except Problem as problem:
            problem.headers += (("upload-offset", str(ledger.upload.received)),)
            raise
        self._empty.pop(upload.id, None)
        return ledger.upload

    def _most(self, upload: Upload) -> int:
        if upload.purpose is UploadPurpose.ASSET:
            return self._settings.max_upload_bytes
        return self._settings.max_video_bytes

    async def _find_end(self, upload: Upload) -> int | None:
        """The length at which the storage is full; None if nothing bounds it."""
        room = await self._db.read(self._storage.find_room, upload.created_by)
        return None if room is None else upload.received + room

    def _check_length(self, upload: Upload, length: int | None) -> None:
        """Check a length that was not known before. Limits of storage are checked where it is written down."""
        if length is None:
            return
        if length > (most := self._most(upload)):
            raise PayloadTooLarge(f"Upload-Length: an upload may have at most {most} bytes on this server.")
        self._storage.require_space(length - upload.received)

    def _agreed_length(self, upload: Upload, said: int | None) -> int | None:
        """The length of the upload. Once it is known, a request may only repeat it."""
        if said is None or said == upload.length:
            return upload.length
        if upload.length is not None:
            raise InvalidParameter(f"Upload-Length is {upload.length} already and stays so.")
        if said < upload.received:
            raise InvalidParameter(f"Upload-Length must be at least {upload.received}: so many bytes are there.")
        self._check_length(upload, said)
        return said

    def _check_body(self, exchange: Exchange, offset: int, length: int | None) -> None:
        announced = content_length(exchange)
        if announced is not None and length is not None and offset + announced > length:
            raise PayloadTooLarge(
                f"The body goes beyond the {length} bytes that the upload has; Upload-Offset is {offset}."
            )

    def _is_empty(self, exchange: Exchange, upload: Upload, length: int | None) -> bool:
        """True if the request says nothing new."""
        return content_length(exchange) == 0 and length == upload.length and length != upload.received

    def _count_empty(self, upload: Upload) -> None:
        count = self._empty.pop(upload.id, 0) + 1
        if count > MOST_EMPTY:
            raise InvalidParameter(f"{MOST_EMPTY} empty requests came in a row. Send bytes, or Upload-Length.")
        if len(self._empty) > 10_000:
            self._empty.clear()
        self._empty[upload.id] = count


def _was(generation: str | None, upload: Upload) -> bool:
    """True if the upload had such an address before."""
    text = generation or ""
    return text.isascii() and text.isdecimal() and len(text) < 10 and int(text) < upload.generation


def _check_offset(upload: Upload, offset: int) -> None:
    if offset != upload.received:
        raise _elsewhere(upload.received)


def _elsewhere(received: int) -> Problem:
    return Conflict(f"The upload is at offset {received}. Go on from there.", (("upload-offset", str(received)),))
