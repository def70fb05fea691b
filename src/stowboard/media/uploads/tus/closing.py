"""Make an upload complete without another byte: on request (`close_at_received`), or because all are there (`heal`)."""

from contextlib import suppress

from stowboard.blobs.resumable import BytesLost, GrowingBlob, UploadBusy, UploadFinished
from stowboard.blobs.store import BlobStore
from stowboard.core.services import Services
from stowboard.db.database import Database
from stowboard.media.base.errors import UploadGone, UploadIncomplete, UploadLocked
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.tus.ledger import UploadLedger, UploadSuperseded
from stowboard.media.uploads.tus.turns import UploadTurns
from stowboard.media.uploads.upload import Upload, UploadState


async def close_at_received(services: Services, upload: Upload) -> Upload:
    """Fix the length of an upload at what has arrived, and complete it. One that is complete is left as it is.

    A request that still writes to it is stopped. Raises UploadIncomplete if bytes are missing or there are none,
    UploadGone, UploadLocked.
    """
    async with services.use(UploadTurns).take(upload.id):
        present = await _present(services, upload)
        if not present.complete:
            ledger = UploadLedger(services, present)
            await ledger.take_over()
            with suppress(UploadSuperseded):
                await _close(services, ledger)
            present = await _present(services, upload)
    if not present.complete:
        raise UploadLocked
    return present


async def heal(services: Services, upload: Upload) -> Upload:
    """If all bytes became a blob and a crash kept the row from saying so, the row says so now."""
    if upload.state is not UploadState.OPEN or upload.length is None:
        return upload
    found = await services.use(BlobStore).find(upload.blob_key)
    if found is None or found.size != upload.length:
        return upload
    ledger = UploadLedger(services, upload)
    try:
        await ledger.complete(found.size)
    except UploadSuperseded:
        return await _present(services, upload)
    return ledger.upload


async def _present(services: Services, upload: Upload) -> Upload:
    found = await services.use(Database).read(upload_store.find, upload.id)
    if found is None or found.state is UploadState.GONE:
        raise UploadGone
    return found


async def _close(services: Services, ledger: UploadLedger) -> None:
    upload = ledger.upload
    if not upload.received or upload.length not in (None, upload.received):
        raise UploadIncomplete
    blobs = services.use(BlobStore)
    appending = blobs.append_to(GrowingBlob(upload.blob_key, upload.received, upload.received, upload.handle), ledger)
    try:
        await appending.open()
        await appending.finish([])
        await ledger.complete(upload.received)
    except UploadFinished as finished:
        await ledger.complete(finished.size)
    except UploadBusy:
        raise UploadLocked from None
    except BytesLost:
        raise UploadGone from None
    finally:
        await appending.close()
