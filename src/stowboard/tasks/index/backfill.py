"""Activate an owner's index: walk the tasks in batches, make the index say what each is, and verify before the flip."""

import msgspec

from stowboard.core.caller import Caller
from stowboard.db.database import Tx
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TaskIndexNotActivated
from stowboard.tasks.index import index_store
from stowboard.tasks.index.index_store import IndexState, IndexStatus

BATCH = 500


class BackfillStep(msgspec.Struct, frozen=True):
    """The work of one call, and how far the index is."""

    status: IndexStatus
    processed: int
    processed_total: int

    @property
    def complete(self) -> bool:
        return self.status is IndexStatus.ACTIVE


async def backfill(tx: Tx, caller: Caller) -> BackfillStep:
    """Do the next batch. Safe to repeat, to interrupt and to run twice at once: who comes second goes on from there."""
    owner = caller.owner
    state = await index_store.lock_state(tx, owner)
    if state.status is IndexStatus.ACTIVE:
        return BackfillStep(state.status, 0, state.processed)
    tasks = await task_store.find_and_lock_batch_after(tx, owner, state.position, BATCH)
    if tasks:
        await index_store.rebuild(tx, tasks)
        await task_store.mark_indexed(tx, tasks)
    after = IndexState(
        status=await _status_after(tx, owner, len(tasks)),
        position=tasks[-1].id if len(tasks) == BATCH else "",
        processed=state.processed + len(tasks),
    )
    await index_store.save_state(tx, owner, after)
    return BackfillStep(after.status, len(tasks), after.processed)


async def require_active(tx: Tx, owner: str) -> None:
    """Raises TaskIndexNotActivated."""
    if (await index_store.get_state(tx, owner)).status is not IndexStatus.ACTIVE:
        raise TaskIndexNotActivated


async def _status_after(tx: Tx, owner: str, done: int) -> IndexStatus:
    """The walk has ended with a batch that is not full. A task that the index lacks even then means another walk."""
    if done == BATCH or await task_store.has_unindexed(tx, owner):
        return IndexStatus.BACKFILLING
    return IndexStatus.ACTIVE
