"""Boards, columns and placements over HTTP."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.api.endpoint import Answer, Call, Deleted, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.core.errors import Conflict, TooManyItems, ValidationFailed
from stowboard.core.ids import is_id
from stowboard.core.reach import SpaceId, SpaceOrAll, space_id_of
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.tasks.base.errors import BoardNotFound, ColumnInUse, ColumnOfOtherStatus, TooLargeToTransfer
from stowboard.tasks.base.library import Library
from stowboard.tasks.base.task import FLAGS, ArchivedFilter, BoardId, ColumnId, Status
from stowboard.tasks.boards import board_store, boards, placements, transfer
from stowboard.tasks.boards.board import Board, Column
from stowboard.tasks.boards.placements import Placement
from stowboard.tasks.wire import BoardDescription, BoardName, BoardPatch, ColumnPatch, ColumnPosition, TransferBody


class BoardBody(msgspec.Struct, frozen=True, rename="camel"):
    """A new board. It gets the columns To do, In progress and Done."""

    name: BoardName
    description: BoardDescription | None = None
    space_id: SpaceId | None = None


class ColumnBody(msgspec.Struct, frozen=True):
    """A new column, at the end if no position is given."""

    name: BoardName
    status: Status
    position: ColumnPosition | None = None


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
    space_id: str
    created_by: Annotated[str | None, Meta(description="The person who made it; null for a token of a space.")]
    updated_by: str | None
    archived: Annotated[bool, Meta(description="It is in no default list; its tasks keep their places.")]


class BoardsQuery(PageQuery, frozen=True, rename="camel"):
    space_id: SpaceOrAll | UnsetType = UNSET
    archived: Annotated[ArchivedFilter, Meta(description="true includes archived boards.")] = ArchivedFilter.LEFT_OUT


async def create_board(tx: Tx, call: Call[BoardBody, None]) -> Answer:
    """Create a board with the columns To do (entry), In progress and Done (terminal)."""
    owner = call.access.in_tasks(call.body.space_id)
    board, columns = await boards.create_board(tx, owner, call.body.name, call.body.description or "")
    return _one(board, columns)


async def list_boards(tx: Tx, call: Call[None, BoardsQuery]) -> Answer:
    """List the boards of a space, newest first."""
    space_id = call.query.space_id or None
    shelves = FLAGS[call.query.archived]
    page = Page(call, "boards", call.caller.owner, space_id, shelves)
    listed = await board_store.list_boards(tx, call.access.over_tasks(space_id), shelves, page.after, page.size)
    found = listed.items
    columns = await board_store.columns_of_boards(tx, found) if found else []
    views = [show_board(board, [column for column in columns if column.board_id == board.id]) for board in found]
    return page.answer(views, listed.end)


async def get_board(tx: Tx, call: Call[None, None], board_id: str) -> Answer:
    """Read one board with its columns."""
    board = await _owned(tx, call, board_id)
    return _one(board, await board_store.columns_of(tx, board.owner, board.id))


async def update_board(tx: Tx, call: Call[BoardPatch, None], board_id: str) -> Answer:
    """Rename or describe a board, or archive it: then it is in no default list, and its tasks keep their places."""
    board = await boards.edit_board(tx, call.access, _board_id(board_id), call.body, call.if_match)
    return _one(board, await board_store.columns_of(tx, board.owner, board.id))


async def transfer_board(tx: Tx, call: Call[TransferBody, None], board_id: str) -> Answer:
    """Transfer a board with all of its tasks to another space, in which you are editor too. All ids stay."""
    wanted, space_id = _board_id(board_id), call.body.space_id
    board, columns = await transfer.transfer_board(tx, call.access, wanted, space_id, call.if_match, call.use(Library))
    await audit.record_in(tx, call.caller, board.owner, "board.transfer", board_id)
    return _one(board, columns)


async def delete_board(tx: Tx, call: Call[None, None], board_id: str) -> Deleted:
    """Delete a board. Its tasks stay, on no board."""
    board = await boards.delete_board(tx, call.access, _board_id(board_id), call.if_match)
    await audit.record_in(tx, call.caller, board.owner, "board.delete", board_id)
    return Deleted(board_id)


async def list_columns(tx: Tx, call: Call[None, None], board_id: str) -> list[ColumnView]:
    """List a board's columns in their order."""
    board = await _owned(tx, call, board_id)
    return [_column(column) for column in await board_store.columns_of(tx, board.owner, board.id)]


async def create_column(tx: Tx, call: Call[ColumnBody, None], board_id: str) -> Answer:
    """Add a column to a board. Several columns may have the same status."""
    wanted, body = _board_id(board_id), call.body
    board, column = await boards.add_column(
        tx, call.access, wanted, body.name, body.status, body.position, call.if_match
    )
    return _one_column(board, column)


async def update_column(tx: Tx, call: Call[ColumnPatch, None], board_id: str, column_id: str) -> Answer:
    """Rename or reorder a column, or make it the board's entry or terminal column."""
    wanted, body = _board_id(board_id), call.body
    if False in (body.is_entry, body.is_terminal):
        raise ValidationFailed("isEntry and isTerminal can only be set to true; set it on the other column.")
    board, column = await boards.edit_column(tx, call.access, wanted, ColumnId(column_id), body, call.if_match)
    return _one_column(board, column)


async def delete_column(tx: Tx, call: Call[None, None], board_id: str, column_id: str) -> Deleted:
    """Remove a column. Its tasks go to another column of the same status, else to the entry column."""
    await boards.remove_column(tx, call.access, _board_id(board_id), ColumnId(column_id), call.if_match)
    return Deleted(column_id)


