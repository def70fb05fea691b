"""List the installations that you are signed in to."""

from argparse import Namespace

from stowboard_cli.profiles import stored
from stowboard_cli.stow import Stow


def run(stow: Stow, _: Namespace) -> None:
    profiles = stored.read()
    stow.list(
        [
            {
                "name": name, "url": profile.url, "current": name == profiles.current,
                "kind": "token" if profile.token is not None else "sign-in",
                "kept": "keyring" if profile.keyring else "file",
            }
            for name, profile in sorted(profiles.profiles.items())
        ],
        ["name", "url", "current", "kind", "kept"],
    )  # fmt: skip
