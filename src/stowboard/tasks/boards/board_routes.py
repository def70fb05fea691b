"""Boards, columns and placements over HTTP."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, Call, Deleted, Endpoint, PageMeta
from stowboard.api.paging import PageQuery, page
from stowboard.core.cursor import read_cursor, write_cursor
from stowboard.core.errors import InvalidCursor, TooManyItems, ValidationFailed
from stowboard.core.ids import is_id
from stowboard.core.signing import Keyring
from stowboard.db.database import Tx
from stowboard.tasks.base.errors import BoardNotFound, ColumnInUse, ColumnOfOtherStatus
from stowboard.tasks.base.task import BoardId, ColumnId, Status
from stowboard.tasks.boards import board_store, boards
from stowboard.tasks.boards.board import Board, Column
from stowboard.tasks.boards.placements import LARGEST_PAGE, Placement, placements_after
from stowboard.tasks.wire import NOT_BLANK

Name = Annotated[
    str, Meta(min_length=1, max_length=200, description="Trimmed; not empty.", extra_json_schema=NOT_BLANK)
]
Role = Annotated[bool, Meta(description="true makes it that; give it to another column to end it.",
                            extra_json_schema={"enum": [True]})]  # fmt: skip
Description = Annotated[str, Meta(max_length=2000)]
Position = Annotated[int, Meta(ge=0, le=1000, description="0-based; past the end is the end.")]
_AFTER_ALL = "brd_" + "z" * 27


class BoardBody(msgspec.Struct, frozen=True):
    """A new board. It gets the columns To do, In progress and Done."""

    name: Name
    description: Description | None = None


class BoardPatch(msgspec.Struct, frozen=True):
    """Changes to a board. What is omitted keeps its value."""

    name: Name | UnsetType = UNSET
    description: Description | None | UnsetType = UNSET


class ColumnBody(msgspec.Struct, frozen=True):
    """A new column, at the end if no position is given."""

    name: Name
    status: Status
    position: Position | None = None


class ColumnPatch(msgspec.Struct, frozen=True, rename="camel"):
    """Changes to a column. Making it the entry or terminal column takes that from the present one."""

    name: Name | UnsetType = UNSET
    position: Position | UnsetType = UNSET
    is_entry: Role | UnsetType = UNSET
    is_terminal: Role | UnsetType = UNSET


class ColumnView(msgspec.Struct, frozen=True, rename="camel"):
    """A column of a board. Tasks in it have its status."""

    id: ColumnId
    board_id: BoardId
    name: str
    status: Status
    position: int
    is_entry: bool
    is_terminal: bool


class BoardView(msgspec.Struct, frozen=True, rename="camel"):
    """A board with its columns, in their order."""

    id: BoardId
    name: str
    description: str
    columns: list[ColumnView]
    created_at: int
    updated_at: int
    version: int


class PlacementsQuery(msgspec.Struct, frozen=True):
    """Paging of placements: a board of up to a thousand tasks is one page."""

    limit: Annotated[int, Meta(ge=1, description="How many at most; more than 1000 are given as 1000.")] = LARGEST_PAGE
    cursor: Annotated[str, Meta(description="`meta.nextCursor` of the page before.")] | UnsetType = UNSET


async def create_board(tx: Tx, call: Call[BoardBody, None]) -> BoardView:
    """Create a board with the columns To do (entry), In progress and Done (terminal)."""
    board, columns = await boards.create_board(tx, call.caller, call.body.name, call.body.description or "")
    return _view(board, columns)


async def list_boards(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the boards, newest first."""
    keyring, owner, size, cursor = call.use(Keyring), call.caller.owner, call.query.size, call.query.cursor
    before = read_cursor(keyring, cursor, tuple[str], "boards", owner)[0] if cursor is not UNSET else _AFTER_ALL
    found = await board_store.boards_before(tx, owner, before, size + 1)
    next_cursor = write_cursor(keyring, (found[size - 1].id,), "boards", owner) if len(found) > size else None
    shown = found[:size]
    columns = await board_store.columns_of_boards(tx, owner, shown[-1].id, shown[0].id) if shown else []
    views = [_view(board, [column for column in columns if column.board_id == board.id]) for board in shown]
    return page(views, size, next_cursor)


async def get_board(tx: Tx, call: Call[None, None], board_id: str) -> BoardView:
    """Read one board with its columns."""
    board = await _owned(tx, call, board_id)
    return _view(board, await board_store.columns_of(tx, board.id))


async def update_board(tx: Tx, call: Call[BoardPatch, None], board_id: str) -> BoardView:
    """Rename or describe a board."""
    board = await boards.edit_board(tx, call.caller, _board_id(board_id), call.body.name, call.body.description)
    return _view(board, await board_store.columns_of(tx, board.id))


async def delete_board(tx: Tx, call: Call[None, None], board_id: str) -> Deleted:
    """Delete a board. Its tasks stay, on no board."""
    await boards.delete_board(tx, call.caller, _board_id(board_id))
    return Deleted(board_id)


async def list_columns(tx: Tx, call: Call[None, None], board_id: str) -> list[ColumnView]:
    """List a board's columns in their order."""
    board = await _owned(tx, call, board_id)
    return [_column(column) for column in await board_store.columns_of(tx, board.id)]


async def create_column(tx: Tx, call: Call[ColumnBody, None], board_id: str) -> ColumnView:
    """Add a column to a board. Several columns may have the same status."""
    wanted, body = _board_id(board_id), call.body
    return _column(await boards.add_column(tx, call.caller, wanted, body.name, body.status, body.position))


