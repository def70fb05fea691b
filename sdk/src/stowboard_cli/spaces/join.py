"""Join a space by the link of an invitation."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.spaces.columns import COLUMNS
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("link", metavar="LINK", help="as it was sent to you")


def run(stow: Stow, given: Namespace) -> None:
    stow.list([stow.client.spaces.join(given.link.rpartition("#ticket=")[2])], COLUMNS)
