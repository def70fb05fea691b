"""The OAuth endpoints for programs: tokens (RFC 6749, 7636, 8628), revocation (RFC 7009) and introspection (RFC 7662).

Their errors have OAuth's own shape, `{"error", "error_description"}`, which clients of the standard expect.
"""

from collections.abc import Awaitable, Callable

from stowboard.access import tokens
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.oauth import clients
from stowboard.access.oauth.clients import TOKEN_LIFETIME_SECONDS, OAuthClient
from stowboard.access.oauth.errors import OAuthError, refuse_client
from stowboard.access.oauth.form_routes import ClientRequest, FormDoor, answer_of
from stowboard.access.oauth.grants import device, introspect
from stowboard.access.oauth.grants.redeem_code import PresentedCode, redeem, refresh
from stowboard.access.oauth.request import read_door
from stowboard.access.owners import Owners
from stowboard.core.scopes import Scopes
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins

DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code"


class OAuthServer:
    def __init__(self, services: Services, origins: Origins, door: FormDoor) -> None:
        self._db, self._key, self._scopes = services.use(Database), services.use(DigestKey), services.use(Scopes)
        self._authenticator, self._origins, self._door = services.use(TokenAuthenticator), origins, door
        self._owners = services.use(Owners)
        self._grants: dict[str, Callable[[Exchange, ClientRequest], Awaitable[dict[str, object]]]] = {
            "client_credentials": self._to_client,
            "authorization_code": self._for_code,
            "refresh_token": self._refresh,
            DEVICE_CODE: self._to_device,
        }

    def routes(self) -> list[Route]:
        route = self._door.route
        return [
            route("/oauth/token", "oauth.token", self.token),
            route("/oauth/revoke", "oauth.revoke", self.revoke),
            route("/oauth/introspect", "oauth.introspect", self.introspect),
        ]

    async def token(self, exchange: Exchange, asking: ClientRequest) -> dict[str, object]:
        """Tokens for a client's secret, a code, a refresh token, or a device that a person has allowed."""
        if "grant_type" not in asking.form:
            raise OAuthError("invalid_request", "grant_type is required.")
        grant = self._grants.get(asking.form["grant_type"])
        if grant is None:
            raise OAuthError("unsupported_grant_type", f"grant_type must be one of {', '.join(self._grants)}.")
        return await grant(exchange, asking)

    async def revoke(self, _: Exchange, asking: ClientRequest) -> dict[str, object]:
        """Revoke a token of the client; an unknown one is no error."""
        digests = self._key.digests(asking.need("token"))
        await self._db.transact(introspect.revoke, self._owners, digests, asking.client.client_id, asking.address)
        self._authenticator.forget()
        return {}

    async def introspect(self, exchange: Exchange, asking: ClientRequest) -> dict[str, object]:
        """Describe a token of the client's own. Any other is reported as not active."""
        digests = self._key.digests(asking.need("token"))
        found = await self._db.read(introspect.introspect, self._scopes, digests, asking.client.client_id)
        return introspect.answer(found, self._origins.of(exchange))

    async def _to_client(self, exchange: Exchange, asking: ClientRequest) -> dict[str, object]:
        client = asking.client
        if not isinstance(client, OAuthClient):
            refuse_client()
        scopes = list(dict.fromkeys(asking.form.get("scope", "").split())) or client.scopes
        if not set(scopes) <= self._scopes.implied(client.scopes):
            raise OAuthError("invalid_scope", f"This client may ask for: {' '.join(client.scopes)}.")
        secret, door = tokens.make_secret(), read_door(asking.form.get("resource") or None, self._origins.of(exchange))
        if not await self._db.transact(clients.grant, self._key, client, scopes, door, secret):
            refuse_client()
        return {
            "access_token": secret, "token_type": "Bearer", "expires_in": TOKEN_LIFETIME_SECONDS,
            "scope": " ".join(scopes),
        }  # fmt: skip

    async def _for_code(self, exchange: Exchange, asking: ClientRequest) -> dict[str, object]:
        brought = PresentedCode(
            asking.application.client_id,
            asking.need("code"),
            asking.need("code_verifier"),
            asking.form.get("redirect_uri"),
            self._asked_door(exchange, asking),
            asking.address,
        )
        outcome = await self._db.transact(redeem, self._owners, self._key, brought)
        self._authenticator.forget()  # a code that came again has ended tokens
        return answer_of(outcome)

    async def _refresh(self, exchange: Exchange, asking: ClientRequest) -> dict[str, object]:
        application, asked = asking.application, list(dict.fromkeys(asking.form.get("scope", "").split()))
        outcome = await self._db.transact(
            refresh, self._owners, self._key, self._scopes, asking.need("refresh_token"), application.client_id,
            application.name, asked or None, self._asked_door(exchange, asking), asking.address,
        )  # fmt: skip
        self._authenticator.forget()
        return answer_of(outcome)

    async def _to_device(self, _: Exchange, asking: ClientRequest) -> dict[str, object]:
        application = asking.application
        outcome = await self._db.transact(
            device.poll, self._key, asking.need("device_code"), application.client_id, asking.address
        )
        return answer_of(outcome)

    def _asked_door(self, exchange: Exchange, asking: ClientRequest) -> str | None:
        resource = asking.form.get("resource")
        return read_door(resource, self._origins.of(exchange)) if resource else None
