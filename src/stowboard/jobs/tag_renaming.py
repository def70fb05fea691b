"""Rename a tag of many things, or merge it into another: at once, or by a job if many have it.

The job's owner sees its progress. Each step is counted in its own transaction.
"""

from collections.abc import Awaitable, Callable
from enum import StrEnum

import msgspec

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.ids import is_id, new_id
from stowboard.core.reach import reached
from stowboard.db.database import Tx
from stowboard.db.table import Table, forget_old
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind

#: Time for which progress is kept after the last step.
KEPT_MS = 7 * 24 * 3600 * 1000
#: Things that one transaction changes.
BATCH = 100
#: Renames a tag of up to `BATCH` things of the owner, and returns their number; None if nothing has the tag.
RenameSome = Callable[[Tx, str, str, str], Awaitable[int | None]]


class ProgressStatus(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class JobProgress(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    kind: str
    owner: str
    status: ProgressStatus
    done: int
    #: The number of things at the start.
    total: int
    updated_at: int


_PROGRESS = Table("job_progress", JobProgress)


async def _advance(tx: Tx, progress_id: str, done: int, status: ProgressStatus) -> None:
    """Add to the number of things that are done."""
    await tx.run(
        "UPDATE job_progress SET done = done + $2, status = $3, updated_at = $4 WHERE id = $1",
        progress_id, done, status, clock.now_ms(),
    )  # fmt: skip


forget_progress = forget_old("job_progress", column="updated_at", kept_ms=KEPT_MS)


class TagRename(msgspec.Struct, frozen=True):
    owner: str
    old: str
    new: str
    progress_id: str


class TagRenaming:
    def __init__(self, name: str, queue: str, rename_some: RenameSome) -> None:
        self._rename_some = rename_some
        self.job = JobKind(name, queue, self._run, args=TagRename, gave_up=_give_up)

    async def begin(self, tx: Tx, owner: str, old: str, new: str, total: int) -> int | JobProgress:
        """Begin to rename. The number of changed things, or the job's progress if `total` is more than a batch."""
        if total > BATCH:
            begun = JobProgress(
                id=new_id("prg"), kind=self.job.name, owner=owner, status=ProgressStatus.RUNNING, done=0, total=total,
                updated_at=clock.now_ms(),
            )  # fmt: skip
            await _PROGRESS.insert(tx, begun)
            await enqueue(tx, self.job, TagRename(owner, old, new, begun.id), dedup=begun.id)
            return begun
        changed = 0
        while (some := await self._rename_some(tx, owner, old, new)) is not None:
            changed += some
        return changed

    async def find(self, tx: Tx, access: Access, rename_id: str) -> JobProgress | None:
        if not is_id("prg", rename_id):
            return None
        in_reach = f"id = $1 AND kind = $2 AND {reached(3)}"
        return await _PROGRESS.find(tx, in_reach, rename_id, self.job.name, access.owners)

    async def _run(self, job: Job, args: TagRename) -> None:
        while not await job.db.transact(self._step, job, args):
            pass

    async def _step(self, tx: Tx, job: Job, args: TagRename) -> bool:
        """True if nothing was left. A step that found less than a batch does not mean that: others write meanwhile."""
        done = await self._rename_some(tx, args.owner, args.old, args.new)
        status = ProgressStatus.DONE if done is None else ProgressStatus.RUNNING
        await _advance(tx, args.progress_id, done or 0, status)
        if done is None:
            await job.complete(tx)
        return done is None


async def _give_up(tx: Tx, args: TagRename) -> None:
    await _advance(tx, args.progress_id, 0, ProgressStatus.FAILED)
