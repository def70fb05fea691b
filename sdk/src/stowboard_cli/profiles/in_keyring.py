"""Secrets of profiles in the keyring of the system, instead of in the file of profiles.

The package `keyring` is an extra and is loaded only here, when it is needed. If the keyring has a secret, the file has
an empty text in its place, which still shows the kind of profile.
"""

import secrets
from types import ModuleType

import msgspec

from stowboard_cli.exits import ERROR, REFUSED, CommandFailure
from stowboard_cli.profiles.profile import Profile

_SERVICE = "stow"
_SECRETS = ("token", "refresh", "access")


def new_entry(name: str, url: str) -> str:
    """A new name in the keyring. First tests that the keyring keeps what it is given. Raises CommandFailure.

    The test comes before the sign-in: a sign-in that cannot be stored would be lost.
    """
    entry, said = f"{name} at {url} ({secrets.token_hex(4)})", secrets.token_hex(8)
    keyring = _loaded()
    try:
        keyring.set_password(_SERVICE, entry, said)
        kept = keyring.get_password(_SERVICE, entry)
        keyring.delete_password(_SERVICE, entry)
    except keyring.errors.KeyringError as error:
        raise _failed(error) from None
    if kept != said:
        raise _failed("it does not give back what it was given")
    return entry


def hide(profile: Profile) -> Profile:
    """Put the secrets into the keyring; returns the profile without them. Raises CommandFailure."""
    held = {name: getattr(profile, name) for name in _SECRETS if getattr(profile, name) is not None}
    keyring = _loaded()
    try:
        keyring.set_password(_SERVICE, profile.keyring, msgspec.json.encode(held).decode())
    except keyring.errors.KeyringError as error:
        raise _failed(error) from None
    return msgspec.structs.replace(profile, **dict.fromkeys(held, ""))


def reveal(profile: Profile) -> Profile:
    """The profile with its secrets from the keyring. Raises CommandFailure."""
    keyring = _loaded()
    try:
        held = keyring.get_password(_SERVICE, profile.keyring)
    except keyring.errors.KeyringError as error:
        raise _failed(error) from None
    if held is None:
        raise CommandFailure(REFUSED, "The keyring no longer has the sign-in. Sign in again with: stow login --keyring")
    return msgspec.structs.replace(profile, **msgspec.json.decode(held, type=dict[str, str]))


def forget(profile: Profile) -> None:
    keyring = _loaded()
    try:
        keyring.delete_password(_SERVICE, profile.keyring)
    except keyring.errors.PasswordDeleteError:
        return  # it was gone
    except keyring.errors.KeyringError as error:
        raise _failed(error) from None


def _loaded() -> ModuleType:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        raise CommandFailure(ERROR, "The keyring needs a package: pip install 'stowboard-client[keyring]'") from None
    return keyring


def _failed(error: object) -> CommandFailure:
    return CommandFailure(
        ERROR, f"The keyring of this machine cannot be used: {error}. Sign in without --keyring to keep it in a file."
    )
