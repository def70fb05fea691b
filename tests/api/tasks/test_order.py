"""The price of order: ranks stay short, and a move writes little more than the task that is moved."""

from stowboard.db.database import Database
from stowboard.tasks.boards.ordering import MAX_RANK
from support.tasks.worn_lanes import Wearing

MOVES = 3_000


async def test_many_moves_beside_one_task_keep_ranks_short_and_write_few_rows(database: Database) -> None:
    wearing = await Wearing.begin(database, tasks=40)
    await wearing.move_many(MOVES, seed=1)
    assert await wearing.order() == wearing.model
    assert wearing.longest <= MAX_RANK
    assert wearing.written <= MOVES * 1.15
