"""Removing bytes that no row names any more: ordered in the transaction that took the name away, done after it."""

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind


class Discard(msgspec.Struct, frozen=True):
    keys: list[BlobKey]


async def discard_later(tx: Tx, keys: list[BlobKey]) -> None:
    if keys:
        await enqueue(tx, DISCARD, Discard(keys))


async def discard(job: Job, args: Discard) -> None:
    await job.use(BlobStore).delete_many(args.keys)
    await job.db.transact(job.complete)


DISCARD = JobKind("media.discard", "sweep", discard, args=Discard, max_attempts=20)
