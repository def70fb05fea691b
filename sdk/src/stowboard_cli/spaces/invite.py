"""Print a link by which people with an account join a space."""

from argparse import ArgumentParser, Namespace

from msgspec import UNSET

from stowboard_cli.profiles.space import get_space_named
from stowboard_cli.spaces.columns import ROLES
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("space", metavar="SPACE", help="its name or id")
    parser.add_argument("--role", choices=ROLES, default="editor", help="editor by default")
    parser.add_argument("--uses", type=int, metavar="N", help="how many may join by it; 1 by default")
    parser.add_argument("--email", metavar="ADDRESS", help="mail it there as well, if the server sends mail")


def run(stow: Stow, given: Namespace) -> None:
    space = get_space_named(stow.client, given.space)
    made = stow.client.spaces.invite(space.id, given.role, uses=given.uses or UNSET, email=given.email or UNSET)
    stow.list([made], ["link", "role", "usesLeft", "expiresAt"])
