"""Leave a space. What you made there stays. It asks first, unless you say --yes."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.profiles.space import get_space_named
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("space", metavar="SPACE", help="its name or id")
    parser.add_argument("--yes", action="store_true", help="do not ask")


def run(stow: Stow, given: Namespace) -> None:
    space = get_space_named(stow.client, given.space)
    stow.require_yes(f"Leave the space {space.name}? What you made there stays, and you no longer see it.")
    stow.client.spaces.remove_member(space.id, stow.client.tokens.own().owner)
    stow.say(f"You have left {space.name}.")
