"""List the members of a space."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.profiles.space import get_space_named
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("space", metavar="SPACE", help="its name or id")


def run(stow: Stow, given: Namespace) -> None:
    space = get_space_named(stow.client, given.space)
    stow.list(stow.client.spaces.members(space.id), ["username", "displayName", "role"])
