"""The order of tasks within a lane, by rank: a column of a board, or an owner's tasks of one status on no board."""

from collections.abc import Sequence

from stowboard.db.database import Tx
from stowboard.db.rows import numbered
from stowboard.tasks.base.task import Task, TaskId

#: Greater than every rank, as those have digits of base 62.
_AFTER_ALL = "~"


async def lock(tx: Tx, lane: str) -> None:
    """Nobody else orders this lane until the transaction ends. Appending needs no lock: see `rank_at_end`."""
    await tx.lock(f"lane {lane}")


async def last_rank(tx: Tx, lane: str) -> str | None:
    row = await tx.one("SELECT rank FROM task WHERE lane = $1 ORDER BY rank DESC LIMIT 1", lane)
    return row[0] if row else None


async def rank_above(tx: Tx, lane: str, rank: str | None, without: TaskId) -> str | None:
    """The nearest smaller rank, or the last one if no rank is given; the task `without` does not count."""
    sql = "SELECT rank FROM task WHERE lane = $1 AND rank < $2 AND id <> $3 ORDER BY rank DESC LIMIT 1"
    row = await tx.one(sql, lane, _AFTER_ALL if rank is None else rank, without)
    return row[0] if row else None


async def rank_below(tx: Tx, lane: str, rank: str, without: TaskId) -> str | None:
    """The nearest greater rank; the task `without` does not count."""
    sql = "SELECT rank FROM task WHERE lane = $1 AND rank > $2 AND id <> $3 ORDER BY rank LIMIT 1"
    row = await tx.one(sql, lane, rank, without)
    return row[0] if row else None


async def any_visible_between(tx: Tx, lane: str, above: str, below: str, without: TaskId) -> bool:
    """True if a task other than `without` that is not archived is between the two ranks."""
    sql = "SELECT 1 FROM task WHERE lane = $1 AND rank > $2 AND rank < $3 AND archived = 0 AND id <> $4 LIMIT 1"
    return await tx.one(sql, lane, above, below, without) is not None


async def rank_at(tx: Tx, lane: str, position: int, without: TaskId) -> str | None:
    """The rank of the task that is at this position when `without` is taken out; None past the end."""
    row = await tx.one(
        "SELECT rank FROM task WHERE lane = $1 AND archived = 0 AND id <> $2 ORDER BY rank LIMIT 1 OFFSET $3",
        lane, without, position,
    )  # fmt: skip
    return row[0] if row else None


async def position_of(tx: Tx, task: Task) -> int:
    """The number of visible tasks before it."""
    return await _visible(tx, task.lane, "rank < $2", task.rank)


async def any_visible(tx: Tx, lanes: Sequence[str]) -> bool:
    """True if one of these lanes has a task that is neither archived nor in the trash."""
    sql = f"SELECT 1 FROM task WHERE lane IN ({numbered(len(lanes))}) AND archived = 0 LIMIT 1"
    return await tx.one(sql, *lanes) is not None


async def ranks_above(tx: Tx, lane: str, rank: str, without: TaskId, limit: int) -> list[str]:
    """The smaller ranks, nearest first."""
    rows = await tx.all(
        "SELECT rank FROM task WHERE lane = $1 AND rank < $2 AND id <> $3 ORDER BY rank DESC LIMIT $4",
        lane, rank, without, limit,
    )  # fmt: skip
    return [row[0] for row in rows]


async def ranks_from(tx: Tx, lane: str, rank: str, without: TaskId, limit: int) -> list[str]:
    """This rank and the greater ones, nearest first."""
    rows = await tx.all(
        "SELECT rank FROM task WHERE lane = $1 AND rank >= $2 AND id <> $3 ORDER BY rank LIMIT $4",
        lane, rank, without, limit,
    )  # fmt: skip
    return [row[0] for row in rows]


async def rank_in(tx: Tx, lane: str, task_id: TaskId) -> str | None:
    """The task's rank, if it is in this lane."""
    row = await tx.one("SELECT rank FROM task WHERE id = $1 AND lane = $2", task_id, lane)
    return row[0] if row else None


async def visible_up_to(tx: Tx, lane: str, rank: str) -> int:
    """The number of visible tasks at or before this rank."""
    return await _visible(tx, lane, "rank <= $2", rank)


async def _visible(tx: Tx, lane: str, condition: str, rank: str) -> int:
    """All of a lane less those that are hidden: both are counted in an index alone."""
    counted = f"SELECT count(*) FROM task WHERE lane = $1 AND {condition}"
    row = await tx.one(f"SELECT ({counted}) - ({counted} AND archived <> 0)", lane, rank)
    return int(row[0]) if row else 0
