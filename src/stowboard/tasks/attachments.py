"""Assets and videos of a task, in their order.

When one of them is deleted, tasks keep its id in its place, with a mark. A job sets the mark; the transaction of the
deletion orders it, if there is such a task. Nobody can attach it meanwhile: attaching locks it, and the deletion waits
for the lock.
"""

from collections.abc import Sequence

import msgspec

from stowboard.core.caller import Access
from stowboard.core.errors import TooManyItems
from stowboard.core.reach import LIBRARY
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.jobs.queue import enqueue
from stowboard.jobs.registry import Job, JobKind
from stowboard.tasks.base import attachment_store, task_store
from stowboard.tasks.base.errors import UnknownAttachment
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.task import MAX_ATTACHMENTS, Attachment, Task
from stowboard.tasks.keep import keep

BATCH = 100


async def checked_attachments(
    tx: Tx, library: Library, access: Access, owner: str, ids: Sequence[str], before: Sequence[Attachment] = ()
) -> list[Attachment]:
    """The attachments to keep, each once. One that the task has already stays, even if it was deleted since.

    New ones have to be in the space of the task, which is the owner's, or in the Library.

    Raises TooManyItems, UnknownAttachment, InTrash.
    """
    wanted = list(dict.fromkeys(ids))
    if len(wanted) > MAX_ATTACHMENTS:
        raise TooManyItems(f"attachments: expected at most {MAX_ATTACHMENTS}.")
    known = {attachment.id: attachment for attachment in before}
    new = [each for each in wanted if each not in known]
    found = await library.find_and_lock(tx, access, new) if new else {}
    for each in new:
        if found.get(each) not in access.reach.roles:
            raise UnknownAttachment(f"attachments: there is no asset or video {each}.")
        if found[each] not in (owner, LIBRARY):
            raise UnknownAttachment(f"attachments: {each} is in another space than the task. Copy it there first.")
        known[each] = Attachment(each)
    return [known[each] for each in wanted]


class DetachOrder(msgspec.Struct, frozen=True):
    #: The asset or video that was deleted.
    target: str


async def detach_later(tx: Tx, targets: Sequence[str]) -> None:
    """Order the job for targets that are in use. This transaction deletes them, and has locked them."""
    for target in await attachment_store.find_used(tx, targets) if targets else ():
        await enqueue(tx, DETACH, DetachOrder(target), dedup=target)


async def detach(job: Job, args: DetachOrder) -> None:
    while not await job.db.transact(_detach_some, job, args.target):
        pass


async def _detach_some(tx: Tx, job: Job, target: str) -> bool:
    """True if no task was left. A batch that is not full does not prove it, since others write meanwhile."""
    ids = await attachment_store.find_using(tx, target, BATCH)
    for task in await task_store.find_and_lock_many(tx, ids) if ids else ():
        await keep(tx, task, _marked(task, target), kinds.TASK_UPDATED)
    if not ids:
        await job.complete(tx)
    return not ids


def _marked(task: Task, target: str) -> Task:
    marked = [Attachment(each.id, each.deleted or each.id == target) for each in task.attachments]
    return msgspec.structs.replace(task, attachments=marked)


DETACH = JobKind("tasks.detach", "tasks", detach, args=DetachOrder)
