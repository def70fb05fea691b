"""Authorization codes as rows. Each lives for a minute and works once."""

import msgspec

from stowboard.access.base.account import AccountId
from stowboard.access.base.session import SessionId
from stowboard.access.tokens import ClientId, make_secret
from stowboard.core import clock
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.rows import Columns

LIFETIME_MS = 60_000
_KEPT_MS = 24 * 3600 * 1000
_LONGEST = 200


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


_COLUMNS = Columns(AuthorizationCode, in_words=["scopes"])


def new_code() -> str:
    return make_secret("stowa_")


async def insert(tx: Tx, code: AuthorizationCode) -> None:
    sql = f"INSERT INTO oauth_code ({_COLUMNS.names}) VALUES ({_COLUMNS.parameters})"
    await tx.run(sql, *_COLUMNS.values(code))


async def find_and_lock(tx: Tx, key: DigestKey, secret: str) -> AuthorizationCode | None:
    if len(secret) > _LONGEST or not secret.isascii():
        return None
    sql = f"SELECT {_COLUMNS.names} FROM oauth_code WHERE digest IN ($1, $2) FOR UPDATE"
    row = await tx.one(sql, *key.digests(secret))
    return _COLUMNS.read(row) if row else None


async def spend(tx: Tx, code: AuthorizationCode, grant_id: str | None) -> None:
    """Use the code up; `grant_id` is the grant that came of it."""
    sql = "UPDATE oauth_code SET used_at = $2, grant_id = $3 WHERE digest = $1"
    await tx.run(sql, code.digest, clock.now_ms(), grant_id)


async def forget_codes(tx: Tx, limit: int) -> int:
    """Remove those of yesterday, a bounded number of them."""
    return await tx.run(
        "DELETE FROM oauth_code WHERE digest IN"
        " (SELECT digest FROM oauth_code WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)",
        clock.now_ms() - _KEPT_MS, limit,
    )  # fmt: skip
