"""Tasks by the assets and videos that they have attached."""

from collections.abc import Sequence

import msgspec

from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.db.database import Tx
from stowboard.db.rows import Columns, numbered
from stowboard.db.scan import IndexRange, RowPage, Scan, SqlArguments
from stowboard.tasks.base.task import Status, TaskId


class UsingTask(msgspec.Struct, frozen=True):
    """A task that has something attached, in short."""

    id: TaskId
    title: str
    status: Status
    archived: bool


_USING = Columns(UsingTask)


async def list_using(tx: Tx, access: Access, target: str, after: Position | None, size: int) -> RowPage[UsingTask]:
    """The tasks in reach that have the target attached and are not in the trash, newest first."""
    owners = tuple(access.reach.roles)
    using = tuple(
        IndexRange("task_attachment", ("target = $1", f"owner = ${number}"), id="task_id")
        for number, _ in enumerate(owners, 2)
    )
    scan = Scan(_USING.fields, _USING.read_all, using, table="task", conditions=("t.trashed_at IS NULL",))
    return await scan.page(tx, SqlArguments(target, *owners), after, size)


async def find_used(tx: Tx, targets: Sequence[str]) -> list[str]:
    """The targets that any task has attached."""
    sql = f"SELECT DISTINCT target FROM task_attachment WHERE target IN ({numbered(len(targets))})"
    return [target for (target,) in await tx.all(sql, *targets)]


async def find_used_outside(tx: Tx, targets: Sequence[str], owner: str) -> list[str]:
    """The targets that a task of another owner has attached."""
    sql = f"SELECT DISTINCT target FROM task_attachment WHERE target IN ({numbered(len(targets), 2)}) AND owner <> $1"
    return [target for (target,) in await tx.all(sql, owner, *targets)]


async def find_using(tx: Tx, target: str, limit: int) -> list[TaskId]:
    """Ids of some tasks that have the target attached, whoever owns them."""
    sql = "SELECT task_id FROM task_attachment WHERE target = $1 ORDER BY owner, task_id LIMIT $2"
    return [TaskId(task_id) for (task_id,) in await tx.all(sql, target, limit)]


def unused(id_column: str) -> str:
    """A condition of a statement: no task of anybody has attached what this column names."""
    return f"NOT EXISTS (SELECT 1 FROM task_attachment AS u WHERE u.target = {id_column} LIMIT 1 OFFSET 0)"