async def update_column(tx: Tx, call: Call[ColumnPatch, None], board_id: str, column_id: str) -> ColumnView:
    """Rename or reorder a column, or make it the board's entry or terminal column."""
    wanted, body = _board_id(board_id), call.body
    if False in (body.is_entry, body.is_terminal):
        raise ValidationFailed("isEntry and isTerminal can only be set to true; set it on the column that shall be it.")
    column = await boards.edit_column(
        tx, call.caller, wanted, ColumnId(column_id), body.name, body.position, body.is_entry is True,
        body.is_terminal is True,
    )  # fmt: skip
    return _column(column)


async def delete_column(tx: Tx, call: Call[None, None], board_id: str, column_id: str) -> Deleted:
    """Remove a column. Its tasks go to another column of the same status, else to the entry column."""
    await boards.remove_column(tx, call.caller, _board_id(board_id), ColumnId(column_id))
    return Deleted(column_id)


async def list_placements(tx: Tx, call: Call[None, PlacementsQuery], board_id: str) -> Answer:
    """List where each task of a board is, column by column and in their order."""
    board = await _owned(tx, call, board_id)
    keyring, size, cursor = call.use(Keyring), min(call.query.limit, LARGEST_PAGE), call.query.cursor
    binding = ("placements", board.id)
    after = read_cursor(keyring, cursor, tuple[str, str], *binding) if cursor is not UNSET else None
    found = await placements_after(tx, board, after, size + 1)
    last = found[size - 1] if len(found) > size else None
    next_cursor = write_cursor(keyring, (last.column_id, last.rank), *binding) if last else None
    return page(found[:size], size, next_cursor)


async def _owned(tx: Tx, call: Call[Any, Any], board_id: str) -> Board:
    return await board_store.get_board(tx, call.caller.owner, _board_id(board_id))


def _board_id(text: str) -> BoardId:
    """What cannot be an id is not looked for."""
    if not is_id("brd", text):
        raise BoardNotFound
    return BoardId(text)


def _view(board: Board, columns: list[Column]) -> BoardView:
    return BoardView(
        board.id, board.name, board.description, [_column(column) for column in columns], board.created_at,
        board.updated_at, board.version,
    )  # fmt: skip


def _column(column: Column) -> ColumnView:
    return ColumnView(*msgspec.structs.astuple(column))


_READ, _WRITE = "tasks:read", "tasks:write"
_COLUMN = {
    "id": "col_01kbr2x4q8e9w6y3t7n5m1c0vz", "boardId": "brd_01kbr2x4q8e9w6y3t7n5m1c0vz", "name": "To do",
    "status": "todo", "position": 0, "isEntry": True, "isTerminal": False,
}  # fmt: skip
_BOARD = {
    "id": "brd_01kbr2x4q8e9w6y3t7n5m1c0vz", "name": "House", "description": "", "columns": [_COLUMN],
    "createdAt": 1794700000000, "updatedAt": 1794700000000, "version": 1,
}  # fmt: skip
_DELETED = {"id": "brd_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True}

ENDPOINTS = [
    Endpoint(
        "GET", "/taskapp/boards", list_boards, list[BoardView], scope=_READ, query=PageQuery, meta=PageMeta,
        repeats=True, errors=[InvalidCursor], example=[_BOARD],
    ),
    Endpoint(
        "POST", "/taskapp/boards", create_board, BoardView, scope=_WRITE, body=BoardBody, status=201, example=_BOARD,
        example_body={"name": "House", "description": "What has to be done at home"},
    ),
    Endpoint(
        "GET", "/taskapp/boards/{board_id}", get_board, BoardView, scope=_READ, errors=[BoardNotFound],
        repeats=True, revalidates=True, example=_BOARD,
    ),
    Endpoint(
        "PATCH", "/taskapp/boards/{board_id}", update_board, BoardView, scope=_WRITE, body=BoardPatch,
        errors=[BoardNotFound], example=_BOARD, example_body={"name": "House and garden"},
    ),
    Endpoint(
        "DELETE", "/taskapp/boards/{board_id}", delete_board, Deleted, scope=_WRITE, errors=[BoardNotFound],
        example=_DELETED,
    ),
    Endpoint(
        "GET", "/taskapp/boards/{board_id}/columns", list_columns, list[ColumnView], scope=_READ,
        repeats=True, errors=[BoardNotFound], example=[_COLUMN],
    ),
    Endpoint(
        "POST", "/taskapp/boards/{board_id}/columns", create_column, ColumnView, scope=_WRITE, body=ColumnBody,
        status=201, errors=[BoardNotFound, TooManyItems], example=_COLUMN,
        example_body={"name": "Waiting", "status": "in_progress", "position": 2},
    ),
    Endpoint(
        "PATCH", "/taskapp/boards/{board_id}/columns/{column_id}", update_column, ColumnView, scope=_WRITE,
        body=ColumnPatch, errors=[BoardNotFound, ColumnOfOtherStatus], example=_COLUMN,
        example_body={"name": "Soon", "position": 1},
    ),
    Endpoint(
        "DELETE", "/taskapp/boards/{board_id}/columns/{column_id}", delete_column, Deleted, scope=_WRITE,
        errors=[BoardNotFound, ColumnInUse], example=_DELETED,
    ),
    Endpoint(
        "GET", "/taskapp/boards/{board_id}/placements", list_placements, list[Placement], scope=_READ,
        query=PlacementsQuery, meta=PageMeta, repeats=True, errors=[BoardNotFound, InvalidCursor],
        example=[{"taskId": "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz", "boardId": _BOARD["id"], "columnId": _COLUMN["id"],
                  "position": 0, "rank": "0WbXq1Gk3fT9Zr"}],
    ),
]  # fmt: skip
