"""Boards and columns in the database. Each function is one statement."""

import msgspec

from stowboard.db.database import Row, Tx
from stowboard.tasks.base.errors import BoardNotFound
from stowboard.tasks.base.task import BoardId, ColumnId, Status
from stowboard.tasks.boards.board import Board, Column

_BOARD = ", ".join(Board.__struct_fields__)
_COLUMN = ", ".join(Column.__struct_fields__)


async def insert_board(tx: Tx, board: Board) -> None:
    await tx.run(f"INSERT INTO board ({_BOARD}) VALUES ($1, $2, $3, $4, $5, $6, $7)", *msgspec.structs.astuple(board))


async def update_board(tx: Tx, board: Board) -> None:
    await tx.run(
        "UPDATE board SET name = $3, description = $4, updated_at = $5, version = $6 WHERE id = $1 AND owner = $2",
        board.id, board.owner, board.name, board.description, board.updated_at, board.version,
    )  # fmt: skip


async def delete_board(tx: Tx, board: Board) -> None:
    """Its columns go with it."""
    await tx.run("DELETE FROM board WHERE id = $1 AND owner = $2", board.id, board.owner)


async def get_board(tx: Tx, owner: str, board_id: BoardId) -> Board:
    """Raises BoardNotFound, for another owner's board as well."""
    return _found(await tx.one(f"SELECT {_BOARD} FROM board WHERE id = $1 AND owner = $2", board_id, owner))


async def lock_board(tx: Tx, owner: str, board_id: BoardId) -> Board:
    """The same, locked against other changes of the board or its columns until the transaction ends."""
    sql = f"SELECT {_BOARD} FROM board WHERE id = $1 AND owner = $2 FOR UPDATE"
    return _found(await tx.one(sql, board_id, owner))


async def boards_before(tx: Tx, owner: str, before: str, limit: int) -> list[Board]:
    """The owner's boards, newest first."""
    sql = f"SELECT {_BOARD} FROM board WHERE owner = $1 AND id < $2 ORDER BY id DESC LIMIT $3"
    return [_found(row) for row in await tx.all(sql, owner, before, limit)]


async def columns_of(tx: Tx, board_id: BoardId) -> list[Column]:
    """In their order."""
    sql = f"SELECT {_COLUMN} FROM board_column WHERE board_id = $1 ORDER BY position, id"
    return [_column(row) for row in await tx.all(sql, board_id)]


async def columns_of_boards(tx: Tx, owner: str, first: BoardId, last: BoardId) -> list[Column]:
    """The columns of all of the owner's boards with ids between these two."""
    names = ", ".join(f"c.{name}" for name in Column.__struct_fields__)
    rows = await tx.all(
        f"SELECT {names} FROM board AS b JOIN board_column AS c ON c.board_id = b.id"
        " WHERE b.owner = $1 AND b.id BETWEEN $2 AND $3 ORDER BY c.board_id, c.position, c.id",
        owner, first, last,
    )  # fmt: skip
    return [_column(row) for row in rows]


async def insert_columns(tx: Tx, columns: list[Column]) -> None:
    sql = f"INSERT INTO board_column ({_COLUMN}) VALUES ($1, $2, $3, $4, $5, $6, $7)"
    await tx.run_many(sql, [_values(column) for column in columns])


async def update_columns(tx: Tx, columns: list[Column]) -> None:
    await tx.run_many(
        "UPDATE board_column SET name = $2, position = $3, is_entry = $4, is_terminal = $5 WHERE id = $1",
        [(c.id, c.name, c.position, int(c.is_entry), int(c.is_terminal)) for c in columns],
    )


async def delete_column(tx: Tx, column: Column) -> None:
    await tx.run("DELETE FROM board_column WHERE id = $1", column.id)


def _found(row: Row | None) -> Board:
    if row is None:
        raise BoardNotFound
    board_id, *rest = row
    return Board(**dict(zip(Board.__struct_fields__, (BoardId(board_id), *rest), strict=True)))


def _values(column: Column) -> tuple[str | int, ...]:
    return (
        column.id, column.board_id, column.name, column.status, column.position, int(column.is_entry),
        int(column.is_terminal),
    )  # fmt: skip


def _column(row: Row) -> Column:
    column_id, board_id, name, status, position, is_entry, is_terminal = row
    return Column(
        id=ColumnId(column_id), board_id=BoardId(board_id), name=name, status=Status(status), position=position,
        is_entry=bool(is_entry), is_terminal=bool(is_terminal),
    )  # fmt: skip
