"""List boards."""

from argparse import Namespace
from typing import Any

import msgspec

from stowboard_cli.stow import Stow
from stowboard_client import Board


def run(stow: Stow, _: Namespace) -> None:
    stow.list((_shown(stow, board) for board in stow.client.boards.list()), ["id", "name", "columns"])


def _shown(stow: Stow, board: Board) -> Any:
    """On a terminal the columns by their names."""
    if not stow.printer.as_table:
        return board
    return {**msgspec.to_builtins(board), "columns": [column.name for column in board.columns]}
