"""List boards."""

from argparse import Namespace

from stowboard_cli.boards.columns import COLUMNS, with_column_names
from stowboard_cli.stow import Stow


def run(stow: Stow, _: Namespace) -> None:
    boards = (with_column_names(stow, board) for board in stow.client.boards.list())
    stow.list(boards, [*COLUMNS, *stow.space_column])
