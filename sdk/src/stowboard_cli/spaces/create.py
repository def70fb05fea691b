"""Make a shared space. You are its manager."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.spaces.columns import COLUMNS
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")


def run(stow: Stow, given: Namespace) -> None:
    stow.list([stow.client.spaces.create(given.name)], COLUMNS)
