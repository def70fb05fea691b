"""Sign out: end the sign-in at the server, and forget it here. A token of your own stays valid."""

from argparse import Namespace

import httpx2

from stowboard_cli.exits import NOT_FOUND, CommandFailure
from stowboard_cli.profiles import stored
from stowboard_cli.profiles.bearer import CLIENT_ID
from stowboard_cli.profiles.in_keyring import forget, reveal
from stowboard_cli.profiles.profile import Profile
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


def end_sign_in(stow: Stow, profile: Profile) -> None:
    """End a sign-in at the server and remove it from the keyring. A token of one's own is only forgotten.

    `profile` is as the file has it. A failure is printed, not raised.
    """
    if profile.keyring:
        try:
            whole = reveal(profile)
            forget(profile)
        except CommandFailure as error:
            stow.say(str(error))
            return
        profile = whole
    if profile.refresh is not None:
        _revoke(stow, profile)


def _revoke(stow: Stow, profile: Profile) -> None:
    form = {"token": profile.refresh, "client_id": CLIENT_ID}
    try:
        httpx2.post(f"{profile.url}/oauth/revoke", data=form).raise_for_status()
    except httpx2.HTTPError as error:
        stow.say(f"The server could not be told ({error}); end the sign-in in its settings, under connected apps.")
