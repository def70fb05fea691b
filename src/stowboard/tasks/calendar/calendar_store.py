"""The secret addresses of calendars, and the tasks that are in one."""

from collections.abc import Sequence
from typing import NamedTuple

from stowboard.db.database import Row, Tx
from stowboard.db.scan import IndexRange, Scan, ScanOrder, SqlArguments
from stowboard.search.pages import one_of
from stowboard.tasks.base.task import Status, Task
from stowboard.tasks.base.task_store import COLUMNS

#: Tasks that one calendar has, the earliest first, and characters of a body that it shows.
MOST_TASKS = 1000
LONGEST_DESCRIPTION = 1000


class Calendar(NamedTuple):
    owner: str
    titles: bool


async def put(tx: Tx, owner: str, digest: bytes, titles: bool, now: int) -> None:
    """The owner's one address; another one before it ends."""
    await tx.run(
        "INSERT INTO calendar (owner, digest, titles, created_at) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (owner) DO UPDATE SET digest = $2, titles = $3, created_at = $4",
        owner, digest, int(titles), now,
    )  # fmt: skip


async def remove(tx: Tx, owner: str) -> bool:
    return await tx.run("DELETE FROM calendar WHERE owner = $1", owner) == 1


async def find(tx: Tx, digest: bytes, older: bytes) -> Calendar | None:
    """By either digest that may be stored of its secret."""
    row = await tx.one("SELECT owner, titles FROM calendar WHERE digest IN ($1, $2)", digest, older)
    return Calendar(row[0], bool(row[1])) if row is not None else None


async def find_versions(tx: Tx, owner: str, since: int) -> list[Row]:
    """Due date, id and version of the tasks in the calendar: those that are due since then and not archived."""
    dated = ("owner = $1", "archived = 0", "due_at IS NOT NULL", "due_at >= $2")
    ranges = tuple(IndexRange("task", (*dated, f"status = '{status}'")) for status in Status)
    scan = Scan(("due_at", "id", "version"), list, ranges, ScanOrder(("due_at", "id"), descending=False), table="task")
    return (await scan.page(tx, SqlArguments(owner, since), None, MOST_TASKS)).items


async def find_rows(tx: Tx, owner: str, task_ids: list[str]) -> Sequence[Row]:
    """Tasks by the order of due dates, for `read_tasks`; of a body only the beginning."""
    arguments = SqlArguments(owner)
    columns = ", ".join(_CUT.get(name, name) for name in COLUMNS.fields)
    ids = one_of(tx, arguments, "id", task_ids)
    return await tx.all(
        f"SELECT {columns} FROM task WHERE owner = $1 AND {ids} AND due_at IS NOT NULL ORDER BY due_at, id",
        *arguments.values,
    )


def read_tasks(rows: Sequence[Row]) -> list[Task]:
    """Takes milliseconds for a thousand: not on the event loop."""
    return COLUMNS.read_all(rows)


_CUT = {"body": f"substr(body, 1, {LONGEST_DESCRIPTION})", "encrypted_body": "NULL"}
