"""Deletes all that was in a space, after the space itself."""

import msgspec

from stowboard.access.owners import Owners
from stowboard.db.database import Tx
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind


class EmptySpace(msgspec.Struct, frozen=True):
    space_id: str


async def empty_later(tx: Tx, space_id: str) -> None:
    """Delete all that is in the space."""
    await enqueue(tx, EMPTY_SPACE, EmptySpace(space_id), dedup=space_id)


async def empty_space(job: Job, args: EmptySpace) -> None:
    while await job.db.transact(job.use(Owners).delete_some, args.space_id):
        pass


EMPTY_SPACE = JobKind("access.empty_space", "sweep", empty_space, args=EmptySpace, max_attempts=30, retry_ms=15_000)
