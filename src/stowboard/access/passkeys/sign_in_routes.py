"""Signing in with a passkey, over HTTP, for the pages of this service (see sessions/door.py)."""

from typing import Any

import msgspec

from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.passkeys.ceremony import relying_party, request_options
from stowboard.access.passkeys.sign_in import PasskeySignIn
from stowboard.access.sessions.door import SessionAnswer, SessionDoor, device_of
from stowboard.access.sessions.session_routes import SessionRoutes
from stowboard.access.tokens import make_secret
from stowboard.core.services import Services
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins


class CredentialBody(msgspec.Struct, frozen=True):
    #: What `navigator.credentials.get` gave, by its `toJSON()`.
    credential: dict[str, Any]


class PasskeySignInRoutes:
    def __init__(self, services: Services, door: SessionDoor, sessions: SessionRoutes, origins: Origins) -> None:
        self._door, self._sessions, self._origins = door, sessions, origins
        self._sign_in, self._authenticator = PasskeySignIn(services), services.use(TokenAuthenticator)

    def routes(self) -> list[Route]:
        route = self._door.route
        return [
            route("POST", "/session/passkey/options", self.options),
            route("POST", "/session/passkey", self.enter, CredentialBody),
            route("POST", "/session/step-up/options", self.options_again),
            route("POST", "/session/step-up/passkey", self.again, CredentialBody),
        ]

    async def options(self, exchange: Exchange) -> SessionAnswer:
        """A challenge for signing in with a passkey: for this browser, once, within five minutes."""
        party, cookies = relying_party(self._origins.of(exchange)), self._door.cookies
        secret, fresh = cookies.challenge_secret(exchange), make_secret("stowc_")
        challenge = await self._sign_in.challenge(secret or "", fresh, device_of(exchange))
        keep = [cookies.keep_challenge(exchange, fresh)] if challenge.account_id is None else []
        return SessionAnswer({"publicKey": request_options(party, challenge.challenge)}, headers=keep)

    async def enter(self, exchange: Exchange, body: CredentialBody) -> SessionAnswer:
        """Sign in with a passkey: alone, or as the second factor after the password."""
        party, cookies = relying_party(self._origins.of(exchange)), self._door.cookies
        begun = await self._sign_in.enter(
            party,
            body.credential,
            cookies.challenge_secret(exchange),
            device_of(exchange),
            cookies.session_secret(exchange),
        )
        self._authenticator.forget()
        return self._sessions.entered(exchange, begun)

    async def options_again(self, exchange: Exchange) -> SessionAnswer:
        """A challenge for proving again who one is with a passkey."""
        party = relying_party(self._origins.of(exchange))
        challenge = await self._sign_in.offer_again(await self._door.get_signed_in(exchange))
        return SessionAnswer({"publicKey": request_options(party, challenge.challenge)})

    async def again(self, exchange: Exchange, body: CredentialBody) -> SessionAnswer:
        """Prove again who one is, with a passkey: operations that need a fresh proof are then open for ten minutes."""
        party = relying_party(self._origins.of(exchange))
        signed_in = await self._door.get_signed_in(exchange)
        secret = await self._sign_in.again(party, body.credential, signed_in, device_of(exchange))
        return SessionAnswer({"steppedUp": True}, headers=[self._door.cookies.keep_session(exchange, secret)])
