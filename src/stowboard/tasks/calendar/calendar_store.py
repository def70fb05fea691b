"""The secret addresses of calendars, and the tasks that are in one."""

from collections.abc import Sequence
from typing import NamedTuple

from stowboard.core.cursor import Position
from stowboard.core.reach import joined_owners, reached
from stowboard.db.database import Row, Tx
from stowboard.db.made import MadeThings
from stowboard.db.scan import IndexRange, Scan, ScanOrder, SqlArguments
from stowboard.search.pages import one_of
from stowboard.tasks.base.assignee_store import is_assigned
from stowboard.tasks.base.task import Status
from stowboard.tasks.base.task_store import TASKS

#: The most tasks that one calendar has, the earliest first; and the most characters that it shows of a body.
MOST_TASKS = 1000
LONGEST_DESCRIPTION = 1000
#: If only assigned tasks are wanted, a page looks at a thousand candidates, and a calendar at this many pages.
MOST_PAGES = 20


class Calendar(NamedTuple):
    owner: str
    #: The owner of the space that it shows, or `all`.
    space: str
    titles: bool
    #: Only tasks that are assigned to the owner.
    assigned: bool
    #: The grant, OAuth client or token that it was made with, and ends with.
    made_through: str = ""


async def put(tx: Tx, calendar: Calendar, digest: bytes, now: int) -> None:
    """Keep the owner's one address for the space. An earlier one ends."""
    await tx.run(
        "INSERT INTO calendar (owner, space, digest, titles, assigned, made_through, created_at)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (owner, space)"
        " DO UPDATE SET digest = $3, titles = $4, assigned = $5, made_through = $6, created_at = $7",
        calendar.owner, calendar.space, digest, int(calendar.titles), int(calendar.assigned), calendar.made_through,
        now,
    )  # fmt: skip


async def remove(tx: Tx, owner: str, space: str) -> bool:
    return await tx.run("DELETE FROM calendar WHERE owner = $1 AND space = $2", owner, space) == 1


async def end_made(tx: Tx, made: MadeThings) -> int:
    """End the addresses of these calendars."""
    which, arguments = made.where(person="owner")
    return await tx.run(f"DELETE FROM calendar WHERE {which}", *arguments)


async def find(tx: Tx, digest: bytes, older: bytes) -> Calendar | None:
    """The calendar whose secret has one of these digests."""
    row = await tx.one("SELECT owner, space, titles, assigned FROM calendar WHERE digest IN ($1, $2)", digest, older)
    return Calendar(row[0], row[1], bool(row[2]), bool(row[3])) if row is not None else None


async def find_versions(tx: Tx, owners: Sequence[str], since: int, assignee: str | None) -> list[tuple[int, str, int]]:
    """Due date, id and version of the tasks in the calendar: those that are due since then and not archived.

    With an `assignee`, only tasks that are assigned to them, among the first thousands.
    """
    tx.takes_time()
    arguments = SqlArguments(since, *owners)
    assigned = () if assignee is None else (is_assigned(arguments, assignee),)
    dated = ("archived = 0", "due_at IS NOT NULL", "due_at >= $1")
    ranges = tuple(
        IndexRange("task", (f"owner = ${n + 2}", *dated, f"status = '{status}'"))
        for n in range(len(owners))
        for status in Status
    )
    order = ScanOrder(("due_at", "id"), descending=False)
    scan = Scan(("due_at", "id", "version"), _as_tuples, ranges, order, table="task", conditions=assigned)
    found: list[tuple[int, str, int]] = []
    after: Position | None = None
    for _ in range(MOST_PAGES):
        page = await scan.page(tx, SqlArguments(*arguments.values), after, MOST_TASKS - len(found))
        found, after = [*found, *page.items], page.end
        if after is None or len(found) == MOST_TASKS:
            break
    return found


async def find_rows(tx: Tx, owners: Sequence[str], task_ids: list[str]) -> Sequence[Row]:
    """Tasks in the order of due dates, for `TASKS.read_all`, each with only the beginning of its body."""
    tx.takes_time()
    arguments = SqlArguments(joined_owners(owners))
    columns = ", ".join(_CUT.get(name, name) for name in TASKS.fields)
    ids = one_of(tx, arguments, "id", task_ids)
    return await tx.all(
        f"SELECT {columns} FROM task WHERE {ids} AND {reached(1)} AND due_at IS NOT NULL ORDER BY due_at, id",
        *arguments.values,
    )


def _as_tuples(rows: Sequence[Row]) -> list[tuple[int, str, int]]:
    return [(due_at, task_id, version) for due_at, task_id, version in rows]


_CUT = {"body": f"substr(body, 1, {LONGEST_DESCRIPTION})", "encrypted_body": "NULL"}
