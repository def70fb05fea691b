"""An installation, and the credentials for it."""

import msgspec


class Profile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A token of one's own, or a sign-in that is renewed."""

    url: str
    token: str | None = None
    refresh: str | None = None
    access: str | None = None
    #: Seconds since the epoch.
    stale_at: float = 0.0
    #: The name of its entry in the keyring; empty if the file has its secrets.
    keyring: str = ""
