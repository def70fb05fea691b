"""How a board looks in a list."""

from typing import Any

import msgspec

from stowboard_cli.stow import Stow
from stowboard_client import Board

COLUMNS = ["id", "name", "columns"]


def with_column_names(stow: Stow, board: Board) -> Any:
    """In a table the columns are their names; in JSON the board is as the API has it."""
    if not stow.printer.as_table:
        return board
    return {**msgspec.to_builtins(board), "columns": [column.name for column in board.columns]}
