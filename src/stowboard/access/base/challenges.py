"""Challenges that an authenticator signs: each for one browser, five minutes and one answer."""

import secrets
from enum import StrEnum

import msgspec

from stowboard.access.base.account import AccountId
from stowboard.access.tokens import is_possible
from stowboard.core import clock
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.table import Table, forget_old

LIFETIME_SECONDS = 300


class ChallengePurpose(StrEnum):
    #: The person is not known yet.
    SIGN_IN = "sign_in"
    #: The password was right; the second factor has to follow.
    SECOND = "second"
    REGISTER = "register"
    STEP_UP = "step_up"


class Challenge(msgspec.Struct, frozen=True):
    challenge: bytes
    account_id: AccountId | None


_CHALLENGES = Table("sign_in_challenge", Challenge)


async def give(
    tx: Tx, key: DigestKey, purpose: ChallengePurpose, secret: str, account_id: AccountId | None = None
) -> Challenge:
    """A new challenge for the browser with this secret. It replaces the one before."""
    given = Challenge(secrets.token_bytes(32), account_id)
    await tx.run(
        "INSERT INTO sign_in_challenge (digest, purpose, challenge, account_id, expires_at) VALUES ($1, $2, $3, $4, $5)"
        " ON CONFLICT (digest, purpose) DO UPDATE SET challenge = $3, account_id = $4, expires_at = $5",
        key.digest(secret), purpose, given.challenge, account_id, clock.now_ms() + LIFETIME_SECONDS * 1000,
    )  # fmt: skip
    return given


async def find(tx: Tx, key: DigestKey, purpose: ChallengePurpose, secret: str | None) -> Challenge | None:
    if not secret or not is_possible(secret):
        return None
    condition = "digest IN ($1, $2) AND purpose = $3 AND expires_at > $4"
    return await _CHALLENGES.find(tx, condition, *key.digests(secret), purpose, clock.now_ms())


async def take(tx: Tx, key: DigestKey, purpose: ChallengePurpose, secret: str | None) -> Challenge | None:
    """Find the challenge and use it up: it cannot be answered again."""
    if not secret or not is_possible(secret):
        return None
    row = await tx.one(
        "DELETE FROM sign_in_challenge WHERE digest IN ($1, $2) AND purpose = $3 AND expires_at > $4"
        " RETURNING challenge, account_id",
        *key.digests(secret), purpose, clock.now_ms(),
    )  # fmt: skip
    return _CHALLENGES.read(row) if row else None


forget_challenges = forget_old("sign_in_challenge", "digest, purpose")
