"""Boards and columns in the database. Each function is one statement.

A board is read for a caller by its reach, and columns by the owner of their board.
"""

from collections.abc import Sequence

from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.core.preconditions import check_if_match
from stowboard.core.reach import reached
from stowboard.db.database import Tx
from stowboard.db.scan import IndexRange, RowPage, Scan, SqlArguments
from stowboard.db.table import Table
from stowboard.search.pages import one_of
from stowboard.tasks.base.errors import BoardNotFound
from stowboard.tasks.base.task import BoardId
from stowboard.tasks.boards.board import Board, Column

BOARDS = Table("board", Board)
_COLUMNS = Table("board_column", Column)
_IN_REACH = f"id = $1 AND {reached(2)}"


async def update_board(tx: Tx, board: Board) -> None:
    await tx.run(
        "UPDATE board SET owner = $2, name = $3, description = $4, updated_at = $5, version = $6, updated_by = $7,"
        " archived = $8 WHERE id = $1",
        board.id, board.owner, board.name, board.description, board.updated_at, board.version, board.updated_by,
        int(board.archived),
    )  # fmt: skip


async def delete_board(tx: Tx, board: Board) -> None:
    """Delete the board with its columns."""
    await tx.run("DELETE FROM board WHERE id = $1 AND owner = $2", board.id, board.owner)


async def get_board(tx: Tx, access: Access, board_id: BoardId) -> Board:
    """Raises BoardNotFound, also for a board out of reach; InsufficientRole."""
    return _checked(access, await BOARDS.find(tx, _IN_REACH, board_id, access.owners))


async def lock_board(tx: Tx, access: Access, board_id: BoardId, if_match: str | None) -> Board:
    """The board, locked against other changes of it or its columns until the transaction ends.

    `if_match` must name its version, which is that of its columns, too. Raises BoardNotFound, InsufficientRole,
    PreconditionFailed.
    """
    board = _checked(access, await BOARDS.find(tx, f"{_IN_REACH} FOR UPDATE", board_id, access.owners))
    check_if_match(if_match, board.etag)
    return board


async def list_boards(
    tx: Tx, owners: Sequence[str], shelves: Sequence[int], after: Position | None, size: int
) -> RowPage[Board]:
    """The boards of these owners, newest first: archived ones (1), others (0), or both."""
    ranges = tuple(IndexRange("board", (f"owner = ${n + 1}",)) for n in range(len(owners)))
    conditions = (f"t.archived IN ({', '.join(map(str, shelves))})",)
    scan = Scan(BOARDS.fields, BOARDS.read_all, ranges, table="board", conditions=conditions)
    return await scan.page(tx, SqlArguments(*owners), after, size)


async def find_names(tx: Tx, owner: str, most: int) -> list[tuple[BoardId, str]]:
    """Ids and names of the owner's newest boards."""
    sql = "SELECT id, name FROM board WHERE owner = $1 AND archived = 0 ORDER BY id DESC LIMIT $2"
    rows = await tx.all(sql, owner, most)
    return [(BoardId(board_id), name) for board_id, name in rows]


async def columns_of(tx: Tx, owner: str, board_id: BoardId) -> list[Column]:
    """The columns of a board in their order; none if the owner has no such board."""
    of_owner = "EXISTS (SELECT 1 FROM board WHERE board.id = $1 AND board.owner = $2)"
    return await _COLUMNS.find_all(tx, f"board_id = $1 AND {of_owner} ORDER BY position, id", board_id, owner)


async def columns_of_boards(tx: Tx, boards: Sequence[Board]) -> list[Column]:
    """The columns of all of these boards, in their order."""
    arguments = SqlArguments()
    of_boards = one_of(tx, arguments, "board_id", [board.id for board in boards])
    return await _COLUMNS.find_all(tx, f"{of_boards} ORDER BY board_id, position, id", *arguments.values)


async def insert_columns(tx: Tx, columns: list[Column]) -> None:
    await _COLUMNS.insert_many(tx, columns)


async def update_columns(tx: Tx, columns: list[Column]) -> None:
    await tx.run_many(
        "UPDATE board_column SET name = $2, position = $3, is_entry = $4, is_terminal = $5 WHERE id = $1",
        [(c.id, c.name, c.position, int(c.is_entry), int(c.is_terminal)) for c in columns],
    )


async def delete_column(tx: Tx, column: Column) -> None:
    await tx.run("DELETE FROM board_column WHERE id = $1", column.id)


def _checked(access: Access, board: Board | None) -> Board:
    if board is None:
        raise BoardNotFound
    access.check(board.owner)
    return board


async def delete_of_owner(tx: Tx, owner: str, limit: int) -> int:
    """Delete some of an owner's boards, which have no tasks any more. Returns how many."""
    return await tx.run("DELETE FROM board WHERE id IN (SELECT id FROM board WHERE owner = $1 LIMIT $2)", owner, limit)
