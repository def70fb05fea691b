"""The installation that a command speaks to: `$STOW_URL` and `$STOW_TOKEN`, else a profile."""

import os
from collections.abc import Mapping
from typing import Any

import httpx2

from stowboard_cli.exits import REFUSED, CommandFailure
from stowboard_cli.profiles import stored
from stowboard_cli.profiles.bearer import StoredToken
from stowboard_cli.profiles.profile import Profile
from stowboard_client import Client


def open_client(name: str | None, door: str = "", hooks: Mapping[str, list[Any]] | None = None) -> Client:
    """`door` chooses another sign-in of the same profile. Raises CommandFailure if the person is not signed in."""
    chosen, profile = chosen_profile(name, door)
    token = profile.token if profile.token is not None else StoredToken(chosen, profile)
    # To read the system's certificates takes a quarter of a second, which plain HTTP has no use for.
    http = httpx2.Client(verify=not profile.url.lower().startswith("http://"), event_hooks=hooks)
    return Client(profile.url, token, http=http)


def chosen_profile(name: str | None, door: str = "") -> tuple[str, Profile]:
    url, token = os.environ.get("STOW_URL"), os.environ.get("STOW_TOKEN")
    profiles = stored.read()
    if name is None and token is not None:
        current = profiles.profiles.get(profiles.current)
        if url is None and current is None:
            raise CommandFailure(REFUSED, "STOW_TOKEN is set without an address. Set STOW_URL too.")
        return "", Profile(url or (current.url if current else ""), token=token)
    wanted = name or os.environ.get("STOW_PROFILE") or profiles.current
    found = stored.find(wanted + door) or _own_token(stored.find(wanted))
    if found is None:
        option = f" --profile {wanted}" if wanted != stored.DEFAULT else ""
        agents = " --agents" if door else ""
        raise CommandFailure(REFUSED, f"You are not signed in. Sign in with: stow login URL{option}{agents}")
    return wanted + door, found


def _own_token(profile: Profile | None) -> Profile | None:
    """A token of one's own serves both the API and agents."""
    return profile if profile is not None and profile.token is not None else None
