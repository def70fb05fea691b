"""Commands for spaces and their members."""

from argparse import ArgumentParser, Namespace
from typing import get_args

from msgspec import UNSET

from stowboard_cli.profiles.space import get_space_named
from stowboard_cli.stow import Stow
from stowboard_client.access.spaces import Role

_COLUMNS = ["id", "name", "role", "members"]
_MEMBER_COLUMNS = ["username", "displayName", "role", "status"]


def space_argument(parser: ArgumentParser) -> None:
    parser.add_argument("space", metavar="SPACE", help="its name or id")


def role_argument(parser: ArgumentParser) -> None:
    parser.add_argument("--role", choices=get_args(Role), default="editor", help="editor by default")


def list_spaces(stow: Stow, _: Namespace) -> None:
    """List the spaces that you are in, and your role in each."""
    stow.list(stow.client.spaces.list(), _COLUMNS)


def create_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME")


def create(stow: Stow, given: Namespace) -> None:
    """Make a shared space. You are its manager."""
    stow.list([stow.client.spaces.create(given.name)], _COLUMNS)


list_members_arguments = space_argument


def list_members(stow: Stow, given: Namespace) -> None:
    """List the members of a space."""
    space = get_space_named(stow.client, given.space)
    stow.list(stow.client.spaces.members(space.id), _MEMBER_COLUMNS)


def add_member_arguments(parser: ArgumentParser) -> None:
    space_argument(parser)
    parser.add_argument("username", metavar="USERNAME")
    role_argument(parser)


def add_member(stow: Stow, given: Namespace) -> None:
    """Ask somebody who has an account here to become a member of a space."""
    space = get_space_named(stow.client, given.space)
    stow.list([stow.client.spaces.add_member(space.id, given.username, given.role)], _MEMBER_COLUMNS)


def invite_arguments(parser: ArgumentParser) -> None:
    space_argument(parser)
    role_argument(parser)
    parser.add_argument("--uses", type=int, metavar="N", help="how many may join by it; 1 by default")
    parser.add_argument("--email", metavar="ADDRESS", help="mail it there as well, if the server sends mail")


def invite(stow: Stow, given: Namespace) -> None:
    """Print a link by which people with an account join a space."""
    space = get_space_named(stow.client, given.space)
    made = stow.client.spaces.invite(space.id, given.role, uses=given.uses or UNSET, email=given.email or UNSET)
    stow.list([made], ["link", "role", "usesLeft", "expiresAt"])


def join_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("link", metavar="LINK", help="as it was sent to you; or the id of the space that asks you")


def join(stow: Stow, given: Namespace) -> None:
    """Join a space by the link of an invitation, or accept what a manager has asked you."""
    if given.link.startswith("spc_"):
        joined = stow.client.spaces.join(space=given.link)
    else:
        joined = stow.client.spaces.join(given.link.rpartition("#ticket=")[2])
    stow.list([joined], _COLUMNS)


def leave_arguments(parser: ArgumentParser) -> None:
    space_argument(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask")


def leave(stow: Stow, given: Namespace) -> None:
    """Leave a space. What you made there stays. It asks first, unless you say --yes."""
    space = get_space_named(stow.client, given.space)
    stow.require_yes(f"Leave the space {space.name}? What you made there stays, and you no longer see it.")
    stow.client.spaces.remove_member(space.id, stow.client.tokens.own().owner)
    stow.say(f"You have left {space.name}.")
