"""Give a board another name."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.boards.columns import COLUMNS, with_column_names
from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_board_named


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("board", metavar="BOARD", help="its name or id")
    parser.add_argument("name", metavar="NAME", help="the new name")


def run(stow: Stow, given: Namespace) -> None:
    board = get_board_named(stow.client, given.board)
    renamed = stow.client.boards.update(board.id, name=given.name)
    stow.list([with_column_names(stow, renamed)], COLUMNS)
