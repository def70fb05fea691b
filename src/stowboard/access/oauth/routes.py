"""The OAuth endpoints: client credentials (RFC 6749, 4.4) and revocation (RFC 7009).

Their errors have OAuth's own shape, `{"error", "error_description"}`, which clients of the standard expect.
"""

import base64
from collections.abc import Awaitable, Callable, Sequence
from typing import NoReturn, TypeAlias
from urllib.parse import parse_qsl, unquote_plus

import msgspec

from stowboard.access import tokens
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.oauth import clients
from stowboard.access.oauth.clients import TOKEN_LIFETIME_SECONDS, OAuthClient
from stowboard.api.limits.strangers import Strangers
from stowboard.core.errors import Problem
from stowboard.core.scopes import Scopes
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database
from stowboard.http.body import drain, read_body
from stowboard.http.exchange import Exchange, Headers, Route
from stowboard.http.head import CLOSE

_MAX_BODY = 16 * 1024
Act: TypeAlias = Callable[[dict[str, str], OAuthClient], Awaitable[dict[str, object]]]
_NO_STORE: Headers = [("content-type", "application/json"), ("cache-control", "no-store")]


class OAuthError(Exception):
    def __init__(
        self, error: str, description: str, status: int = 400, headers: Sequence[tuple[str, str]] = ()
    ) -> None:
        super().__init__(description)
        self.error, self.description, self.status, self.headers = error, description, status, headers


class OAuthServer:
    def __init__(self, services: Services) -> None:
        self._db = services.use(Database)
        self._key = services.use(DigestKey)
        self._strangers = services.use(Strangers)
        self._scopes = services.use(Scopes)
        self._authenticator = services.use(TokenAuthenticator)

    def routes(self) -> list[Route]:
        return [Route("POST", "/oauth/token", self.token), Route("POST", "/oauth/revoke", self.revoke)]

    async def token(self, exchange: Exchange) -> None:
        """Exchange a client's id and secret for an access token."""
        await self._answer(exchange, self._grant)

    async def revoke(self, exchange: Exchange) -> None:
        """Revoke an access token of the client; an unknown one is no error."""
        await self._answer(exchange, self._revoke)

    async def _grant(self, form: dict[str, str], client: OAuthClient) -> dict[str, object]:
        if "grant_type" not in form:
            raise OAuthError("invalid_request", "grant_type is required.")
        if form["grant_type"] != "client_credentials":
            raise OAuthError("unsupported_grant_type", "grant_type must be client_credentials.")
        scopes = list(dict.fromkeys(form.get("scope", "").split())) or client.scopes
        if not set(scopes) <= self._scopes.implied(client.scopes):
            raise OAuthError("invalid_scope", f"This client may ask for: {' '.join(client.scopes)}.")
        secret = tokens.make_secret()
        if not await self._db.transact(clients.grant, self._key, client, scopes, secret):
            _refuse_client()
        return {
            "access_token": secret, "token_type": "Bearer", "expires_in": TOKEN_LIFETIME_SECONDS,
            "scope": " ".join(scopes),
        }  # fmt: skip

    async def _revoke(self, form: dict[str, str], client: OAuthClient) -> dict[str, object]:
        if "token" not in form:
            raise OAuthError("invalid_request", "token is required.")
        await self._db.transact(tokens.revoke_by_digest, self._key.digests(form["token"]), client.client_id)
        self._authenticator.forget()
        return {}

    async def _answer(self, exchange: Exchange, act: Act) -> None:
        try:
            form = _form(await _read(exchange))
            client = await self._client(exchange, form)
            exchange.respond(200, _NO_STORE, msgspec.json.encode(await act(form, client)))
        except OAuthError as error:
            body = {"error": error.error, "error_description": error.description}
            exchange.respond(error.status, [*_NO_STORE, *error.headers], msgspec.json.encode(body))

    async def _client(self, exchange: Exchange, form: dict[str, str]) -> OAuthClient:
        client_id, secret = _credentials(exchange, form)
        found = await self._db.read(clients.find_authenticated, self._key, client_id, secret)
        await self._check_rate(exchange, found[0] if found is not None else None)
        if found is None:
            _refuse_client()
        client, digest = found
        if digest != self._key.digest(secret):  # an earlier key's
            await self._db.transact(clients.keep_digest, client.client_id, self._key.digest(secret))
        return client

    async def _check_rate(self, exchange: Exchange, client: OAuthClient | None) -> None:
        """Each client has a bucket of its own at each address; who is none shares that of all strangers there."""
        decision = await self._strangers.take(exchange, client.client_id if client is not None else "")
        if not decision.allowed:
            retry = (("retry-after", str(decision.retry_after)),)
            raise OAuthError("temporarily_unavailable", "Too many requests from this address.", 429, retry)


async def _read(exchange: Exchange) -> bytes:
    try:
        return await read_body(exchange, _MAX_BODY)
    except Problem as problem:
        if CLOSE not in problem.headers:
            await drain(exchange, _MAX_BODY)
        raise OAuthError("invalid_request", problem.message, problem.status, problem.headers) from None


def _form(raw: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(raw.decode(), keep_blank_values=True, errors="strict", max_num_fields=20)
    except ValueError:
        raise OAuthError("invalid_request", "The body must be application/x-www-form-urlencoded UTF-8.") from None
    form = dict(pairs)
    if len(form) != len(pairs):
        raise OAuthError("invalid_request", "A parameter was given twice.")
    return form


def _credentials(exchange: Exchange, form: dict[str, str]) -> tuple[str, str]:
    """The client's id and secret, from Basic authentication or from the form, never from both (RFC 6749, 2.3)."""
    scheme, _, text = (exchange.header("authorization") or "").partition(" ")
    if scheme.lower() != "basic":
        return form.get("client_id", ""), form.get("client_secret", "")
    if "client_secret" in form:
        raise OAuthError("invalid_request", "Send the secret in Authorization or as client_secret, not both.")
    try:
        user, _, password = base64.b64decode(text, validate=True).decode().partition(":")
    except ValueError:
        _refuse_client()
    client_id, secret = unquote_plus(user), unquote_plus(password)
    if form.get("client_id", client_id) != client_id:
        raise OAuthError("invalid_request", "client_id and Authorization name different clients.")
    return client_id, secret


def _refuse_client() -> NoReturn:
    challenge = (("www-authenticate", 'Basic realm="stowboard"'),)
    raise OAuthError("invalid_client", "The client is unknown or its secret is wrong.", 401, challenge)
