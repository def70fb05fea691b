"""Activate an owner's index: walk the tasks in batches, make the index say what each is, and verify before the flip."""

import msgspec

from stowboard.core.reach import space_id_of
from stowboard.db.database import Tx
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import TaskIndexNotActivated
from stowboard.tasks.index import index_store
from stowboard.tasks.index.index_store import IndexState, IndexStatus

BATCH = 500


class BackfillView(msgspec.Struct, frozen=True, rename="camel"):
    """How far the index is. Call again until complete is true."""

    complete: bool
    status: IndexStatus
    processed: int
    processed_total: int


async def backfill(tx: Tx, owner: str) -> BackfillView:
    """Do the next batch. Safe to repeat, to interrupt and to run twice at once: the second run continues after it."""
    state = await index_store.lock_state(tx, owner)
    if state.status is IndexStatus.ACTIVE:
        return BackfillView(True, state.status, 0, state.processed)
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
    return BackfillView(after.status is IndexStatus.ACTIVE, after.status, len(tasks), after.processed)


async def require_active(tx: Tx, *owners: str) -> None:
    """Raises TaskIndexNotActivated, which names the space if there are several."""
    active = await index_store.find_active(tx, owners)
    for owner in owners:
        if owner not in active:
            raise TaskIndexNotActivated(_of_space(owner) if len(owners) > 1 else None)


def _of_space(owner: str) -> str:
    space_id = space_id_of(owner)
    return (
        f"The task index of the space {space_id} is not activated yet. Call POST /taskapp/task-index/backfill with"
        f" spaceId={space_id} until data.complete is true, then repeat this request."
    )


async def _status_after(tx: Tx, owner: str, done: int) -> IndexStatus:
    """A batch that is not full ends the walk. If the index lacks a task even then, another walk follows."""
    if done == BATCH or await task_store.has_unindexed(tx, owner):
        return IndexStatus.BACKFILLING
    return IndexStatus.ACTIVE
