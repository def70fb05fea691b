"""Which tasks are assigned to whom, for lists that ask for somebody's."""

from collections.abc import Iterable, Iterator

from stowboard.db.database import Tx, Value
from stowboard.db.lookup import LookupTable
from stowboard.db.scan import SqlArguments
from stowboard.tasks.base.task import Task, TaskId

_ASSIGNEES = LookupTable("task_assignee", "owner", "member", "archived", "task_id")


async def put(tx: Tx, before: Iterable[Task], after: Iterable[Task]) -> None:
    """Write the rows of tasks that are stored already. `before` has these tasks as they were, without new ones."""
    await _ASSIGNEES.change(tx, _rows(before), _rows(after))


async def find_assigned(tx: Tx, owner: str, member: str, limit: int) -> list[TaskId]:
    """Ids of some tasks of the owner that are assigned to this member, archived ones too."""
    sql = "SELECT task_id FROM task_assignee WHERE owner = $1 AND member = $2 ORDER BY archived, task_id LIMIT $3"
    return [TaskId(task_id) for (task_id,) in await tx.all(sql, owner, member, limit)]


def is_assigned(arguments: SqlArguments, member: str) -> str:
    """A condition of a statement: the task `t` is assigned to this member."""
    return (
        "EXISTS (SELECT 1 FROM task_assignee AS a WHERE a.owner = t.owner AND a.archived = t.archived"
        f" AND a.member = {arguments.add(member)} AND a.task_id = t.id LIMIT 1 OFFSET 0)"
    )


def _rows(tasks: Iterable[Task]) -> Iterator[tuple[Value, ...]]:
    some = (task for task in tasks if task.more is not None)
    return ((task.owner, member, task.shelf, task.id) for task in some for member in task.extras.assignees)
