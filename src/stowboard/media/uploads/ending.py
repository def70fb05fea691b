"""The end of an upload that will not be completed, or whose bytes nobody took: its row says `gone`, its bytes go.

The row is kept for a while, so that a client that asks again hears 410 and not 404.
"""

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.upload import Upload, UploadState

REMEMBERED_MS = 7 * 24 * 3600 * 1000


class DiscardUpload(msgspec.Struct, frozen=True):
    key: BlobKey
    handle: str | None
    tails: list[BlobKey]


async def end_upload(tx: Tx, upload: Upload) -> None:
    """The upload is locked by this transaction. The caller tells its receiver."""
    now = clock.now_ms()
    gone = msgspec.structs.replace(
        upload, state=UploadState.GONE, holder=None, url=None, updated_at=now, expires_at=now + REMEMBERED_MS
    )
    await upload_store.save(tx, gone)
    await discard_bytes(tx, upload)


async def discard_bytes(tx: Tx, upload: Upload) -> None:
    """Order the removal of all bytes that arrived, whether they are a blob by now or not."""
    tails = await upload_store.remove_pieces(tx, upload.id, 0)
    await enqueue(tx, DISCARD_UPLOAD, DiscardUpload(upload.blob_key, upload.handle, tails))


async def discard_upload(job: Job, args: DiscardUpload) -> None:
    blobs = job.use(BlobStore)
    await blobs.discard_growing(args.key, args.handle)
    await blobs.delete_many(args.tails)
    await job.db.transact(job.complete)


DISCARD_UPLOAD = JobKind("media.discard_upload", "sweep", discard_upload, args=DiscardUpload, max_attempts=20)
