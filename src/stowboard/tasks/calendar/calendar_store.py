"""The secret addresses of calendars, and the tasks that are in one."""

from typing import NamedTuple

from stowboard.db.database import Tx
from stowboard.db.scan import Arguments, Order, Range, Scan
from stowboard.tasks.base.task import Status, Task
from stowboard.tasks.base.task_store import COLUMNS

#: Tasks that one calendar has, the earliest first.
MOST_TASKS = 1000


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


async def dated_tasks(tx: Tx, owner: str, since: int) -> list[Task]:
    """Those that are due since then, and not archived."""
    dated = ("owner = $1", "archived = 0", "due_at IS NOT NULL", "due_at >= $2")
    ranges = tuple(Range("task", (*dated, f"status = '{status}'")) for status in Status)
    scan = Scan(COLUMNS.fields, COLUMNS.read_all, ranges, Order(("due_at", "id"), descending=False), table="task")
    return (await scan.page(tx, Arguments(owner, since), None, MOST_TASKS)).items
