"""A board: a named row of columns, one of which tasks enter by and one of which they end in."""

import msgspec

from stowboard.tasks.base.task import BoardId, ColumnId, Status, etag_of

MAX_COLUMNS = 50


class Board(msgspec.Struct, frozen=True, kw_only=True):
    id: BoardId
    owner: str
    name: str
    description: str
    created_at: int
    updated_at: int
    version: int
    #: The person who made it, and the one who changed it last; None for a token of a space.
    created_by: str | None
    updated_by: str | None
    #: It is in no default list; its tasks keep their places.
    archived: bool = False

    @property
    def etag(self) -> str:
        return etag_of(self.version)


class Column(msgspec.Struct, frozen=True, kw_only=True):
    id: ColumnId
    board_id: BoardId
    name: str
    status: Status
    position: int
    is_entry: bool
    is_terminal: bool


#: Name and status of the columns of a new board; the first is the entry, the last the terminal one.
FIRST_COLUMNS = [("To do", Status.TODO), ("In progress", Status.IN_PROGRESS), ("Done", Status.DONE)]


def column_for(columns: list[Column], status: Status) -> Column | None:
    """The column for a task if only its status is named: entry, terminal, or the first column that has the status."""
    fitting = [column for column in columns if column.status is status]
    preferred = [column for column in fitting if column.is_entry or column.is_terminal]
    return next(iter([*preferred, *fitting]), None)
