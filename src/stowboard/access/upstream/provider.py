"""The identity provider: people are sent there, and it says who comes back (OpenID Connect, code with PKCE).

Its description and its keys are kept for an hour. A token with a newer key makes us read the keys again.
"""

import asyncio
import base64
import hashlib
import time
from typing import Any, TypeVar
from urllib.parse import quote_plus, urlencode, urlsplit

import msgspec

from stowboard.access.settings import ProviderSettings
from stowboard.access.upstream.id_token import KEY_TYPES, ExpectedIdToken, UnknownProviderKey, read_id_token
from stowboard.access.upstream.refusal import ProviderFailed, ProviderRefusal
from stowboard.access.upstream.request_store import ProviderRequest
from stowboard.http.outgoing.client import OPERATOR, Outgoing, OutgoingReply
from stowboard.http.outgoing.failure import OutgoingFailed

_BASIC, _POST = "client_secret_basic", "client_secret_post"
T = TypeVar("T")
KEPT_SECONDS = 3600.0
LARGEST = 256 * 1024
SECONDS = 10.0
#: An older sign-in at the provider has to be repeated. Sending `max_age` makes the provider send `auth_time`.
OLDEST_PROOF_SECONDS = 30 * 24 * 3600
_JSON = ("accept", "application/json")


