"""The tables that find tasks by what they have: attachments, pairs of metadata, assignees."""

from collections.abc import Iterator, Sequence

from stowboard.db.database import Tx, Value
from stowboard.db.lookup import LookupTable
from stowboard.tasks.base.task import Task

_ATTACHED = LookupTable("task_attachment", "target", "owner", "task_id")
_PAIRS = LookupTable("task_metadata", "owner", "name", "value", "task_id")
_ASSIGNED = LookupTable("task_assignee", "owner", "member", "archived", "task_id")


async def put(tx: Tx, before: Sequence[Task], after: Sequence[Task]) -> None:
    """Write the rows of tasks that are stored already. `before` has these tasks as they were, without new ones."""
    for table, rows in ((_ATTACHED, _attached), (_PAIRS, _pairs), (_ASSIGNED, _assigned)):
        await table.change(tx, rows(before), rows(after))


def _attached(tasks: Sequence[Task]) -> Iterator[tuple[Value, ...]]:
    """A deleted attachment has no row."""
    return ((each.id, task.owner, task.id) for task in tasks for each in task.attachments if not each.deleted)


def _pairs(tasks: Sequence[Task]) -> Iterator[tuple[Value, ...]]:
    return ((task.owner, *pair, task.id) for task in tasks for pair in task.metadata.items())


def _assigned(tasks: Sequence[Task]) -> Iterator[tuple[Value, ...]]:
    some = (task for task in tasks if task.more is not None)
    return ((task.owner, member, task.shelf, task.id) for task in some for member in task.extras.assignees)
