"""Sign in to an installation, and remember it in a file that only you can read, or in your keyring (--keyring).

With a browser on this machine, a page opens there. Elsewhere (--device, over SSH or without a display) you type a code
on a page that you open anywhere. --token - reads a token from standard input.
"""

import os
import sys
from argparse import ArgumentParser, Namespace

from stowboard_cli.exits import USAGE, CommandFailure
from stowboard_cli.profiles import stored
from stowboard_cli.profiles.bearer import StoredToken, signed_in
from stowboard_cli.profiles.in_keyring import new_entry
from stowboard_cli.profiles.profile import Profile
from stowboard_cli.signing_in.device import sign_in_by_code
from stowboard_cli.signing_in.logout import end_sign_in
from stowboard_cli.signing_in.loopback import sign_in_here
from stowboard_cli.signing_in.scopes import AGENTS, SCOPES
from stowboard_cli.stow import Stow
from stowboard_client import Client


def run_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("url", nargs="?", help="the installation's address; by default that of the profile")
    parser.add_argument("--device", action="store_true", help="type a code on another machine")
    parser.add_argument("--token", metavar="-", help="a token of your own, from standard input")
    parser.add_argument(
        "--scope",
        action="append",
        metavar="SCOPE",
        help="ask for this scope only, or repeat it; by default all but admin",
    )
    parser.add_argument("--keyring", action="store_true", help="keep it in the keyring of the system, not in a file")
    parser.add_argument("--agents", action="store_true", help="sign in for stow mcp")


def run(stow: Stow, given: Namespace) -> None:
    name = given.profile or stored.read().current
    url = _address(given.url, name)
    door = AGENTS if given.agents else ""
    entry = new_entry(name + door, url) if given.keyring else ""
    if given.token is not None:
        profile = Profile(url, token=_token_given(given.token), keyring=entry)
        client = Client(url, profile.token or "")
    else:
        profile = _signed_in(stow, given, url, entry)
        client = Client(url, StoredToken(name, profile))
    if not door:
        with client:
            token = client.tokens.own()
            stow.say(f"You are {token.owner} at {url}.")
    with stored.locked():
        before = stored.read().profiles.get(name + door)
        stored.keep(name + door, profile, choose=not door)
        if before is not None:
            end_sign_in(stow, before)
    stow.say(f"The sign-in is kept in {'the keyring' if entry else stored.file()}.")


def _address(given: str | None, name: str) -> str:
    known = stored.read().profiles.get(name)
    url = given or os.environ.get("STOW_URL") or (known.url if known else None)
    if url is None:
        raise CommandFailure(USAGE, "Name the installation: stow login https://stow.example.org")
    url = url if "://" in url else f"https://{url}"
    return url.rstrip("/").removesuffix("/api/v1")


def _token_given(option: str) -> str:
    if option != "-":
        raise CommandFailure(USAGE, "Others can see a token on the command line. Give it on standard input: --token -")
    token = sys.stdin.readline().strip()
    if not token:
        raise CommandFailure(USAGE, "There is no token on standard input.")
    return token


def _signed_in(stow: Stow, given: Namespace, url: str, entry: str) -> Profile:
    scopes = given.scope or list(SCOPES)
    resource = url + ("/mcp" if given.agents else "/api/v1")
    sign_in = sign_in_by_code if given.device or not _has_browser() else sign_in_here
    return signed_in(url, sign_in(stow, url, scopes, resource), entry)


def _has_browser() -> bool:
    if "SSH_CONNECTION" in os.environ:
        return False
    shown = sys.platform in ("win32", "darwin") or any(name in os.environ for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return shown or "BROWSER" in os.environ
