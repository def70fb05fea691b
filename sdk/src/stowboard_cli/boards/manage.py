"""List, make, rename and delete boards."""

from argparse import ArgumentParser, Namespace
from typing import Any

import msgspec
from msgspec import UNSET

from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import board_argument, get_board_named
from stowboard_client import Board

_COLUMNS = ["id", "name", "columns"]


def list_boards(stow: Stow, _: Namespace) -> None:
    """List boards."""
    boards = (_with_column_names(stow, board) for board in stow.client.boards.list())
    stow.list(boards, [*_COLUMNS, *stow.space_column])


def create_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--description", metavar="TEXT")


def create(stow: Stow, given: Namespace) -> None:
    """Make a board with the columns To do, In progress and Done."""
    board = stow.client.boards.create(given.name, description=given.description or UNSET)
    stow.list([_with_column_names(stow, board)], _COLUMNS)


def rename_arguments(parser: ArgumentParser) -> None:
    board_argument(parser)
    parser.add_argument("name", metavar="NAME", help="the new name")


def rename(stow: Stow, given: Namespace) -> None:
    """Give a board another name."""
    board = get_board_named(stow.client, given.board)
    renamed = stow.client.boards.update(board.id, name=given.name)
    stow.list([_with_column_names(stow, renamed)], _COLUMNS)


def delete_arguments(parser: ArgumentParser) -> None:
    board_argument(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")


def delete(stow: Stow, given: Namespace) -> None:
    """Delete a board. Its tasks stay, on no board. It asks first, unless you say --yes."""
    board = get_board_named(stow.client, given.board)
    stow.require_yes(f"Delete the board {board.name}? Its tasks stay, on no board.")
    stow.list([stow.client.boards.delete(board.id)], ["id", "deleted"])


def _with_column_names(stow: Stow, board: Board) -> Any:
    """In a table the columns are their names; in JSON the board is as the API has it."""
    if not stow.printer.as_table:
        return board
    return {**msgspec.to_builtins(board), "columns": [column.name for column in board.columns]}
