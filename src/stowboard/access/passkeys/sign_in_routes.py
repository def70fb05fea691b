"""Signing in with a passkey, for the pages of this service (see sessions/door.py): alone, after a password where an
account wants two factors, and again (step-up).

The passkey names its account, so nothing is typed, and strangers learn of no account. The device verifies its person,
by a finger or a code, so a passkey alone is no weaker than one behind a password.
"""

from typing import Any

import msgspec

from stowboard.access.base import account_store, challenges, passkey_store, session_store
from stowboard.access.base.account import Account, AccountId
from stowboard.access.base.challenges import Challenge, ChallengePurpose
from stowboard.access.base.errors import InvalidLogin, InvalidPasskey
from stowboard.access.base.passkey_store import Passkey
from stowboard.access.base.session import Device, PersonSession
from stowboard.access.passkeys.ceremony import (
    RelyingParty,
    check_assertion,
    read_base64url,
    relying_party,
    request_options,
)
from stowboard.access.sessions import attempts
from stowboard.access.sessions.door import SessionAnswer, SessionDoor, device_of
from stowboard.access.sessions.session_routes import SessionRoutes
from stowboard.access.sessions.sign_in import NewSession, enter
from stowboard.access.settings import AccessSettings
from stowboard.access.tokens import make_secret
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor
from stowboard.http.exchange import Exchange, Route
from stowboard.http.origin import Origins

PASSKEY = "passkey"
AFTER_PASSWORD = "password, passkey"  # noqa: S105 - the name of a way in
REFUSED = "This passkey opens no account here, or it came too late. Try again, or sign in another way."


class CredentialBody(msgspec.Struct, frozen=True):
    #: The answer of `navigator.credentials.get`, by its `toJSON()`.
    credential: dict[str, Any]


class PasskeySignInRoutes:
    def __init__(self, services: Services, door: SessionDoor, sessions: SessionRoutes, origins: Origins) -> None:
        self._door, self._sessions, self._origins = door, sessions, origins
        self._db, self._key = services.use(Database), services.use(DigestKey)
        self._settings = services.use(AccessSettings)

    def routes(self) -> list[Route]:
        route = self._door.route
        return [
            route("POST", "/session/passkey/options", self.options),
            route("POST", "/session/passkey", self.enter, CredentialBody),
            route("POST", "/session/step-up/options", self.options_again),
            route("POST", "/session/step-up/passkey", self.again, CredentialBody),
        ]

    async def options(self, exchange: Exchange) -> SessionAnswer:
        """A challenge for signing in with a passkey: for this browser, once, within five minutes.

        If the password was just given in this browser, it has a challenge already.
        """
        party, cookies = relying_party(self._origins.of(exchange)), self._door.cookies
        secret, fresh = cookies.challenge_secret(exchange), make_secret("stowc_")
        challenge = await self._db.transact(_give, self._key, self._settings, secret, fresh, exchange.client)
        keep = [cookies.keep_challenge(exchange, fresh)] if challenge.account_id is None else []
        return SessionAnswer({"publicKey": request_options(party, challenge.challenge)}, headers=keep)

    async def enter(self, exchange: Exchange, body: CredentialBody) -> SessionAnswer:
        """Sign in with a passkey: alone, or as the second factor after the password."""
        party, cookies, device = relying_party(self._origins.of(exchange)), self._door.cookies, device_of(exchange)
        await self._door.count(exchange)
        challenge = await self._db.transact(_take, self._key, cookies.challenge_secret(exchange))
        passkey, count = await self._checked(party, body.credential, challenge, device)
        method = PASSKEY if challenge is None or challenge.account_id is None else AFTER_PASSWORD
        replaced = cookies.session_secret(exchange)
        begun = await self._db.transact(_begin, self._key, passkey, count, device, method, replaced)
        if begun is None:
            raise await self._refusal(passkey.account_id, device)
        return self._sessions.entered(exchange, begun)

    async def options_again(self, exchange: Exchange) -> SessionAnswer:
        """A challenge for proving again who one is with a passkey."""
        party, signed_in = relying_party(self._origins.of(exchange)), await self._door.get_signed_in(exchange)
        session_id, account_id = signed_in.session.id, signed_in.account.id
        given = await self._db.transact(challenges.give, self._key, ChallengePurpose.STEP_UP, session_id, account_id)
        return SessionAnswer({"publicKey": request_options(party, given.challenge)})

    async def again(self, exchange: Exchange, body: CredentialBody) -> SessionAnswer:
        """Prove again who one is, with a passkey: operations that need a fresh proof are then open for ten minutes."""
        party, device = relying_party(self._origins.of(exchange)), device_of(exchange)
        signed_in = await self._door.get_signed_in(exchange)
        await self._door.count(exchange)
        challenge = await self._db.transact(challenges.take, self._key, ChallengePurpose.STEP_UP, signed_in.session.id)
        passkey, count = await self._checked(party, body.credential, challenge, device)
        secret = await self._db.transact(_step_up, self._key, passkey, count, signed_in, device)
        if secret is None:
            raise await self._refusal(passkey.account_id, device)
        return SessionAnswer({"steppedUp": True}, headers=[self._door.cookies.keep_session(exchange, secret)])

    async def _checked(
        self, party: RelyingParty, answer: dict[str, Any], challenge: Challenge | None, device: Device
    ) -> tuple[Passkey, int]:
        """The passkey and its count of uses."""
        found = await self._db.read(_find, read_base64url(answer.get("rawId")))
        if found is None:
            raise await self._refusal(None, device)
        passkey, handle = found
        if challenge is None or challenge.account_id not in (None, passkey.account_id):
            raise await self._refusal(passkey.account_id, device)
        try:
            return passkey, await check_assertion(party, challenge.challenge, passkey, handle, answer)
        except InvalidPasskey:
            raise await self._refusal(passkey.account_id, device) from None

    async def _refusal(self, account_id: AccountId | None, device: Device) -> InvalidLogin:
        await self._db.transact(_note_failure, account_id, device)
        return InvalidLogin(REFUSED)


