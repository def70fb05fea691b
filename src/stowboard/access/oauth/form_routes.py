"""The OAuth endpoints for programs share this: a form, a client, a limit for each address, errors of OAuth's shape."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import msgspec

from stowboard.access.oauth import clients
from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.applications.application import OAuthApplication
from stowboard.access.oauth.clients import OAuthClient
from stowboard.access.oauth.errors import OAuthError, refuse_client
from stowboard.access.oauth.form_bodies import NO_STORE, credentials, read_form, respond_error
from stowboard.access.oauth.grants.give import GrantedTokens, OAuthRefusal
from stowboard.access.oauth.refused import RefusedRequests
from stowboard.api.admission import Admission
from stowboard.core.errors import RateLimited
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database
from stowboard.http.exchange import Exchange, Route


class ClientRequest(msgspec.Struct, frozen=True):
    """A form and the client that sent it: a program with a secret, or an application without one."""

    form: dict[str, str]
    client: OAuthClient | OAuthApplication
    address: str

    @property
    def application(self) -> OAuthApplication:
        """Raises OAuthError for a client with a secret: it acts for its owner, not for people."""
        if not isinstance(self.client, OAuthApplication):
            raise OAuthError("unauthorized_client", "This client may use client_credentials alone.")
        return self.client

    def need(self, name: str) -> str:
        """Raises OAuthError."""
        if name not in self.form:
            raise OAuthError("invalid_request", f"{name} is required.")
        return self.form[name]


Act: TypeAlias = Callable[[Exchange, ClientRequest], Awaitable[dict[str, object]]]
#: The same for a program that is not known yet.
Early: TypeAlias = Callable[[Exchange], Awaitable[tuple[int, dict[str, object]]]]


class FormDoor:
    def __init__(self, services: Services, refused: RefusedRequests) -> None:
        self._db, self._key = services.use(Database), services.use(DigestKey)
        self._admission, self._refused = services.use(Admission), refused

    def route(self, path: str, action: str, act: Act) -> Route:
        """A POST by a client. Refusals are recorded as this action."""

        async def handle(exchange: Exchange) -> None:
            client_id = ""
            try:
                try:
                    form = await read_form(exchange)
                    client_id, secret = credentials(exchange, form)
                    client = await self._client(client_id, secret)
                except OAuthError:
                    await self.check_rate(exchange)  # as a stranger
                    raise
                await self.check_rate(exchange, client_id)
                answer = await act(exchange, ClientRequest(form, client, exchange.client))
                exchange.respond(200, NO_STORE, msgspec.json.encode(answer))
            except OAuthError as error:
                if not error.recorded:
                    await self._refused.note(action, client_id, error.error, exchange.client)
                respond_error(exchange, error)

        return Route("POST", path, handle)

    def bare_route(self, path: str, action: str, act: Early) -> Route:
        """A POST by a program that is not a client yet."""

        async def handle(exchange: Exchange) -> None:
            try:
                await self.check_rate(exchange)
                status, answer = await act(exchange)
                exchange.respond(status, NO_STORE, msgspec.json.encode(answer))
            except OAuthError as error:
                await self._refused.note(action, "", error.error, exchange.client)
                respond_error(exchange, error)

        return Route("POST", path, handle)

    async def check_rate(self, exchange: Exchange, client_id: str = "") -> None:
        """Each client has a bucket of its own at each address; all others at an address share one.

        Raises OAuthError.
        """
        try:
            await self._admission.charge_address(exchange, client_id)
        except RateLimited as limited:
            raise too_many(limited) from None

    async def _client(self, client_id: str, secret: str | None) -> OAuthClient | OAuthApplication:
        if secret is None:
            application = await self._db.read(application_store.find, client_id)
            if application is None:
                refuse_client()
            return application
        found = await self._db.read(clients.find_authenticated, self._key, client_id, secret)
        if found is None:
            refuse_client()
        client, digest = found
        if digest != self._key.digest(secret):  # it is an earlier key's
            await self._db.transact(clients.keep_digest, client.client_id, self._key.digest(secret))
        return client


def too_many(limited: RateLimited) -> OAuthError:
    return OAuthError("temporarily_unavailable", limited.message, limited.status, limited.headers)


def answer_of(outcome: GrantedTokens | OAuthRefusal) -> dict[str, object]:
    """Raises OAuthError."""
    if isinstance(outcome, GrantedTokens):
        return outcome.answer()
    raise OAuthError(outcome.error, outcome.description, recorded=outcome.recorded)
