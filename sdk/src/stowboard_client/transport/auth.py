"""The bearer token of a request: a fixed one, or one fetched with OAuth credentials and kept while it lasts.

If several callers find the token expired at the same moment, each fetches one, and the last is kept. That costs a
request, but needs no lock, which threads and tasks could not share.
"""

import base64
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Protocol
from urllib.parse import quote_plus

import httpx2
import msgspec

from stowboard_client.errors import checked
from stowboard_client.transport.call import whole
from stowboard_client.transport.steps import Steps

Send = Callable[[httpx2.Request], Steps[httpx2.Response]]

# A token is not used in its last seconds: a request takes time to arrive. A short-lived one keeps most of its life.
_MARGIN_SECONDS = 30.0
_MARGIN_SHARE = 0.1


@dataclass(frozen=True, slots=True)
class ClientCredentials:
    """An OAuth client, as `clients.create` gave it. Without scopes, the tokens get all that the client has."""

    client_id: str
    client_secret: str = field(repr=False)
    scopes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A person's sign-in, from `sign_in_by_device`. A refresh token works once."""

    refresh_token: str = field(repr=False)
    client_id: str = "stow"
    #: Called with the next refresh token, for the program to keep.
    renewed: Callable[[str], None] = field(default=lambda _: None, repr=False)


class Bearer(Protocol):
    def token(self, send: Send) -> Steps[str]: ...

    def renewable(self, refused: str) -> bool:
        """True if another token can replace the one that the service refused."""
        ...


class FixedToken:
    def __init__(self, token: str) -> None:
        self._token = header_value(token, "the token")

    def token(self, send: Send) -> Steps[str]:  # noqa: ARG002  the port's shape
        yield from ()
        return self._token

    def renewable(self, refused: str) -> bool:  # noqa: ARG002
        return False


class FetchedToken:
    def __init__(self, credentials: ClientCredentials | SignedIn, url: str, now: Callable[[], float]) -> None:
        self._credentials = credentials
        self._url = url
        self._now = now
        self._kept: _HeldToken | None = None

    def token(self, send: Send) -> Steps[str]:
        kept = self._kept
        if kept is None or self._now() >= kept.stale_at:
            response = yield from send(self._request())
            self._kept = kept = self._keep(whole(_TokenGrant)(checked(response)))
        return kept.token

    def renewable(self, refused: str) -> bool:
        # Another caller may have renewed the token already; the new one is not thrown away.
        if self._kept is not None and self._kept.token == refused:
            self._kept = None
        return True

    def _request(self) -> httpx2.Request:
        if isinstance(self._credentials, SignedIn):
            form = {"grant_type": "refresh_token", "refresh_token": self._credentials.refresh_token}
            return httpx2.Request("POST", self._url, data=form | {"client_id": self._credentials.client_id})
        # RFC 6749, 2.3.1: id and secret are form-encoded before they become a Basic credential.
        pair = f"{quote_plus(self._credentials.client_id)}:{quote_plus(self._credentials.client_secret)}"
        form = {"grant_type": "client_credentials"}
        if self._credentials.scopes:
            form["scope"] = " ".join(self._credentials.scopes)
        authorization = "Basic " + base64.b64encode(pair.encode()).decode()
        return httpx2.Request("POST", self._url, data=form, headers={"authorization": authorization})

    def _keep(self, granted: "_TokenGrant") -> "_HeldToken":
        if isinstance(self._credentials, SignedIn) and granted.refresh_token is not None:
            self._credentials = replace(self._credentials, refresh_token=granted.refresh_token)
            self._credentials.renewed(granted.refresh_token)
        if granted.expires_in is None:
            return _HeldToken(granted.access_token, float("inf"))
        margin = min(_MARGIN_SECONDS, granted.expires_in * _MARGIN_SHARE)
        return _HeldToken(granted.access_token, self._now() + granted.expires_in - margin)


def header_value(text: str, what: str) -> str:
    """The text, if it can be in a header. Otherwise the error says why, for example a newline after a token from a
    file.
    """
    if not text or not text.isascii() or not text.isprintable():
        raise ValueError(f"{what} must be printable ASCII characters, at least one")
    return text


class _TokenGrant(msgspec.Struct):
    access_token: str
    expires_in: float | None = None
    refresh_token: str | None = None


@dataclass(frozen=True, slots=True)
class _HeldToken:
    token: str
    stale_at: float
