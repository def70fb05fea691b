"""The price of order: ranks stay short, and a move writes little more than the task that is moved."""

from stowboard.db.database import Database
from stowboard.tasks.boards.ordering import MAX_RANK
from support.rounds import rounds
from support.tasks.worn_lanes import WornLane

MOVES = rounds(400, 3_000)


async def test_many_moves_beside_one_task_keep_ranks_short_and_write_few_rows(database: Database) -> None:
    worn_lane = await WornLane.begin(database, tasks=40)
    await worn_lane.move_many(MOVES, seed=1)
    assert await worn_lane.order() == worn_lane.model
    assert worn_lane.longest <= MAX_RANK
    assert worn_lane.written <= MOVES * 1.15
