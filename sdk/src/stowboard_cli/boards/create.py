"""Make a board with the columns To do, In progress and Done."""

from argparse import ArgumentParser, Namespace

from msgspec import UNSET

from stowboard_cli.boards.columns import COLUMNS, with_column_names
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("--description", metavar="TEXT")


def run(stow: Stow, given: Namespace) -> None:
    board = stow.client.boards.create(given.name, description=given.description or UNSET)
    stow.list([with_column_names(stow, board)], COLUMNS)
