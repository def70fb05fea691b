"""A rank between two neighbours that is never too long: where they are too close, the tasks around are spread anew."""

import msgspec

from stowboard.db.database import Tx
from stowboard.tasks import task_store
from stowboard.tasks.boards import lane_store
from stowboard.tasks.boards.ordering import FIRST_REACH, MAX_RANK, NeedMore, Respread, plan_respread, rank_between
from stowboard.tasks.task import Task


async def rank_with_room(tx: Tx, lane: str, above: str | None, below: str, task: Task) -> str:
    """The lane must be held."""
    rank = rank_between(above, below)
    if len(rank) <= MAX_RANK:
        return rank
    tx.takes_time()
    plan = await _plan(tx, lane, below, task)
    for old, new in plan.moved:
        neighbour = await task_store.find_at_rank(tx, lane, old)
        if neighbour is not None:  # to leave the lane one need not hold it
            # Its version stays: nothing that it says has changed, only how its place is written.
            await task_store.update(tx, msgspec.structs.replace(neighbour, rank=new))
    return plan.rank


async def _plan(tx: Tx, lane: str, below: str, task: Task) -> Respread:
    own = task.rank if task.lane == lane else None
    plan: Respread | NeedMore = NeedMore(FIRST_REACH)
    while isinstance(plan, NeedMore):
        before = await lane_store.ranks_above(tx, lane, below, task.id, plan.reach)
        after = await lane_store.ranks_from(tx, lane, below, task.id, plan.reach)
        plan = plan_respread(before, after, plan.reach, own)
    return plan
