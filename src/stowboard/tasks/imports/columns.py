"""The columns that a board gets for those that it has elsewhere, and the one for each task."""

from collections.abc import Sequence

from stowboard.core.plain_text import plain_line
from stowboard.tasks.base.task import Status
from stowboard.tasks.boards.board import FIRST_COLUMNS, MAX_COLUMNS, Column, column_for
from stowboard.tasks.imports.plan import PlannedColumn

_LONGEST = 200
_NAMED = {
    Status.TODO: {"to do", "todo", "backlog"},
    Status.IN_PROGRESS: {"doing", "in progress", "in-progress"},
    Status.DONE: {"done", "complete", "completed", "finished"},
}


def columns_here(planned: Sequence[PlannedColumn]) -> list[tuple[str, Status]]:
    """Name and status of each column: the first is the entry, the last one that is done the terminal column."""
    columns: dict[str, tuple[str, Status]] = {}
    latest = Status.TODO
    for each in planned:
        name = plain_line(each.name)[:_LONGEST].strip()
        latest = each.status or _status_named(name) or latest
        if name:
            columns.setdefault(name.casefold(), (name, latest))
        latest = Status.IN_PROGRESS if latest is Status.IN_PROGRESS else Status.TODO
    found = list(columns.values())[: MAX_COLUMNS - 2]
    if not found:
        return list(FIRST_COLUMNS)
    if all(status is Status.DONE for _, status in found):
        found.insert(0, FIRST_COLUMNS[0])
    return found if any(status is Status.DONE for _, status in found) else [*found, FIRST_COLUMNS[-1]]


def place_for(columns: list[Column], name: str | None, status: Status | None) -> tuple[Status, Column | None]:
    """The status and the column of a task that was in the column of this name."""
    plain = plain_line(name or "")[:_LONGEST].strip().casefold()
    named = next((column for column in columns if column.name.casefold() == plain), None)
    if named is None and (standing := _status_named(plain)) is not None:
        named = column_for(columns, standing)
    status = status or (named.status if named else Status.TODO)
    return status, named if named is not None and named.status is status else column_for(columns, status)


def _status_named(name: str) -> Status | None:
    return next((status for status, names in _NAMED.items() if name.casefold() in names), None)
