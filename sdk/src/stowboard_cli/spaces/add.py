"""Make somebody who has an account here a member of a space."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.profiles.space import get_space_named
from stowboard_cli.spaces.columns import ROLES
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("space", metavar="SPACE", help="its name or id")
    parser.add_argument("username", metavar="USERNAME")
    parser.add_argument("--role", choices=ROLES, default="editor", help="editor by default")


def run(stow: Stow, given: Namespace) -> None:
    space = get_space_named(stow.client, given.space)
    member = stow.client.spaces.add_member(space.id, given.username, given.role)
    stow.list([member], ["username", "displayName", "role"])
