"""End a sign-in at the server and remove it from the keyring. A token of one's own is only forgotten."""

import httpx2

from stowboard_cli.exits import CommandFailure
from stowboard_cli.profiles.bearer import CLIENT_ID
from stowboard_cli.profiles.in_keyring import forget, reveal
from stowboard_cli.profiles.profile import Profile
from stowboard_cli.stow import Stow


def end_sign_in(stow: Stow, profile: Profile) -> None:
    """`profile` is as the file has it. A failure is told, not raised."""
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
