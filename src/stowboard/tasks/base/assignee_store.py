"""Tasks by their assignees."""

from stowboard.db.database import Tx
from stowboard.db.scan import SqlArguments
from stowboard.tasks.base.task import TaskId


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
