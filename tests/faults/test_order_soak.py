"""Order after very many moves at one spot."""

import pytest

from stowboard.db.database import Database
from stowboard.tasks.boards.ordering import MAX_RANK
from support.tasks.worn_lanes import Wearing

MOVES = 100_000


@pytest.mark.soak
@pytest.mark.parametrize("tasks", [5, 200])
async def test_a_hundred_thousand_moves_beside_one_task_keep_ranks_short(database: Database, tasks: int) -> None:
    wearing = await Wearing.begin(database, tasks)
    await wearing.move_many(MOVES, seed=2)
    assert await wearing.order() == wearing.model
    assert wearing.longest <= MAX_RANK
    assert wearing.written <= MOVES * 1.6
