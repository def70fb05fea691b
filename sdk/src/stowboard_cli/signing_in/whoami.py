"""Show who is signed in, and where."""

from argparse import Namespace

import msgspec

from stowboard_cli.profiles.chosen import chosen_profile
from stowboard_cli.stow import Stow


def run(stow: Stow, given: Namespace) -> None:
    _, profile = chosen_profile(given.profile)
    token = msgspec.to_builtins(stow.client.tokens.own())
    chosen = {name: token[name] for name in ("owner", "scopes", "kind", "expiresAt", "id") if name in token}
    stow.show({"url": profile.url, **chosen})
