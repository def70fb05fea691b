"""Delete a board. Its tasks stay, on no board. It asks first, unless you say --yes."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.stow import Stow
from stowboard_cli.tasks.named import get_board_named


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("board", metavar="BOARD", help="its name or id")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(stow: Stow, given: Namespace) -> None:
    board = get_board_named(stow.client, given.board)
    stow.require_yes(f"Delete the board {board.name}? Its tasks stay, on no board.")
    stow.list([stow.client.boards.delete(board.id)], ["id", "deleted"])
