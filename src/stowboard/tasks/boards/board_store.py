"""Boards and columns in the database. Each function is one statement."""

from stowboard.core.cursor import Position
from stowboard.db.database import Row, Tx
from stowboard.db.rows import Columns
from stowboard.db.scan import IndexRange, RowPage, Scan, SqlArguments
from stowboard.tasks.base.errors import BoardNotFound
from stowboard.tasks.base.task import BoardId
from stowboard.tasks.boards.board import Board, Column

_BOARD = Columns(Board)
_COLUMN = Columns(Column)


async def insert_board(tx: Tx, board: Board) -> None:
    await tx.run(f"INSERT INTO board ({_BOARD.names}) VALUES ({_BOARD.parameters})", *_BOARD.values(board))


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
    return _found(await tx.one(f"SELECT {_BOARD.names} FROM board WHERE id = $1 AND owner = $2", board_id, owner))


async def lock_board(tx: Tx, owner: str, board_id: BoardId) -> Board:
    """The same, locked against other changes of the board or its columns until the transaction ends."""
    sql = f"SELECT {_BOARD.names} FROM board WHERE id = $1 AND owner = $2 FOR UPDATE"
    return _found(await tx.one(sql, board_id, owner))


async def list_boards(tx: Tx, owner: str, after: Position | None, size: int) -> RowPage[Board]:
    """The owner's boards, newest first."""
    scan = Scan(_BOARD.fields, _BOARD.read_all, (IndexRange("board", ("owner = $1",)),))
    return await scan.page(tx, SqlArguments(owner), after, size)


async def find_names(tx: Tx, owner: str, most: int) -> list[tuple[BoardId, str]]:
    """Ids and names of the owner's newest boards."""
    rows = await tx.all("SELECT id, name FROM board WHERE owner = $1 ORDER BY id DESC LIMIT $2", owner, most)
    return [(BoardId(board_id), name) for board_id, name in rows]


async def columns_of(tx: Tx, board_id: BoardId) -> list[Column]:
    """In their order."""
    sql = f"SELECT {_COLUMN.names} FROM board_column WHERE board_id = $1 ORDER BY position, id"
    return [_COLUMN.read(row) for row in await tx.all(sql, board_id)]


async def columns_of_boards(tx: Tx, owner: str, first: BoardId, last: BoardId) -> list[Column]:
    """The columns of all of the owner's boards with ids between these two."""
    names = ", ".join(f"c.{name}" for name in _COLUMN.fields)
    rows = await tx.all(
        f"SELECT {names} FROM board AS b JOIN board_column AS c ON c.board_id = b.id"
        " WHERE b.owner = $1 AND b.id BETWEEN $2 AND $3 ORDER BY c.board_id, c.position, c.id",
        owner, first, last,
    )  # fmt: skip
    return [_COLUMN.read(row) for row in rows]


async def insert_columns(tx: Tx, columns: list[Column]) -> None:
    sql = f"INSERT INTO board_column ({_COLUMN.names}) VALUES ({_COLUMN.parameters})"
    await tx.run_many(sql, [_COLUMN.values(column) for column in columns])


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
    return _BOARD.read(row)


async def delete_of_owner(tx: Tx, owner: str, limit: int) -> int:
    """Delete some of an owner's boards, which have no tasks any more; how many."""
    return await tx.run("DELETE FROM board WHERE id IN (SELECT id FROM board WHERE owner = $1 LIMIT $2)", owner, limit)
