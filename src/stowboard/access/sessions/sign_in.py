"""Signing in with a password: attempts are counted, cost the same work for every name, and are audited."""

import msgspec

from stowboard.access.accounts.password_sign_in import check_on
from stowboard.access.accounts.passwords import Passwords, is_outdated
from stowboard.access.base import account_store, challenges, recovery_codes, session_store
from stowboard.access.base.account import Account, typed_username
from stowboard.access.base.challenges import ChallengePurpose
from stowboard.access.base.errors import InvalidLogin, SecondFactorRequired
from stowboard.access.base.session import Device, PersonSession
from stowboard.access.sessions import attempts
from stowboard.access.settings import AccessSettings
from stowboard.access.tokens import make_secret
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

PASSWORD = "password"  # noqa: S105 - the name of a way in
WITH_CODE = "password, recovery code"
_STEP_UP_WITH_BOTH = (
    "Your account asks for two factors: use your passkey (POST /session/step-up/passkey), or send a recovery code as"
    " `code` beside the password."
)


class NewSession(msgspec.Struct, frozen=True):
    """A session that has just begun, with the secret for its cookie."""

    signed_in: PersonSession
    secret: str


class PendingSignIn(msgspec.Struct, frozen=True):
    """A sign-in whose password was right and whose second factor has to follow; with the secret for its cookie."""

    secret: str


class PasswordSignIn:
    """Signing in with a password, and proving it again (step-up)."""

    def __init__(self, services: Services) -> None:
        self._db, self._key = services.use(Database), services.use(DigestKey)
        self._passwords, self._settings = services.use(Passwords), services.use(AccessSettings)

    async def with_password(
        self, typed: str, password: str, device: Device, known_device: str | None, replaced: str | None
    ) -> NewSession | PendingSignIn:
        """Raises InvalidLogin, RateLimited or PasswordsOff. `replaced` is the secret of the session that the browser
        had."""
        await self._check_on()
        username = typed_username(typed)
        count = self._name_key(username, known_device)
        await self._count(device, count)
        account = await self._checked(username, password, device)
        return await self._db.transact(_begin, self._key, account, device, count, replaced)

    async def again(self, signed_in: PersonSession, password: str, code: str | None, device: Device) -> str:
        """The new secret of a session whose person has proven again who they are.

        Raises as `with_password`, and SecondFactorRequired for a password alone where two factors are on.
        """
        await self._check_on()
        username = signed_in.account.username
        count = attempts.name_key(self._key, signed_in.session.id, "device")
        await self._count(device, count)
        account = await self._checked(username, password, device)
        if account.two_factor and not code:
            raise SecondFactorRequired(_STEP_UP_WITH_BOTH)
        secret = await self._db.transact(_step_up, self._key, signed_in, code, device, count)
        if secret is None:
            raise InvalidLogin("This is not one of your recovery codes, or it was used before.")
        return secret

    async def _check_on(self) -> None:
        if not self._settings.password_sign_in:
            await self._db.read(check_on, self._settings)

    async def _checked(self, username: str, password: str, device: Device) -> Account:
        found = await self._db.read(account_store.find_with_password, username)
        account, kept = found if found is not None else (None, None)
        right = await self._passwords.is_right(password, None if account is None or account.disabled else kept)
        if account is None or not right:
            await self._db.transact(_note_failure, account, device)
            raise InvalidLogin
        if kept is not None and is_outdated(kept):
            await self._db.transact(account_store.set_password, account.id, await self._passwords.keep(password))
        return account

    async def _count(self, device: Device, name: bytes) -> None:
        address = attempts.address_key(self._key, device.address)
        await self._db.transact(attempts.count_attempt, self._settings, address, name)

    def _name_key(self, username: str, known_device: str | None) -> bytes:
        if known_device is not None:
            return attempts.name_key(self._key, f"{known_device} {username}", "device")
        return attempts.name_key(self._key, username)


async def enter(
    tx: Tx,
    key: DigestKey,
    account: Account,
    device: Device,
    method: str,
    replaced: str | None,
    proven_at: int | None = None,
) -> NewSession:
    """Begin a session of somebody who has proven who they are; the session that this browser had ends.

    `proven_at` is the time of the proof, if it was not just now.
    """
    earlier = await session_store.find(tx, key, replaced) if replaced else None
    if earlier is not None:
        await session_store.end(tx, earlier.account.id, earlier.session.id)
    session, secret = await session_store.begin(tx, key, account, device, method, proven_at)
    actor = Actor(account.username, address=device.address)
    await audit.record(tx, actor, "session.begin", session.id, data={"method": method})
    return NewSession(PersonSession(session, account), secret)


async def _begin(
    tx: Tx, key: DigestKey, account: Account, device: Device, count: bytes, replaced: str | None
) -> NewSession | PendingSignIn:
    enabled = await account_store.find_enabled(tx, account.id, lock=True)
    if enabled is None:  # since the password was checked
        raise InvalidLogin
    await attempts.forgive(tx, count)
    if enabled.two_factor:
        secret = make_secret("stowc_")
        await challenges.give(tx, key, ChallengePurpose.SECOND, secret, enabled.id)
        return PendingSignIn(secret)
    return await enter(tx, key, enabled, device, PASSWORD, replaced)


async def _step_up(
    tx: Tx, key: DigestKey, signed_in: PersonSession, code: str | None, device: Device, count: bytes
) -> str | None:
    account = await account_store.lock(tx, signed_in.account.id)
    actor, method = Actor(account.username, address=device.address), WITH_CODE if account.two_factor else PASSWORD
    if account.two_factor and not await recovery_codes.spend(tx, key, account.id, code or ""):
        await audit.record(tx, actor, "session.step_up", signed_in.session.id, "refused", {"method": method})
        return None
    await attempts.forgive(tx, count)
    await audit.record(tx, actor, "session.step_up", signed_in.session.id, data={"method": method})
    return await session_store.step_up(tx, key, signed_in.session)


async def _note_failure(tx: Tx, account: Account | None, device: Device) -> None:
    # A name that no account has is not stored: it may be a password in the wrong field.
    actor = Actor(NOBODY, address=device.address)
    subject = account.username if account is not None else "unknown"
    await audit.record(tx, actor, "session.begin", subject, "refused", {"method": PASSWORD})