async def list_placements(tx: Tx, call: Call[None, PageQuery], board_id: str) -> Answer:
    """List where each task of a board is, column by column and in their order."""
    board = await _owned(tx, call, board_id)
    page = Page(call, "placements", board.id)
    listed = await placements.list_placements(tx, board, page.after, page.size)
    return page.answer(listed.items, listed.end)


async def _owned(tx: Tx, call: Call[Any, Any], board_id: str) -> Board:
    return await board_store.get_board(tx, call.access, _board_id(board_id))


def _board_id(text: str) -> BoardId:
    """The text as an id; one that cannot be an id is not looked for."""
    if not is_id("brd", text):
        raise BoardNotFound
    return BoardId(text)


def _one(board: Board, columns: list[Column]) -> Answer:
    return Answer(show_board(board, columns), headers=(("etag", board.etag),))


def _one_column(board: Board, column: Column) -> Answer:
    return Answer(_column(column), headers=(("etag", board.etag),))


def show_board(board: Board, columns: list[Column]) -> BoardView:
    return BoardView(
        board.id, board.name, board.description, [_column(column) for column in columns], board.created_at,
        board.updated_at, board.version, space_id_of(board.owner), board.created_by, board.updated_by,
        board.archived,
    )  # fmt: skip


def _column(column: Column) -> ColumnView:
    return ColumnView(*msgspec.structs.astuple(column))


_READ, _WRITE, _DELETE = "tasks:read", "tasks:write", "tasks:delete"
_ETAG = {"ETag": "The version of the board and its columns, for If-Match."}
_IF_MATCH = {"If-Match": "The ETag of the board's version that the change is for; another one is answered with 412."}
_COLUMN = {
    "id": "col_01kbr2x4q8e9w6y3t7n5m1c0vz", "boardId": "brd_01kbr2x4q8e9w6y3t7n5m1c0vz", "name": "To do",
    "status": "todo", "position": 0, "isEntry": True, "isTerminal": False,
}  # fmt: skip
_BOARD = {
    "id": "brd_01kbr2x4q8e9w6y3t7n5m1c0vz", "name": "House", "description": "", "columns": [_COLUMN],
    "createdAt": 1794700000000, "updatedAt": 1794700000000, "version": 1,
    "spaceId": "~alice", "createdBy": "alice", "updatedBy": "alice", "archived": False,
}  # fmt: skip
_DELETED = {"id": "brd_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True}

ENDPOINTS = [
    Endpoint(
        "GET", "/taskapp/boards", list_boards, list[BoardView], scope=_READ, query=BoardsQuery, meta=PageMeta,
        errors=[TooManyItems], example=[_BOARD],
    ),
    Endpoint(
        "POST", "/taskapp/boards", create_board, BoardView, scope=_WRITE, body=BoardBody, status=201, headers=_ETAG,
        example=_BOARD, example_body={"name": "House", "description": "What has to be done at home"},
    ),
    Endpoint(
        "GET", "/taskapp/boards/{board_id}", get_board, BoardView, scope=_READ, headers=_ETAG,
        revalidates=True, example=_BOARD,
    ),
    Endpoint(
        "PATCH", "/taskapp/boards/{board_id}", update_board, BoardView, scope=_WRITE, body=BoardPatch, takes=_IF_MATCH,
        headers=_ETAG, example=_BOARD, example_body={"name": "House and garden"},
    ),
    Endpoint(
        "POST", "/taskapp/boards/{board_id}/transfer", transfer_board, BoardView, scope=_DELETE, body=TransferBody,
        takes=_IF_MATCH, headers=_ETAG, errors=[Conflict, TooLargeToTransfer], example=_BOARD,
        example_body={"spaceId": "spc_01kbr2x4q8e9w6y3t7n5m1c0vz"},
    ),
    Endpoint(
        "DELETE", "/taskapp/boards/{board_id}", delete_board, Deleted, scope=_DELETE, takes=_IF_MATCH, example=_DELETED,
    ),
    Endpoint(
        "GET", "/taskapp/boards/{board_id}/columns", list_columns, list[ColumnView], scope=_READ,
        example=[_COLUMN],
    ),
    Endpoint(
        "POST", "/taskapp/boards/{board_id}/columns", create_column, ColumnView, scope=_WRITE, body=ColumnBody,
        status=201, takes=_IF_MATCH, headers=_ETAG, errors=[TooManyItems], example=_COLUMN,
        example_body={"name": "Waiting", "status": "in_progress", "position": 2},
    ),
    Endpoint(
        "PATCH", "/taskapp/boards/{board_id}/columns/{column_id}", update_column, ColumnView, scope=_WRITE,
        body=ColumnPatch, takes=_IF_MATCH, headers=_ETAG, errors=[ColumnOfOtherStatus], example=_COLUMN,
        example_body={"name": "Soon", "position": 1},
    ),
    Endpoint(
        "DELETE", "/taskapp/boards/{board_id}/columns/{column_id}", delete_column, Deleted, scope=_DELETE,
        takes=_IF_MATCH, errors=[ColumnInUse], example=_DELETED,
    ),
    Endpoint(
        "GET", "/taskapp/boards/{board_id}/placements", list_placements, list[Placement], scope=_READ,
        query=PageQuery, meta=PageMeta,
        example=[{"taskId": "tsk_01kbr2x4q8e9w6y3t7n5m1c0vz", "boardId": _BOARD["id"], "columnId": _COLUMN["id"],
                  "position": 0, "rank": "0WbXq1Gk3fT9Zr"}],
    ),
]  # fmt: skip
