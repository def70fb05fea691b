"""A member who leaves a space is no longer assigned to its tasks. The removal orders a job for that."""

import msgspec

from stowboard.db.database import Tx
from stowboard.db.made import MadeThings
from stowboard.events import kinds
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.tasks.base import assignee_store, task_store
from stowboard.tasks.base.task import with_extras
from stowboard.tasks.keep import keep

BATCH = 100


class UnassignOrder(msgspec.Struct, frozen=True):
    owner: str
    member: str


async def end_assignments(tx: Tx, made: MadeThings) -> int:
    """Order a job for a member who has left a space. Nobody knows yet how many there are, so the answer is 0."""
    owner, member = made.space, made.person
    if owner is not None and member is not None and await assignee_store.find_assigned(tx, owner, member, 1):
        await enqueue(tx, UNASSIGN, UnassignOrder(owner, member), dedup=f"{owner} {member}")
    return 0


async def unassign(job: Job, args: UnassignOrder) -> None:
    while not await job.db.transact(_unassign_some, job, args):
        pass


async def _unassign_some(tx: Tx, job: Job, args: UnassignOrder) -> bool:
    """True if no task was left."""
    ids = await assignee_store.find_assigned(tx, args.owner, args.member, BATCH)
    for task in await task_store.find_and_lock_many(tx, ids) if ids else ():
        left = [name for name in task.extras.assignees if name != args.member]
        if task.owner == args.owner:
            await keep(tx, task, with_extras(task, assignees=left), kinds.TASK_UPDATED)
    if not ids:
        await job.complete(tx)
    return not ids


UNASSIGN = JobKind("tasks.unassign", "tasks", unassign, args=UnassignOrder)
