"""The installations that you are signed in to: list them, choose one, show who you are there."""

from argparse import ArgumentParser, Namespace

import msgspec

from stowboard_cli.exits import NOT_FOUND, CommandFailure
from stowboard_cli.profiles import stored
from stowboard_cli.profiles.chosen import chosen_profile
from stowboard_cli.stow import Stow


def list_profiles(stow: Stow, _: Namespace) -> None:
    """List the installations that you are signed in to."""
    profiles = stored.read()
    rows = [
        {
            "name": name, "url": profile.url, "current": name == profiles.current,
            "kind": "token" if profile.token is not None else "sign-in",
            "kept": "keyring" if profile.keyring else "file",
        }
        for name, profile in sorted(profiles.profiles.items())
    ]  # fmt: skip
    stow.list(rows, ["name", "url", "current", "kind", "kept"])


def use_profile_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", help="as stow profile ls shows it")


def use_profile(stow: Stow, given: Namespace) -> None:
    """Choose the installation that commands speak to."""
    with stored.locked():
        profiles = stored.read()
        if given.name not in profiles.profiles:
            raise CommandFailure(
                NOT_FOUND, f"There is no profile {given.name}; make it with: stow login URL --profile NAME"
            )
        profiles.current = given.name
        stored.write(profiles)
    stow.say(f"Commands now speak to {profiles.profiles[given.name].url}.")


def show_person(stow: Stow, given: Namespace) -> None:
    """Show who is signed in, and where."""
    _, profile = chosen_profile(given.profile)
    token = msgspec.to_builtins(stow.client.tokens.own())
    chosen = {name: token[name] for name in ("owner", "scopes", "kind", "expiresAt", "id") if name in token}
    stow.show({"url": profile.url, **chosen})
