"""Sign out: end the sign-in at the server, and forget it here. A token of your own stays valid."""

from argparse import Namespace

from stowboard_cli.exits import NOT_FOUND, CommandFailure
from stowboard_cli.profiles import stored
from stowboard_cli.signing_in.ending import end_sign_in
from stowboard_cli.signing_in.scopes import AGENTS
from stowboard_cli.stow import Stow


def run(stow: Stow, given: Namespace) -> None:
    with stored.locked():
        profiles = stored.read()
        name = given.profile or profiles.current
        found = [profiles.profiles.pop(each) for each in (name, name + AGENTS) if each in profiles.profiles]
        if not found:
            raise CommandFailure(NOT_FOUND, f"There is no profile {name}.")
        for profile in found:
            end_sign_in(stow, profile)
        stored.write(profiles)
    stow.say(f"Signed out of {name}.")
