"""Uploads whose time is over.

An open one ends: its bytes go, and its receiver is told. A complete one whose bytes nobody took ends as well.
One whose bytes were taken, or that ended long ago, is forgotten.
"""

from stowboard.core import clock
from stowboard.db.database import Tx
from stowboard.jobs.registry import AnyKind, Job, JobKind, NoArgs
from stowboard.jobs.schedule import AnyPeriodic, PeriodicJob
from stowboard.media.uploads import upload_store
from stowboard.media.uploads.ending import DISCARD_UPLOAD, discard_bytes, end_upload
from stowboard.media.uploads.upload import Upload, UploadReceivers, UploadState

_BATCH = 100
_EVERY_MS = 600_000


async def expire_uploads(job: Job, _: NoArgs) -> None:
    while expired := await job.db.read(upload_store.find_expired, clock.now_ms(), _BATCH):
        for upload in expired:
            await job.db.transact(_expire, job.use(UploadReceivers), upload)


async def _expire(tx: Tx, receivers: UploadReceivers, found: Upload) -> None:
    upload = await upload_store.find_and_lock(tx, found.id)
    if upload is None or upload.expires_at != found.expires_at:  # a byte has come meanwhile
        return
    if upload.state is UploadState.GONE:
        await discard_bytes(tx, upload)
        await upload_store.remove(tx, upload.id)
    elif upload.complete and await receivers.of(upload).has_taken(tx, upload):
        await upload_store.remove(tx, upload.id)
    else:
        await end_upload(tx, upload)
        await receivers.of(upload).gone(tx, upload)


EXPIRE = JobKind("media.expire_uploads", "sweep", expire_uploads, args=NoArgs)

JOBS: list[AnyKind] = [EXPIRE, DISCARD_UPLOAD]
PERIODICS: list[AnyPeriodic] = [PeriodicJob("media.expire_uploads", _EVERY_MS, EXPIRE, NoArgs())]
