"""Boards and their columns: make, rename, reorder, remove. A board always has one entry and one terminal column."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import UNSET

from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.errors import Conflict, TooManyItems
from stowboard.core.ids import new_id
from stowboard.core.plain_text import check_lines, checked_line
from stowboard.db.database import Tx
from stowboard.events import kinds
from stowboard.events.changes.change_store import Change, added, added_by_program, forget_subjects
from stowboard.events.changes.undo import check_undoable
from stowboard.events.kinds import BoardChanged, BoardCreated, BoardDeleted
from stowboard.events.outbox import changed_members, emit
from stowboard.tasks.base import task_store
from stowboard.tasks.base.errors import BoardNotFound, ColumnInUse, ColumnOfOtherStatus
from stowboard.tasks.base.owners import check_takes_tasks
from stowboard.tasks.base.task import BoardId, ColumnId, Status
from stowboard.tasks.boards import board_store, lane_store
from stowboard.tasks.boards.board import FIRST_COLUMNS, MAX_COLUMNS, Board, Column
from stowboard.tasks.boards.move import append
from stowboard.tasks.keep import keep
from stowboard.tasks.wire import BoardPatch, ColumnPatch

_BATCH = 200
_COLUMNS = ["columns"]
#: The members whose values history keeps. Columns are not kept: a change of them is not undone.
_KEPT = ("name", "description", "archived")


async def create_board(
    tx: Tx, owner: str, name: str, description: str, named: Sequence[tuple[str, Status]] = FIRST_COLUMNS
) -> tuple[Board, list[Column]]:
    """The first column that is not done is the entry, the last one that is done the terminal column: both are there.

    Raises NoTasksInLibrary.
    """
    check_takes_tasks(owner)
    now = clock.now_ms()
    check_lines("description", description)
    person = tx.author.person if tx.author is not None else None
    board = Board(
        id=BoardId(new_id("brd")), owner=owner, name=checked_line("name", name), description=description,
        created_at=now, updated_at=now, version=1, created_by=person, updated_by=person,
    )  # fmt: skip
    entry = next(position for position, (_, status) in enumerate(named) if status is not Status.DONE)
    terminal = max(position for position, (_, status) in enumerate(named) if status is Status.DONE)
    columns = [
        Column(
            id=ColumnId(new_id("col")), board_id=board.id, name=column_name, status=status, position=position,
            is_entry=position == entry, is_terminal=position == terminal,
        )
        for position, (column_name, status) in enumerate(named)
    ]  # fmt: skip
    await board_store.BOARDS.insert(tx, board)
    await board_store.insert_columns(tx, columns)
    made = added_by_program(tx, kinds.BOARD_CREATED, owner, board.id, board.version)
    await emit(tx, kinds.BOARD_CREATED, board.owner, board.id, BoardCreated(board.id, board.version), made)
    return board, columns


async def edit_board(tx: Tx, access: Access, board_id: BoardId, body: BoardPatch, if_match: str | None) -> Board:
    """Rename, describe, archive or restore. Raises BoardNotFound or PreconditionFailed."""
    if body.description:
        check_lines("description", body.description)
    board = await board_store.lock_board(tx, access, board_id, if_match)
    after = msgspec.structs.replace(
        board,
        name=board.name if body.name is UNSET else checked_line("name", body.name),
        description=board.description if body.description is UNSET else body.description or "",
        archived=board.archived if body.archived is UNSET else body.archived,
    )
    return await _keep_edit(tx, board, after)


async def undo_board(tx: Tx, access: Access, change: Change) -> tuple[Board, list[Column]]:
    """A board has no trash: the undo of its creation archives it, unless tasks are on it.

    Raises BoardNotFound, InsufficientRole, Conflict.
    """
    board = await board_store.lock_board(tx, access, BoardId(change.subject), None)
    earlier = await check_undoable(tx, change)
    columns = await board_store.columns_of(tx, board.owner, board.id)
    if not change.changed and await lane_store.any_visible(tx, [column.id for column in columns]):
        raise Conflict("There are tasks on the board. Take them off it first, or archive it by hand.")
    after = await _keep_edit(tx, board, msgspec.structs.replace(board, **(earlier or {"archived": True})))
    if after is board:
        raise Conflict("The board is as it was before this change already.")
    return after, columns


async def delete_board(tx: Tx, access: Access, board_id: BoardId, if_match: str | None = None) -> Board:
    """Remove the board, and return it; its tasks stay, on no board. Raises BoardNotFound or PreconditionFailed."""
    board = await board_store.lock_board(tx, access, board_id, if_match)
    columns = await board_store.columns_of(tx, board.owner, board.id)
    await _lock_lanes(tx, columns)
    for column in columns:
        await _empty(tx, column, None)
    await board_store.delete_board(tx, board)
    await forget_subjects(tx, [board.id])
    await emit(tx, kinds.BOARD_DELETED, board.owner, board.id, BoardDeleted(board.id))
    return board


async def add_column(
    tx: Tx,
    access: Access,
    board_id: BoardId,
    name: str,
    status: Status,
    position: int | None,
    if_match: str | None = None,
) -> tuple[Board, Column]:
    """Returns the board as it is then, and the column. Raises BoardNotFound, PreconditionFailed, TooManyItems."""
    board = await board_store.lock_board(tx, access, board_id, if_match)
    columns = await board_store.columns_of(tx, board.owner, board.id)
    if len(columns) >= MAX_COLUMNS:
        raise TooManyItems(f"A board has at most {MAX_COLUMNS} columns.")
    place = len(columns) if position is None else min(position, len(columns))
    column = Column(
        id=ColumnId(new_id("col")), board_id=board.id, name=checked_line("name", name), status=status, position=place,
        is_entry=False, is_terminal=False,
    )  # fmt: skip
    await board_store.insert_columns(tx, [column])
    await board_store.update_columns(tx, _numbered([*columns[:place], column, *columns[place:]]))
    return await _keep(tx, board, _COLUMNS, column), column


async def edit_column(
    tx: Tx, access: Access, board_id: BoardId, column_id: ColumnId, body: ColumnPatch, if_match: str | None
) -> tuple[Board, Column]:
    """Rename, reorder, or make it the entry or terminal column. Returns the board as it is then, and the column.

    Raises BoardNotFound, PreconditionFailed, ColumnOfOtherStatus.
    """
    board = await board_store.lock_board(tx, access, board_id, if_match)
    columns = await board_store.columns_of(tx, board.owner, board.id)
    column = _get_column(columns, column_id)
    entry, terminal = body.is_entry is True, body.is_terminal is True
    if (entry and column.status is Status.DONE) or (terminal and column.status is not Status.DONE):
        raise ColumnOfOtherStatus
    others = [other for other in columns if other.id != column.id]
    if body.name is not UNSET:
        column = msgspec.structs.replace(column, name=checked_line("name", body.name))
    if entry:
        column = msgspec.structs.replace(column, is_entry=True)
        others = [msgspec.structs.replace(other, is_entry=False) for other in others]
    if terminal:
        column = msgspec.structs.replace(column, is_terminal=True)
        others = [msgspec.structs.replace(other, is_terminal=False) for other in others]
    place = column.position if body.position is UNSET else min(body.position, len(others))
    numbered = _numbered([*others[:place], column, *others[place:]])
    if numbered != columns:
        await board_store.update_columns(tx, numbered)
        board = await _keep(tx, board, _COLUMNS, column)
    return board, _get_column(numbered, column_id)


async def remove_column(
    tx: Tx, access: Access, board_id: BoardId, column_id: ColumnId, if_match: str | None = None
) -> None:
    """Remove a column. Its tasks go to the end of another column of the same status, else of the entry column.

    Raises BoardNotFound, PreconditionFailed, ColumnInUse for the entry or terminal column.
    """
    board = await board_store.lock_board(tx, access, board_id, if_match)
    columns = await board_store.columns_of(tx, board.owner, board.id)
    column = _get_column(columns, column_id)
    if column.is_entry or column.is_terminal:
        raise ColumnInUse
    others = [other for other in columns if other.id != column.id]
    heir = next((other for other in others if other.status is column.status), None)
    heir = heir or next(other for other in others if other.is_entry)
    await _lock_lanes(tx, [column, heir])
    await _empty(tx, column, heir)
    await board_store.delete_column(tx, column)
    await board_store.update_columns(tx, _numbered(others))
    await _keep(tx, board, _COLUMNS, column)


async def _lock_lanes(tx: Tx, columns: list[Column]) -> None:
    """Lock all lanes before any of their tasks, as a move does."""
    for column in columns:
        await lane_store.lock(tx, column.id)


async def _empty(tx: Tx, column: Column, heir: Column | None) -> None:
    """Move every task of a column to the end of another one, or off the board, in their order."""
    while tasks := await task_store.find_and_lock_first_of_lane(tx, column.id, _BATCH):
        for task in tasks:
            after = await append(tx, task, heir.status if heir else task.status, heir)
            await keep(tx, task, after, kinds.TASK_MOVED)


async def _keep_edit(tx: Tx, board: Board, after: Board) -> Board:
    before = {name: getattr(board, name) for name in changed_members(board, after, _KEPT)}
    return await _keep(tx, after, list(before), before=before) if before else board


async def _keep(
    tx: Tx, board: Board, changed: list[str], column: Column | None = None, before: Mapping[str, Any] | None = None
) -> Board:
    updated_by = tx.author.person if tx.author is not None else board.updated_by
    board = msgspec.structs.replace(board, updated_at=clock.now_ms(), version=board.version + 1, updated_by=updated_by)
    await board_store.update_board(tx, board)
    told = BoardChanged(board.id, board.version, changed, column.id if column is not None else None)
    change = added(tx, kinds.BOARD_UPDATED, board.owner, board.id, changed, before or {}, board.version)
    await emit(tx, kinds.BOARD_UPDATED, board.owner, board.id, told, [change])
    return board


def _get_column(columns: list[Column], column_id: ColumnId) -> Column:
    column = next((column for column in columns if column.id == column_id), None)
    if column is None:
        raise BoardNotFound
    return column


def _numbered(columns: list[Column]) -> list[Column]:
    return [msgspec.structs.replace(column, position=position) for position, column in enumerate(columns)]
