"""Order after very many moves at one spot."""

import pytest

from stowboard.db.database import Database
from stowboard.tasks.boards.ordering import MAX_RANK
from support.tasks.worn_lanes import WornLane

MOVES = 100_000


@pytest.mark.soak
@pytest.mark.parametrize("tasks", [5, 200])
async def test_a_hundred_thousand_moves_beside_one_task_keep_ranks_short(database: Database, tasks: int) -> None:
    worn_lane = await WornLane.begin(database, tasks)
    await worn_lane.move_many(MOVES, seed=2)
    assert await worn_lane.order() == worn_lane.model
    assert worn_lane.longest <= MAX_RANK
    assert worn_lane.written <= MOVES * 1.6
