"""Begin an upload again, or end it for good, in one transaction. The caller has the upload's turn (turns.py)."""

import msgspec

from stowboard.blobs.keys import new_key
from stowboard.core import clock
from stowboard.core.services import Services
from stowboard.db.database import Tx
from stowboard.media.base.errors import SizeMismatch, UploadFinalized, UploadGone
from stowboard.media.base.storage import Storage
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.ending import discard_bytes, end_upload
from stowboard.media.uploads.tus.concat import PARTIAL
from stowboard.media.uploads.tus.ledger import LIFE_MS, SILENCE_MS
from stowboard.media.uploads.upload import Upload, UploadPurpose, UploadReceivers, UploadState


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
    """An asset's was announced when its address was asked for; a video's is the client's to say."""
    if upload.purpose is not UploadPurpose.ASSET:
        return length
    if length not in (None, upload.length):
        raise SizeMismatch(f"The upload was announced with {upload.length} bytes; Upload-Length says {length}.")
    return upload.length


def _expiry(upload: Upload, now: int) -> int:
    """Complete ones that are begun again get time for it; others have theirs already."""
    return min(now + SILENCE_MS, upload.created_at + LIFE_MS) if upload.complete else upload.expires_at
