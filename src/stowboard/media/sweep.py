"""Remove bytes that no row names, because a request died between storing them and writing the row.

Blobs are listed kind by kind, a batch at a time. Each batch is a job that orders the next, so that a sweep of millions
of blobs continues after a worker was killed. Young blobs are skipped: they may wait for their row. Bytes whose row was
removed are not left to the sweep: the same transaction discards them.
"""

from contextlib import aclosing

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.named import BLOB_COLUMNS
from stowboard.blobs.resumable import LONGEST_MS
from stowboard.blobs.store import BlobStore, StoredBlob
from stowboard.core import clock
from stowboard.db.database import Database, Tx
from stowboard.jobs.queue import enqueue, is_ordered
from stowboard.jobs.registry import AnyKind, Job, JobKind, NoArgs
from stowboard.jobs.schedule import AnyPeriodic, PeriodicJob

#: Far longer than any request or job takes between the last byte and the row.
GRACE_MS = 24 * 3600 * 1000
BATCH = 500
#: Every kind that is swept must have all its names in `blobs.named`. `probe` is written by health checks.
KINDS = ("asset", "derived", "poster", "probe", "rendition", "tail", "video")
_DEDUP = "sweep"


class Sweep(msgspec.Struct, frozen=True):
    kind: str
    after: BlobKey | None = None


async def begin_sweep(job: Job, _: NoArgs) -> None:
    await job.use(BlobStore).discard_unfinished(clock.now_ms() - LONGEST_MS)
    await job.db.transact(_begin, job)


async def sweep(job: Job, args: Sweep) -> None:
    last = await sweep_batch(job.db, job.use(BlobStore), args.kind, args.after, clock.now_ms() - GRACE_MS)
    await job.db.transact(_go_on, job, args.kind, last)


async def sweep_batch(
    db: Database, blobs: BlobStore, kind: str, after: BlobKey | None, before_ms: int
) -> BlobKey | None:
    """Look at the next blobs of the kind that are older than `before_ms`, and remove those that no row names.

    Returns the last key; None at the end of the kind.
    """
    batch = await _next_batch(blobs, kind, after)
    old = [blob.key for blob in batch if blob.modified_ms < before_ms]
    if old:
        named = await db.read(named_keys, old)
        await blobs.delete_many([key for key in old if key not in named])
    return batch[-1].key if len(batch) == BATCH else None


async def named_keys(tx: Tx, keys: list[BlobKey]) -> set[BlobKey]:
    """The keys that a row names. One statement, since a key may pass from one table to another."""
    numbers = ", ".join(f"${n + 1}" for n in range(len(keys)))
    selects = (f"SELECT {column} FROM {table} WHERE {column} IN ({numbers})" for table, column, *_ in BLOB_COLUMNS)
    return {BlobKey(key) for (key,) in await tx.all(" UNION ALL ".join(selects), *keys)}


async def _next_batch(blobs: BlobStore, kind: str, after: BlobKey | None) -> list[StoredBlob]:
    batch: list[StoredBlob] = []
    async with aclosing(blobs.walk(kind, after)) as walk:
        async for blob in walk:
            batch.append(blob)
            if len(batch) == BATCH:
                break
    return batch


async def _begin(tx: Tx, job: Job) -> None:
    """Does nothing while the last sweep still runs."""
    if not await is_ordered(tx, SWEEP, _DEDUP):
        await enqueue(tx, SWEEP, Sweep(KINDS[0]), dedup=_DEDUP)
    await job.complete(tx)


async def _go_on(tx: Tx, job: Job, kind: str, last: BlobKey | None) -> None:
    following = KINDS[KINDS.index(kind) + 1 :] if kind in KINDS else ()
    if last is not None:
        await enqueue(tx, SWEEP, Sweep(kind, last), dedup=_DEDUP)
    elif following:
        await enqueue(tx, SWEEP, Sweep(following[0]), dedup=_DEDUP)
    await job.complete(tx)


BEGIN = JobKind("media.begin_sweep", "sweep", begin_sweep, args=NoArgs)
SWEEP = JobKind("media.sweep", "sweep", sweep, args=Sweep)

JOBS: list[AnyKind] = [BEGIN, SWEEP]
PERIODICS: list[AnyPeriodic] = [PeriodicJob("media.begin_sweep", 3_600_000, BEGIN, NoArgs())]
