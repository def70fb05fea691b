"""Choose the installation that commands speak to."""

from argparse import ArgumentParser, Namespace

from stowboard_cli.exits import NOT_FOUND, CommandFailure
from stowboard_cli.profiles import stored
from stowboard_cli.stow import Stow


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="as stow profile ls shows it")


def run(stow: Stow, given: Namespace) -> None:
    with stored.locked():
        profiles = stored.read()
        if given.name not in profiles.profiles:
            raise CommandFailure(
                NOT_FOUND, f"There is no profile {given.name}; make it with: stow login URL --profile NAME"
            )
        profiles.current = given.name
        stored.write(profiles)
    stow.say(f"Commands now speak to {profiles.profiles[given.name].url}.")
