"""Rename a tag of many things, or merge it into another: at once, or by a job if many have it."""

from collections.abc import Awaitable, Callable

import msgspec

from stowboard.db.database import Tx
from stowboard.jobs import progress
from stowboard.jobs.progress import JobProgress, ProgressStatus
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind

#: Things of one transaction.
BATCH = 100
#: Renames a tag of up to `BATCH` things of the owner, and returns their number; None if nothing has the tag.
RenameSome = Callable[[Tx, str, str, str], Awaitable[int | None]]


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
        """The number of changed things, or the progress of the job if `total` is more than a batch."""
        if total > BATCH:
            begun = await progress.begin(tx, self.job.name, owner, total)
            await enqueue(tx, self.job, TagRename(owner, old, new, begun.id), dedup=begun.id)
            return begun
        changed = 0
        while (some := await self._rename_some(tx, owner, old, new)) is not None:
            changed += some
        return changed

    async def find(self, tx: Tx, owner: str, rename_id: str) -> JobProgress | None:
        return await progress.find(tx, self.job.name, owner, rename_id)

    async def _run(self, job: Job, args: TagRename) -> None:
        while not await job.db.transact(self._step, job, args):
            pass

    async def _step(self, tx: Tx, job: Job, args: TagRename) -> bool:
        """True if nothing was left. A step that found fewer than it looked for says nothing: others write meanwhile."""
        done = await self._rename_some(tx, args.owner, args.old, args.new)
        status = ProgressStatus.DONE if done is None else ProgressStatus.RUNNING
        await progress.advance(tx, args.progress_id, done or 0, status)
        if done is None:
            await job.complete(tx)
        return done is None


async def _give_up(tx: Tx, args: TagRename) -> None:
    await progress.advance(tx, args.progress_id, 0, ProgressStatus.FAILED)
