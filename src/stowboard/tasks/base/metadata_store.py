"""The pairs of metadata that tasks have, for lists that filter by one."""

from collections.abc import Iterable, Iterator

from stowboard.db.database import Tx, Value
from stowboard.db.lookup import LookupTable
from stowboard.tasks.base.task import Task

_PAIRS = LookupTable("task_metadata", "owner", "name", "value", "task_id")


async def put(tx: Tx, before: Iterable[Task], after: Iterable[Task]) -> None:
    """Write the rows of tasks that are stored already. `before` has these tasks as they were, without new ones."""
    await _PAIRS.change(tx, _rows(before), _rows(after))


def _rows(tasks: Iterable[Task]) -> Iterator[tuple[Value, ...]]:
    return ((task.owner, *pair, task.id) for task in tasks for pair in task.metadata.items())
