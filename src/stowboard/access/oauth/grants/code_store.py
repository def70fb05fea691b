"""Authorization codes as rows. Each lives for a minute and works once."""

import msgspec

from stowboard.access.base.account import AccountId
from stowboard.access.base.session import SessionId
from stowboard.access.tokens import ClientId, is_possible, make_secret
from stowboard.core import clock
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.table import Table, forget_old

LIFETIME_MS = 60_000


class AuthorizationCode(msgspec.Struct, frozen=True):
    digest: bytes
    account_id: AccountId
    #: The session in which the person allowed it; signing out there takes it back.
    session_id: SessionId
    client_id: ClientId
    redirect_uri: str
    challenge: str
    resource: str
    scopes: list[str]
    expires_at: int
    used_at: int | None = None
    grant_id: str | None = None


_CODES = Table("oauth_code", AuthorizationCode, in_words=["scopes"])


def new_code() -> str:
    return make_secret("stowa_")


async def insert(tx: Tx, code: AuthorizationCode) -> None:
    await _CODES.insert(tx, code)


async def find_and_lock(tx: Tx, key: DigestKey, secret: str) -> AuthorizationCode | None:
    if not is_possible(secret):
        return None
    return await _CODES.find(tx, "digest IN ($1, $2) FOR UPDATE", *key.digests(secret))


async def spend(tx: Tx, code: AuthorizationCode, grant_id: str | None) -> None:
    """Use the code up; `grant_id` is the grant that came of it."""
    sql = "UPDATE oauth_code SET used_at = $2, grant_id = $3 WHERE digest = $1"
    await tx.run(sql, code.digest, clock.now_ms(), grant_id)


forget_codes = forget_old("oauth_code", "digest", kept_ms=24 * 3600 * 1000)
