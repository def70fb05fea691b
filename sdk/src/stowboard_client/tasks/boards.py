"""Boards of the token's owner, their columns, and the places of tasks. `tasks.move` puts a task on a board."""

from typing import Literal

from msgspec import UNSET

from stowboard_client.tasks.task import Status
from stowboard_client.transport.call import Call, Deleted, Maybe, Model, at_version, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


class Column(Model, frozen=True, kw_only=True):
    """Tasks in a column have its status."""

    id: str
    board_id: str
    name: str
    status: str
    position: int
    is_entry: bool
    is_terminal: bool


class Board(Model, frozen=True, kw_only=True):
    id: str
    name: str
    description: str
    columns: tuple[Column, ...]
    created_at: int
    updated_at: int
    version: int
    space_id: str = ""
    #: The person who made it, and the one who changed it last; None for a token of a space.
    created_by: str | None = None
    updated_by: str | None = None
    #: It is in no default list; its tasks keep their places.
    archived: bool = False


class Placement(Model, frozen=True, kw_only=True):
    task_id: str
    board_id: str
    column_id: str
    position: int
    rank: str


def create_board(
    name: str, *, description: Maybe[str | None] = UNSET, space: str | None = None, idempotency_key: str | None = None
) -> Call[Board]:
    """Create a board with the columns To do (entry), In progress and Done (terminal)."""
    body = members(name=name, description=description)
    return Call("POST", "/taskapp/boards", data(Board), body=body, idempotency_key=idempotency_key, space=space)


def list_boards(
    *, archived: bool | Literal["only"] | None = None, space: str | None = None, limit: int | None = None
) -> Call[Page[Board]]:
    """Boards, newest first; with space="all", those of every space. `archived=True` includes archived ones."""
    query = {"archived": archived, "limit": limit}
    return Call("GET", "/taskapp/boards", whole(Page[Board]), query=query, space=space)


def get_board(board_id: str) -> Call[Board]:
    return Call("GET", path("/taskapp/boards/{}", board_id), data(Board))


def update_board(
    board_id: str,
    *,
    name: Maybe[str] = UNSET,
    description: Maybe[str | None] = UNSET,
    archived: Maybe[bool] = UNSET,
    if_match: int | None = None,
    idempotency_key: str | None = None,
) -> Call[Board]:
    """Rename, describe, archive or restore a board; with `if_match=board.version` only if it still has that version."""
    body = members(name=name, description=description, archived=archived)
    address = path("/taskapp/boards/{}", board_id)
    return Call("PATCH", address, data(Board), {}, body, at_version(if_match), idempotency_key)


def delete_board(board_id: str, *, if_match: int | None = None, idempotency_key: str | None = None) -> Call[Deleted]:
    """Delete a board. Its tasks stay, on no board."""
    address = path("/taskapp/boards/{}", board_id)
    return Call("DELETE", address, data(Deleted), headers=at_version(if_match), idempotency_key=idempotency_key)


def transfer_board(
    board_id: str, space: str, *, if_match: int | None = None, idempotency_key: str | None = None
) -> Call[Board]:
    """Transfer a board with its tasks to another space, by its id. All ids stay."""
    address, body = path("/taskapp/boards/{}/transfer", board_id), {"spaceId": space}
    return Call("POST", address, data(Board), {}, body, at_version(if_match), idempotency_key)


def list_columns(board_id: str) -> Call[tuple[Column, ...]]:
    """All columns of the board, in their order."""
    return Call("GET", path("/taskapp/boards/{}/columns", board_id), data(tuple[Column, ...]))


def create_column(
    board_id: str,
    name: str,
    status: Status,
    *,
    position: Maybe[int | None] = UNSET,
    if_match: int | None = None,
    idempotency_key: str | None = None,
) -> Call[Column]:
    """Add a column, by default at the end; with `if_match=board.version` only if the board still has that version."""
    body = members(name=name, status=status, position=position)
    address = path("/taskapp/boards/{}/columns", board_id)
    return Call("POST", address, data(Column), {}, body, at_version(if_match), idempotency_key)


def update_column(
    board_id: str,
    column_id: str,
    *,
    name: Maybe[str] = UNSET,
    position: Maybe[int] = UNSET,
    is_entry: Maybe[bool] = UNSET,
    is_terminal: Maybe[bool] = UNSET,
    if_match: int | None = None,
    idempotency_key: str | None = None,
) -> Call[Column]:
    """Rename or reorder a column. True makes it the entry or terminal column; the service takes no False."""
    body = members(name=name, position=position, is_entry=is_entry, is_terminal=is_terminal)
    address = path("/taskapp/boards/{}/columns/{}", board_id, column_id)
    return Call("PATCH", address, data(Column), {}, body, at_version(if_match), idempotency_key)


def delete_column(
    board_id: str, column_id: str, *, if_match: int | None = None, idempotency_key: str | None = None
) -> Call[Deleted]:
    """Remove a column. Its tasks go to another column of the same status, else to the entry column."""
    address = path("/taskapp/boards/{}/columns/{}", board_id, column_id)
    return Call("DELETE", address, data(Deleted), headers=at_version(if_match), idempotency_key=idempotency_key)


def list_placements(board_id: str, *, limit: int | None = None) -> Call[Page[Placement]]:
    """The place of each task of a board, column by column, in order."""
    return Call("GET", path("/taskapp/boards/{}/placements", board_id), whole(Page[Placement]), query={"limit": limit})


class Boards(Resource[D]):
    create = Operation("createBoard", create_board)
    list = Listing("listBoards", list_boards)
    get = Operation("getBoard", get_board)
    update = Operation("updateBoard", update_board)
    delete = Operation("deleteBoard", delete_board)
    transfer = Operation("transferBoard", transfer_board)
    columns = Operation("listColumns", list_columns)
    add_column = Operation("createColumn", create_column)
    update_column = Operation("updateColumn", update_column)
    remove_column = Operation("deleteColumn", delete_column)
    placements = Listing("listPlacements", list_placements)
