"""The pairs of metadata that tasks have, for lists that filter by one."""

from collections.abc import Sequence

from stowboard.core.metadata import changed_pairs
from stowboard.db.database import Tx
from stowboard.tasks.base.task import Task

_INSERT = "INSERT INTO task_metadata (owner, name, value, task_id) VALUES ($1, $2, $3, $4)"


async def put(tx: Tx, before: Task, after: Task) -> None:
    """Make the rows say what `after` has. `before` is what the task was."""
    stays = before.owner == after.owner
    gone, _ = changed_pairs(before.metadata, after.metadata if stays else {})
    _, new = changed_pairs(before.metadata if stays else {}, after.metadata)
    if gone:
        await tx.run_many(
            "DELETE FROM task_metadata WHERE owner = $1 AND name = $2 AND value = $3 AND task_id = $4",
            [(before.owner, *pair, after.id) for pair in gone],
        )
    if new:
        await tx.run_many(_INSERT, [(after.owner, *pair, after.id) for pair in new])


async def add_many(tx: Tx, tasks: Sequence[Task]) -> None:
    """Add the pairs of new tasks, which are stored by now."""
    pairs = [(task.owner, *pair, task.id) for task in tasks for pair in sorted(task.metadata.items())]
    if pairs:
        await tx.run_many(_INSERT, pairs)
