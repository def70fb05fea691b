"""Rename a tag of all tasks of an owner, or merge it into another: at once, or by a job if many have it."""

import msgspec

from stowboard.core.caller import Caller
from stowboard.core.tags import checked_tag, renamed
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.jobs.progress import JobProgress
from stowboard.jobs.tag_renaming import BATCH, TagRenaming
from stowboard.tasks.base import task_store
from stowboard.tasks.index import index_store
from stowboard.tasks.index.backfill import require_active
from stowboard.tasks.keep import keep


async def rename_tag(tx: Tx, caller: Caller, old: str, new: str) -> int | JobProgress:
    """The number of changed tasks, or the progress of the job. Raises TaskIndexNotActivated, ValidationFailed."""
    old, new = checked_tag("from", old), checked_tag("to", new)
    if old == new:
        return 0
    await require_active(tx, caller.owner)
    total = await index_store.count_of(tx, caller.owner, old)
    return await RENAMING.begin(tx, caller.owner, old, new, total)


async def _rename_some(tx: Tx, owner: str, old: str, new: str) -> int | None:
    """The number of changed tasks; None if the index knows no task with the tag.

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


RENAMING = TagRenaming("tasks.rename_tag", "tasks", _rename_some)
