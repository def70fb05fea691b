"""Remove bytes that no row names any more, by a job of the transaction that took the name away.

An open file can be read to its end after its name is gone. An object in a bucket cannot, and an answer reads it piece
by piece. So bytes stay in a bucket until every answer that may have begun before has ended.
"""

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore, LocalFiles
from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.media.base.settings import MediaSettings

#: Covers the time between reading a row and starting the answer.
_SLACK_MS = 60_000


class DiscardOrder(msgspec.Struct, frozen=True, omit_defaults=True):
    keys: list[BlobKey]
    #: True once answers had time to end.
    unread: bool = False


async def discard_later(tx: Tx, keys: list[BlobKey]) -> None:
    if keys:
        await enqueue(tx, DISCARD, DiscardOrder(keys))


async def discard(job: Job, args: DiscardOrder) -> None:
    blobs, grace_s = job.use(BlobStore), job.use(MediaSettings).bucket_grace_s
    if grace_s and not args.unread and not isinstance(blobs, LocalFiles):
        await job.db.transact(_wait, job, args.keys, grace_s * 1000 + _SLACK_MS)
        return
    await blobs.delete_many(args.keys)
    await job.db.transact(job.complete)


async def _wait(tx: Tx, job: Job, keys: list[BlobKey], wait_ms: int) -> None:
    await enqueue(tx, DISCARD, DiscardOrder(keys, unread=True), wait_ms=wait_ms)
    await job.complete(tx)


DISCARD = JobKind("media.discard", "sweep", discard, args=DiscardOrder, max_attempts=20)
