"""Begin an upload again, or a part of it, or end it for good. The caller has the upload's turn (turns.py).

Parts are sent side by side and joined at the end: the extension concatenation. A part is an upload of its own, and
belongs to the upload at whose address it was created. It has a secret address too, and is removed once it was joined,
or when its time is over. Joining copies the bytes: the store has them twice for a moment.
"""

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing

import msgspec

from stowboard.blobs.keys import new_key
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from stowboard.core.errors import Conflict, InvalidParameter
from stowboard.core.ids import new_id
from stowboard.core.services import Services
from stowboard.db.database import Tx
from stowboard.media.base.errors import SizeMismatch, UploadFinalized, UploadGone
from stowboard.media.base.storage import Storage
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.ending import discard_bytes, end_upload
from stowboard.media.uploads.tus.ledger import LIFE_MS, SILENCE_MS
from stowboard.media.uploads.upload import Upload, UploadId, UploadPurpose, UploadReceivers, UploadState, new_token

PARTIAL = "partial"
MOST_PARTS = 100
_ADDRESS = re.compile(r"(?:.*/)?([A-Za-z0-9_-]{20,100})(?:/[0-9]+)?")


class PartReceiver:
    """Nobody waits for a part alone."""

    async def started(self, tx: Tx, upload: Upload) -> None:
        """Nothing is shown of it."""

    async def completed(self, tx: Tx, upload: Upload) -> None:
        """It waits to be joined."""

    async def has_taken(self, tx: Tx, upload: Upload) -> bool:  # noqa: ARG002 - joining ends it
        return False

    async def gone(self, tx: Tx, upload: Upload) -> None:
        """The others may still be joined without it."""


async def begin_part(
    tx: Tx, services: Services, whole_id: str, length: int | None, metadata: str | None
) -> tuple[Upload, str]:
    """A part of this upload, and the secret of its address.

    Raises UploadGone, UploadFinalized, Conflict, InsufficientStorage.
    """
    whole = await _lock_living(tx, services.use(UploadReceivers), whole_id)
    if await upload_store.count_for(tx, whole.id, MOST_PARTS) >= MOST_PARTS:
        raise Conflict(f"The upload has {MOST_PARTS} parts, which is the most. Join them, or wait until they expire.")
    now, token = clock.now_ms(), new_token()
    part = Upload(
        id=UploadId(new_id("upl")), purpose=UploadPurpose.PART, subject=whole.id,
        blob_key=new_key(whole.blob_key.partition("/")[0]), length=length, metadata=metadata, concat=PARTIAL,
        space=whole.space, created_by=whole.created_by, made_through=whole.made_through, created_at=now, updated_at=now,
        expires_at=now + SILENCE_MS,
    )  # fmt: skip
    await upload_store.insert(tx, part, token)
    if part.reserved:
        await services.use(Storage).require_room(tx, part.created_by, 0)
    return part, token


async def find_parts(tx: Tx, whole: Upload, addresses: Sequence[str]) -> list[Upload]:
    """The parts at these addresses, in order. Raises InvalidParameter, UploadNotFound, Conflict."""
    if not 1 <= len(addresses) <= MOST_PARTS or len(set(addresses)) != len(addresses):
        raise InvalidParameter(f"Upload-Concat: name 1 to {MOST_PARTS} addresses of parts, each once.")
    parts = [await upload_store.get_by_token(tx, _token(address)) for address in addresses]
    for number, part in enumerate(parts, 1):
        if part.purpose is not UploadPurpose.PART or part.subject != whole.id:
            raise InvalidParameter(f"Upload-Concat: address {number} is not of a part of this upload.")
        if not part.complete:
            raise Conflict(f"Upload-Concat: part {number} is not complete. Send the rest of it first.")
    return parts


async def read_parts(blobs: BlobStore, parts: Sequence[Upload]) -> AsyncIterator[bytes]:
    for part in parts:
        if part.received:
            async with aclosing(blobs.read(part.blob_key)) as chunks:
                async for chunk in chunks:
                    yield chunk


async def end_parts(tx: Tx, parts: Sequence[Upload]) -> None:
    for part in sorted(parts, key=lambda part: part.id):
        found = await upload_store.find_and_lock(tx, part.id)
        if found is not None and found.state is not UploadState.GONE:
            await end_upload(tx, found)


def _token(address: str) -> str:
    match = _ADDRESS.fullmatch(address)
    if match is None:
        raise InvalidParameter("Upload-Concat: what follows `final;` must be addresses of parts, with spaces between.")
    return match[1]


async def begin_again(
    tx: Tx, services: Services, upload_id: str, length: int | None, metadata: str | None, concat: str | None = None
) -> Upload:
    """The next generation, at offset 0. Raises UploadFinalized, UploadGone, SizeMismatch, InsufficientStorage."""
    upload = await _lock_living(tx, services.use(UploadReceivers), upload_id)
    if upload.received or upload.handle is not None or upload.holder is not None:
        await discard_bytes(tx, upload)
    now = clock.now_ms()
    fresh = msgspec.structs.replace(
        upload,
        state=UploadState.OPEN,
        generation=upload.generation + 1,
        blob_key=new_key(upload.blob_key.partition("/")[0]),
        handle=None,
        parts=0,
        length=_length(upload, length),
        received=0,
        holder=None,
        metadata=metadata,
        concat=PARTIAL if upload.purpose is UploadPurpose.PART else concat,
        updated_at=now,
        expires_at=_expiry(upload, now),
    )
    await upload_store.save(tx, fresh)
    if fresh.reserved > upload.reserved:
        await services.use(Storage).require_room(tx, fresh.created_by, 0)
    return fresh


async def terminate(tx: Tx, receivers: UploadReceivers, upload_id: str, generation: int) -> None:
    """Raises UploadFinalized, UploadGone."""
    upload = await _lock_living(tx, receivers, upload_id)
    if upload.generation != generation:
        raise UploadGone
    await end_upload(tx, upload)
    await receivers.of(upload).gone(tx, upload)


async def _lock_living(tx: Tx, receivers: UploadReceivers, upload_id: str) -> Upload:
    upload = await upload_store.find_and_lock(tx, upload_id)
    if upload is None or upload.state is UploadState.GONE:
        raise UploadGone
    if upload.complete and await receivers.of(upload).has_taken(tx, upload):
        raise UploadFinalized
    return upload


def _length(upload: Upload, length: int | None) -> int | None:
    """An asset's length was announced with its address; a video's length is what the client says."""
    if upload.purpose is not UploadPurpose.ASSET:
        return length
    if length not in (None, upload.length):
        raise SizeMismatch(f"The upload was announced with {upload.length} bytes; Upload-Length says {length}.")
    return upload.length


def _expiry(upload: Upload, now: int) -> int:
    """A complete upload that is begun again gets time for it; any other keeps its time."""
    return min(now + SILENCE_MS, upload.created_at + LIFE_MS) if upload.complete else upload.expires_at
