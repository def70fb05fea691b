"""Rename a tag of all tasks of an owner, or merge it into another one: at once, or by a job if there are many."""

import msgspec

from stowboard.core.caller import Caller
from stowboard.core.tags import checked_tag, renamed
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.jobs import progress
from stowboard.jobs.progress import JobProgress, ProgressStatus
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.tasks.base import task_store
from stowboard.tasks.index import index_store
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.keep import keep

#: Those of one transaction.
BATCH = 100


class TaskTagRename(msgspec.Struct, frozen=True):
    owner: str
    old: str
    new: str
    progress_id: str


async def rename_tag(tx: Tx, caller: Caller, old: str, new: str) -> int | JobProgress:
    """How many tasks have it now, or how far the job is. Raises TaskIndexNotActivated, ValidationFailed."""
    old, new = checked_tag("from", old), checked_tag("to", new)
    if old == new:
        return 0
    await require_active(tx, caller.owner)
    total = await index_store.count_of(tx, caller.owner, old)
    if total <= BATCH:
        return await _rename_now(tx, caller.owner, old, new)
    begun = await progress.begin(tx, KIND, caller.owner, total)
    await enqueue(tx, RENAME_TAG, TaskTagRename(caller.owner, old, new, begun.id), dedup=begun.id)
    return begun


async def find_rename(tx: Tx, caller: Caller, rename_id: str) -> JobProgress | None:
    return await progress.find(tx, KIND, caller.owner, rename_id)


async def _rename_all(job: Job, args: TaskTagRename) -> None:
    while not await job.db.transact(_step, job, args):
        pass


async def _step(tx: Tx, job: Job, args: TaskTagRename) -> bool:
    """True if no task was left. A step that found fewer than it looked for says nothing: others write meanwhile."""
    done = await _rename_some(tx, args.owner, args.old, args.new)
    status = ProgressStatus.DONE if done is None else ProgressStatus.RUNNING
    await progress.advance(tx, args.progress_id, done or 0, status)
    if done is None:
        await job.complete(tx)
    return done is None


async def _rename_now(tx: Tx, owner: str, old: str, new: str) -> int:
    total = 0
    while (done := await _rename_some(tx, owner, old, new)) is not None:
        total += done
    return total


async def _rename_some(tx: Tx, owner: str, old: str, new: str) -> int | None:
    """How many tasks were renamed; None if the index knows of no task with the tag.

    All are locked before the first is written: the counts of tags, which others wait for, come last.
    """
    ids = await index_store.find_tagged(tx, owner, old, BATCH)
    if not ids:
        return None
    tasks = await task_store.find_and_lock_many(tx, ids)
    tagged = [task for task in tasks if old in task.tags]
    for task in tagged:
        after = msgspec.structs.replace(task, tags=renamed(task.tags, old, new))
        await keep(tx, task, after, kinds.TASK_UPDATED)
    if others := [task for task in tasks if old not in task.tags]:
        # Somebody took the tag from them since; and an index that is wrong must not keep us here for ever.
        await index_store.rebuild(tx, others)
    return len(tagged)


async def _gave_up(tx: Tx, args: TaskTagRename) -> None:
    await progress.advance(tx, args.progress_id, 0, ProgressStatus.FAILED)


KIND = "tasks.rename_tag"
RENAME_TAG = JobKind(KIND, "tasks", _rename_all, args=TaskTagRename, gave_up=_gave_up)
