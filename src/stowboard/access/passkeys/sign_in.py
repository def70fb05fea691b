"""Signing in with a passkey: alone, after a password where an account wants two factors, and again (step-up).

The passkey names its account, so nothing is typed, and strangers learn of no account. The device verifies its person,
by a finger or a code, so a passkey alone is no weaker than one behind a password.
"""

from typing import Any

from stowboard.access.base import account_store, challenges, passkey_store, session_store
from stowboard.access.base.account import Account, AccountId
from stowboard.access.base.challenges import Challenge, ChallengePurpose
from stowboard.access.base.errors import InvalidLogin, InvalidPasskey
from stowboard.access.base.passkey import Passkey
from stowboard.access.base.session import Device, PersonSession
from stowboard.access.passkeys.ceremony import RelyingParty, check_assertion, read_base64url
from stowboard.access.sessions import attempts
from stowboard.access.sessions.sign_in import NewSession, enter
from stowboard.access.settings import AccessSettings
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

PASSKEY = "passkey"
AFTER_PASSWORD = "password, passkey"  # noqa: S105 - the name of a way in
REFUSED = "This passkey opens no account here, or it came too late. Try again, or sign in another way."


class PasskeySignIn:
    def __init__(self, services: Services) -> None:
        self._db, self._key = services.use(Database), services.use(DigestKey)
        self._settings = services.use(AccessSettings)

    async def challenge(self, secret: str, fresh: str, device: Device) -> Challenge:
        """The challenge to sign. A browser whose person has just given the password has one already, under its cookie
        `secret`; any other gets a new one, under `fresh`. Raises RateLimited."""
        return await self._db.transact(_give, self._key, self._settings, secret, fresh, device)

    async def enter(
        self, party: RelyingParty, answer: dict[str, Any], secret: str | None, device: Device, replaced: str | None
    ) -> NewSession:
        """Raises InvalidLogin or RateLimited. `replaced` is the secret of the session that the browser had."""
        await self._count(device)
        challenge = await self._db.transact(_take, self._key, secret)
        passkey, count = await self._checked(party, answer, challenge, device)
        method = PASSKEY if challenge is None or challenge.account_id is None else AFTER_PASSWORD
        begun = await self._db.transact(_begin, self._key, passkey, count, device, method, replaced)
        if begun is None:
            raise await self._refusal(passkey.account_id, device)
        return begun

    async def offer_again(self, signed_in: PersonSession) -> Challenge:
        """A challenge for somebody who is signed in already."""
        session, account = signed_in.session, signed_in.account
        return await self._db.transact(challenges.give, self._key, ChallengePurpose.STEP_UP, session.id, account.id)

    async def again(self, party: RelyingParty, answer: dict[str, Any], signed_in: PersonSession, device: Device) -> str:
        """The new secret of a session whose person has proven again who they are. Raises InvalidLogin."""
        await self._count(device)
        challenge = await self._db.transact(challenges.take, self._key, ChallengePurpose.STEP_UP, signed_in.session.id)
        passkey, count = await self._checked(party, answer, challenge, device)
        secret = await self._db.transact(_step_up, self._key, passkey, count, signed_in, device)
        if secret is None:
            raise await self._refusal(passkey.account_id, device)
        return secret

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

    async def _count(self, device: Device) -> None:
        address = attempts.address_key(self._key, device.address)
        await self._db.transact(attempts.count_address, self._settings, address)

    async def _refusal(self, account_id: AccountId | None, device: Device) -> InvalidLogin:
        await self._db.transact(_note_failure, account_id, device)
        return InvalidLogin(REFUSED)


async def _give(tx: Tx, key: DigestKey, settings: AccessSettings, secret: str, fresh: str, device: Device) -> Challenge:
    pending = await challenges.find(tx, key, ChallengePurpose.SECOND, secret)
    if pending is not None:
        return pending
    # Every visit of the page asks for one, so they are counted apart from attempts.
    await attempts.count_address(tx, settings, attempts.address_key(key, device.address, "challenge"))
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