async def _give(
    tx: Tx, key: DigestKey, settings: AccessSettings, secret: str | None, fresh: str, address: str
) -> Challenge:
    """The challenge that follows a password, under the cookie `secret`; any other browser gets one under `fresh`."""
    pending = await challenges.find(tx, key, ChallengePurpose.SECOND, secret)
    if pending is not None:
        return pending
    # Every visit of the page asks for one, so they are counted apart from attempts.
    await attempts.count_address(tx, settings, attempts.address_key(key, address, "challenge"))
    return await challenges.give(tx, key, ChallengePurpose.SIGN_IN, fresh)


async def _take(tx: Tx, key: DigestKey, secret: str | None) -> Challenge | None:
    after_password = await challenges.take(tx, key, ChallengePurpose.SECOND, secret)
    return after_password or await challenges.take(tx, key, ChallengePurpose.SIGN_IN, secret)


async def _find(tx: Tx, credential: bytes) -> tuple[Passkey, bytes] | None:
    passkey = await passkey_store.find_by_credential(tx, credential)
    return (passkey, await passkey_store.get_handle(tx, passkey.account_id)) if passkey else None


async def _begin(
    tx: Tx, key: DigestKey, passkey: Passkey, count: int, device: Device, method: str, replaced: str | None
) -> NewSession | None:
    account = await _use(tx, passkey, count)
    return await enter(tx, key, account, device, method, replaced) if account is not None else None


async def _step_up(
    tx: Tx, key: DigestKey, passkey: Passkey, count: int, signed_in: PersonSession, device: Device
) -> str | None:
    account = await _use(tx, passkey, count)
    if account is None:
        return None
    actor = Actor(account.username, address=device.address)
    await audit.record(tx, actor, "session.step_up", signed_in.session.id, data={"method": PASSKEY})
    return await session_store.step_up(tx, key, signed_in.session)


async def _use(tx: Tx, passkey: Passkey, count: int) -> Account | None:
    """The account, unless it is disabled, the passkey is gone, or its count falls."""
    account = await account_store.find_enabled(tx, passkey.account_id, lock=True)
    return account if account is not None and await passkey_store.note_use(tx, passkey.id, count) else None


async def _note_failure(tx: Tx, account_id: AccountId | None, device: Device) -> None:
    subject = await account_store.find_username(tx, account_id) if account_id is not None else None
    actor = Actor(NOBODY, address=device.address)
    await audit.record(tx, actor, "session.begin", subject or "unknown", "refused", {"method": PASSKEY})
