"""Read everything once a week: some megabytes, then a pause, so that nobody notices.

Each batch is a job that orders the next one, so a round of millions of blobs goes on where it was when a worker is
killed. A round that takes longer than a week is not overtaken by another.
"""

import msgspec

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore
from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue, is_ordered
from stowboard.jobs.registry import AnyKind, Job, JobKind, NoArgs
from stowboard.jobs.schedule import AnyPeriodic, PeriodicJob
from stowboard.media.base.settings import MediaSettings
from stowboard.media.damage.check import CHECKED, check, next_named

ROUND_MS = 7 * 24 * 3600 * 1000
#: About this much is read between two pauses, and at least one blob.
_BATCH_BYTES = 64 << 20
_DEDUP = "scrub"


class ScrubBatch(msgspec.Struct, frozen=True):
    """The next blobs of a column: its place in `CHECKED`, and the key that was looked at last."""

    column: int = 0
    after: BlobKey | None = None


async def begin_scrub(job: Job, _: NoArgs) -> None:
    await job.db.transact(_begin, job)


async def scrub(job: Job, args: ScrubBatch) -> None:
    rate = job.use(MediaSettings).scrub_mib_per_second << 20
    if rate == 0 or args.column >= len(CHECKED):
        return
    read, last = 0, None
    for named in await job.db.read(next_named, CHECKED[args.column], args.after):
        await check(job.db, job.use(BlobStore), CHECKED[args.column], named)
        read, last = read + named.size, named.key
        if read >= _BATCH_BYTES:
            break
    following = ScrubBatch(args.column, last) if last is not None else ScrubBatch(args.column + 1)
    await job.db.transact(_go_on, job, following, 1000 * read // rate)


async def _begin(tx: Tx, job: Job) -> None:
    """Does nothing while the last round still runs."""
    if not await is_ordered(tx, SCRUB, _DEDUP):
        await enqueue(tx, SCRUB, ScrubBatch(), dedup=_DEDUP)
    await job.complete(tx)


async def _go_on(tx: Tx, job: Job, following: ScrubBatch, wait_ms: int) -> None:
    if following.column < len(CHECKED):
        await enqueue(tx, SCRUB, following, wait_ms=wait_ms, dedup=_DEDUP)
    await job.complete(tx)


BEGIN = JobKind("media.begin_scrub", "sweep", begin_scrub, args=NoArgs)
#: So many attempts that a store which is away for hours ends no round.
SCRUB = JobKind("media.scrub", "sweep", scrub, args=ScrubBatch, max_attempts=100)

JOBS: list[AnyKind] = [BEGIN, SCRUB]
PERIODICS: list[AnyPeriodic] = [PeriodicJob("media.begin_scrub", ROUND_MS, BEGIN, NoArgs())]
