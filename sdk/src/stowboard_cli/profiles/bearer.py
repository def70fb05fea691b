"""The token of a stored sign-in, renewed under the lock before it expires."""

import time

import httpx2
import msgspec

from stowboard_cli.exits import REFUSED, CommandFailure
from stowboard_cli.profiles import stored
from stowboard_cli.profiles.profile import Profile
from stowboard_client import ApiError
from stowboard_client.errors import checked
from stowboard_client.transport.auth import Send
from stowboard_client.transport.call import whole
from stowboard_client.transport.steps import Steps

CLIENT_ID = "stow"
_MARGIN_SECONDS = 60.0


class TokenGrant(msgspec.Struct):
    access_token: str
    refresh_token: str
    expires_in: float = 3600.0


def signed_in(url: str, granted: TokenGrant, keyring: str = "") -> Profile:
    stale_at = time.time() + granted.expires_in - _MARGIN_SECONDS
    return Profile(url, None, granted.refresh_token, granted.access_token, stale_at, keyring)


class StoredToken:
    """The `Bearer` of a client."""

    def __init__(self, name: str, profile: Profile) -> None:
        self._name, self._profile = name, profile

    def token(self, send: Send) -> Steps[str]:
        if not _is_fresh(self._profile):
            with stored.locked():
                self._profile = self._read()
                if not _is_fresh(self._profile):
                    self._profile = yield from self._renew(send)
                    stored.keep(self._name, self._profile)
        return self._profile.access or ""

    def renewable(self, refused: str) -> bool:
        """Another command may have renewed it already."""
        if self._profile.access == refused:
            self._profile = msgspec.structs.replace(self._profile, stale_at=0.0)
            with stored.locked():
                kept = self._read()
                if kept.access == refused:
                    stored.keep(self._name, self._profile)
        return True

    def _read(self) -> Profile:
        kept = stored.find(self._name)
        if kept is None or kept.refresh is None:
            raise CommandFailure(REFUSED, "You are signed out. Sign in with: stow login")
        return kept

    def _renew(self, send: Send) -> Steps[Profile]:
        form = {"grant_type": "refresh_token", "refresh_token": self._profile.refresh, "client_id": CLIENT_ID}
        request = httpx2.Request("POST", f"{self._profile.url}/oauth/token", data=form)
        try:
            answer = checked((yield from send(request)))
        except ApiError as error:
            if error.code != "invalid_grant":
                raise
            raise CommandFailure(REFUSED, "Your sign-in has ended. Sign in again with: stow login") from None
        return signed_in(self._profile.url, whole(TokenGrant)(answer), self._profile.keyring)


def _is_fresh(profile: Profile) -> bool:
    return profile.access is not None and time.time() < profile.stale_at
