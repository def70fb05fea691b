"""The file with every sign-in of this machine, readable by its owner alone, and replaced as a whole.

For a profile in the keyring it has everything but the secrets.

A lock beside it is held around each change: two commands that renew a sign-in at the same moment must not use one
refresh token twice.
"""

import contextlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from stowboard_cli.exits import ERROR, CommandFailure
from stowboard_cli.profiles.in_keyring import hide, reveal
from stowboard_cli.profiles.profile import Profile

DEFAULT = "default"


class Profiles(msgspec.Struct, omit_defaults=True):
    current: str = DEFAULT
    profiles: dict[str, Profile] = {}


def file() -> Path:
    return own_folder() / "credentials.json"


def read() -> Profiles:
    """All profiles, without the secrets that the keyring has. Raises CommandFailure if the file is damaged."""
    try:
        return msgspec.json.decode(file().read_bytes(), type=Profiles)
    except FileNotFoundError:
        return Profiles()
    except msgspec.MsgspecError as error:
        raise CommandFailure(ERROR, f"{file()} cannot be read ({error}). Remove it, and sign in again.") from None


def find(name: str) -> Profile | None:
    """A profile with its secrets. Raises CommandFailure if the file is damaged, or the keyring does not open."""
    profile = read().profiles.get(name)
    return reveal(profile) if profile is not None and profile.keyring else profile


def write(profiles: Profiles) -> None:
    """Replace the whole file; a machine that stops halfway leaves the old one."""
    folder = own_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder)  # whose mode is 0600 from the start
    try:
        with os.fdopen(handle, "wb") as opened:
            opened.write(msgspec.json.format(msgspec.json.encode(profiles)))
            opened.flush()
            os.fsync(opened.fileno())
        Path(name).replace(file())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def keep(name: str, profile: Profile, *, choose: bool = False) -> None:
    """Store a profile; the caller holds the lock. Raises CommandFailure if the keyring does not take it."""
    profiles = read()
    profiles.profiles[name] = hide(profile) if profile.keyring else profile
    if choose:
        profiles.current = name
    write(profiles)


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """No other command changes the file until this ends."""
    folder = own_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / "lock").open("ab") as opened:
        _hold(opened)  # closing the file lets go
        yield


def own_folder() -> Path:
    """`$STOW_FOLDER`, else the configuration folder of the system."""
    given = os.environ.get("STOW_FOLDER")
    if given:
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "stowboard"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "stowboard"
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "stowboard"


def _hold(file: IO[bytes]) -> None:
    if sys.platform == "win32":
        import msvcrt

        while True:  # the lock of Windows is on a byte, and gives up after ten seconds
            file.seek(0)
            with contextlib.suppress(OSError):
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
                return
    with contextlib.suppress(ImportError):  # a system without such locks holds nothing
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