class ProviderMetadata(msgspec.Struct, frozen=True):
    """The metadata of a provider (OpenID Connect Discovery): the members that we need."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str | None = None
    id_token_signing_alg_values_supported: tuple[str, ...] = ("RS256",)
    token_endpoint_auth_methods_supported: tuple[str, ...] = (_BASIC,)
    authorization_response_iss_parameter_supported: bool = False

    @property
    def algorithms(self) -> list[str]:
        return [name for name in KEY_TYPES if name in self.id_token_signing_alg_values_supported]

    @property
    def takes_secret_in_header(self) -> bool:
        methods = self.token_endpoint_auth_methods_supported
        return _BASIC in methods or _POST not in methods


def address_of(issuer: str) -> str:
    return f"{issuer.rstrip('/')}/.well-known/openid-configuration"


def read_metadata(content: bytes, issuer: str) -> ProviderMetadata:
    """Raises ValueError with a sentence."""
    said = _decoded(content, ProviderMetadata)
    if said is None:
        raise ValueError("its description is not the JSON that OpenID Connect Discovery asks for.")
    if said.issuer != issuer:
        raise ValueError("it calls itself by another address than the setting oidc_issuer does.")
    for url in (said.authorization_endpoint, said.token_endpoint, said.jwks_uri, said.userinfo_endpoint or issuer):
        if not _is_as_safe(url, issuer):
            raise ValueError("one of its addresses cannot be read, or is less safe than the issuer's.")
    if not said.algorithms:
        raise ValueError(f"it signs with none of {', '.join(KEY_TYPES)}.")
    return said


def _is_as_safe(url: str, issuer: str) -> bool:
    try:
        parts = urlsplit(url)
        port_is_right = parts.port is None or parts.port > 0
    except ValueError:
        return False
    schemes = ("https", "http") if issuer.startswith("http:") else ("https",)
    readable = url.isascii() and url.isprintable() and " " not in url and "#" not in url
    return parts.scheme in schemes and bool(parts.hostname) and port_is_right and readable


class ProviderKeys(msgspec.Struct, frozen=True):
    keys: list[dict[str, Any]]


class ProviderTokens(msgspec.Struct, frozen=True):
    id_token: str
    access_token: str


class ProviderFault(msgspec.Struct, frozen=True):
    error: str = ""


class IdentityProvider:
    """One for each process; `is_set` is false where no provider is configured."""

    def __init__(self, settings: ProviderSettings, outgoing: Outgoing) -> None:
        self.settings, self._outgoing = settings, outgoing
        self._metadata: tuple[ProviderMetadata, float] | None = None
        self._keys: tuple[list[dict[str, Any]], float] | None = None

    @property
    def is_set(self) -> bool:
        return self.settings.is_set

    @property
    def issuer(self) -> str:
        assert self.settings.issuer is not None
        return self.settings.issuer

    async def metadata(self) -> ProviderMetadata:
        """Raises ProviderFailed."""
        if self._metadata is None or time.monotonic() > self._metadata[1]:
            reply = await self._fetch("GET", address_of(self.issuer), [_JSON])
            try:
                said = read_metadata(_content(reply), self.issuer)
            except ValueError as error:
                raise ProviderFailed(str(error)) from None
            self._metadata = said, time.monotonic() + KEPT_SECONDS
        return self._metadata[0]

    async def place_for(self, state: str, asked: ProviderRequest, again: bool) -> str:
        """The address to send a browser to; with `again` its person signs in again there. Raises ProviderFailed."""
        endpoint = (await self.metadata()).authorization_endpoint
        challenge = base64.urlsafe_b64encode(hashlib.sha256(asked.verifier.encode()).digest()).decode().rstrip("=")
        query = {
            "response_type": "code",
            "client_id": self.settings.client_id,
            "redirect_uri": asked.redirect_uri,
            "scope": " ".join(self.settings.scopes),
            "state": state,
            "nonce": asked.nonce,
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            "max_age": 0 if again else OLDEST_PROOF_SECONDS,
            **({"prompt": "login"} if again else {}),
        }
        return f"{endpoint}{'&' if '?' in endpoint else '?'}{urlencode(query)}"

    async def check_sender(self, iss: str | None) -> None:
        """Raises ProviderRefusal if an answer names another provider as its sender (RFC 9207)."""
        says = (await self.metadata()).authorization_response_iss_parameter_supported
        if iss != self.issuer and (iss is not None or says):
            raise ProviderRefusal(
                "iss", "The answer comes from another provider than the one that was asked. Sign in again."
            )

    async def claims(self, code: str, asked: ProviderRequest) -> dict[str, Any]:
        """The provider's claims about the person whose code this is. Raises ProviderRefusal."""
        metadata = await self.metadata()
        tokens = await self._trade(metadata, code, asked)
        claims = await self._checked(metadata, tokens.id_token, asked)
        if metadata.userinfo_endpoint is None:
            return claims
        bearer = [_JSON, ("authorization", f"Bearer {tokens.access_token}")]
        said = _read(await self._fetch("GET", metadata.userinfo_endpoint, bearer), dict[str, Any])
        if said.get("sub") != claims["sub"]:
            raise ProviderRefusal("userinfo: sub", "The provider spoke of two different people. Sign in again.")
        return said | claims

    async def _trade(self, metadata: ProviderMetadata, code: str, asked: ProviderRequest) -> ProviderTokens:
        form = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": asked.redirect_uri,
            "code_verifier": asked.verifier,
        }
        headers = [_JSON, ("content-type", "application/x-www-form-urlencoded")]
        client, secret = self.settings.client_id or "", self.settings.client_secret
        if secret is not None and metadata.takes_secret_in_header:
            pair = f"{quote_plus(client)}:{quote_plus(secret)}".encode()
            headers.append(("authorization", f"Basic {base64.b64encode(pair).decode()}"))
        else:
            form |= {"client_id": client} | ({"client_secret": secret} if secret is not None else {})
        reply = await self._fetch("POST", metadata.token_endpoint, headers, urlencode(form).encode())
        fault = _decoded(reply.body, ProviderFault)
        if reply.status == 400 and fault is not None and fault.error == "invalid_grant":
            raise ProviderRefusal(
                "code", "The provider does not know this answer: it was used, or is too old. Sign in again."
            )
        return _read(reply, ProviderTokens)

    async def _checked(self, metadata: ProviderMetadata, token: str, asked: ProviderRequest) -> dict[str, Any]:
        client = self.settings.client_id or ""
        expected = ExpectedIdToken(self.issuer, client, asked.nonce, metadata.algorithms)
        for reload in (False, True):
            keys = await self._published_keys(metadata, reload)
            try:
                return await asyncio.to_thread(read_id_token, token, keys, expected)
            except UnknownProviderKey:
                continue
        raise ProviderRefusal(
            "id token: key", "The provider signed with a key that it does not publish. Sign in again."
        )

    async def _published_keys(self, metadata: ProviderMetadata, reload: bool) -> list[dict[str, Any]]:
        if reload or self._keys is None or time.monotonic() > self._keys[1]:
            reply = await self._fetch("GET", metadata.jwks_uri, [_JSON])
            self._keys = _read(reply, ProviderKeys).keys, time.monotonic() + KEPT_SECONDS
        return self._keys[0]

    async def _fetch(self, method: str, url: str, headers: list[tuple[str, str]], body: bytes = b"") -> OutgoingReply:
        try:
            return await self._outgoing.fetch(method, url, headers, body, most=LARGEST, seconds=SECONDS, owner=OPERATOR)
        except OutgoingFailed as failure:
            raise ProviderFailed(str(failure)) from None


def _content(reply: OutgoingReply) -> bytes:
    if reply.status != 200:
        raise ProviderFailed(f"it answered with status {reply.status}.")
    return reply.body


def _read(reply: OutgoingReply, kind: type[T]) -> T:
    read = _decoded(_content(reply), kind)
    if read is None:
        raise ProviderFailed("what it answered is not the JSON that was asked for.")
    return read


def _decoded(content: bytes, kind: type[T]) -> T | None:
    """None if it is no JSON of this kind."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
