"""How a session begins, after a password or another proof, and how it is proven again."""

import msgspec

from stowboard.access.base import account_store, challenges, recovery_codes, session_store
from stowboard.access.base.account import Account
from stowboard.access.base.challenges import ChallengePurpose
from stowboard.access.base.errors import InvalidLogin
from stowboard.access.base.session import Device, PersonSession
from stowboard.access.sessions import attempts
from stowboard.access.tokens import make_secret
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

PASSWORD = "password"  # noqa: S105 - the name of a way in
WITH_CODE = "password, recovery code"


class NewSession(msgspec.Struct, frozen=True):
    """A session that has just begun, with the secret for its cookie."""

    signed_in: PersonSession
    secret: str


class PendingSignIn(msgspec.Struct, frozen=True):
    """A sign-in whose password was right and whose second factor has to follow; with the secret for its cookie."""

    secret: str


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


async def begin_by_password(
    tx: Tx, key: DigestKey, account: Account, kept: str, device: Device, guesses: bytes, replaced: str | None
) -> NewSession | PendingSignIn:
    """Sign in somebody whose password was right.

    `kept` is the hash that it was checked against, `guesses` the key under which attempts are counted. Raises
    InvalidLogin if another password was chosen since, which has ended all sessions.
    """
    enabled = await account_store.find_enabled(tx, account.id, lock=True)
    if enabled is None or not await account_store.is_password_hash(tx, account.id, kept):
        raise InvalidLogin
    await attempts.forgive(tx, guesses)
    if enabled.two_factor:
        secret = make_secret("stowc_")
        await challenges.give(tx, key, ChallengePurpose.SECOND, secret, enabled.id)
        return PendingSignIn(secret)
    return await enter(tx, key, enabled, device, PASSWORD, replaced)


async def step_up_by_password(
    tx: Tx, key: DigestKey, signed_in: PersonSession, kept: str, code: str | None, address: str, guesses: bytes
) -> str | None:
    """The new secret of the session; None if two factors are on and the code is not one of the person's."""
    account = await account_store.lock(tx, signed_in.account.id)
    if not await account_store.is_password_hash(tx, account.id, kept):
        raise InvalidLogin
    actor, method = Actor(account.username, address=address), WITH_CODE if account.two_factor else PASSWORD
    if account.two_factor and not await recovery_codes.spend(tx, key, account.id, code or ""):
        await audit.record(tx, actor, "session.step_up", signed_in.session.id, "refused", {"method": method})
        return None
    await attempts.forgive(tx, guesses)
    await audit.record(tx, actor, "session.step_up", signed_in.session.id, data={"method": method})
    return await session_store.step_up(tx, key, signed_in.session)


async def note_failure(tx: Tx, account: Account | None, address: str) -> None:
    # A name that no account has is not stored: it may be a password in the wrong field.
    actor = Actor(NOBODY, address=address)
    subject = account.username if account is not None else "unknown"
    await audit.record(tx, actor, "session.begin", subject, "refused", {"method": PASSWORD})
