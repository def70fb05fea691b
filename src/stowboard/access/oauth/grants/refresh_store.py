"""Refresh tokens as rows. Each is used once; what was used is kept, to know it when it comes again."""

import msgspec

from stowboard.access.base.grant_store import Grant, GrantId
from stowboard.access.tokens import make_secret
from stowboard.core import clock
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.rows import Columns

_DAY_MS = 24 * 3600 * 1000
IDLE_MS = 30 * _DAY_MS
_LONGEST = 200


class RefreshToken(msgspec.Struct, frozen=True):
    digest: bytes
    grant_id: GrantId
    created_at: int
    expires_at: int
    used_at: int | None


_COLUMNS = Columns(RefreshToken)


async def make(tx: Tx, key: DigestKey, grant: Grant) -> str:
    secret, now = make_secret("stowr_"), clock.now_ms()
    token = RefreshToken(key.digest(secret), grant.id, now, min(now + IDLE_MS, grant.expires_at), None)
    sql = f"INSERT INTO oauth_refresh_token ({_COLUMNS.names}) VALUES ({_COLUMNS.parameters})"
    await tx.run(sql, *_COLUMNS.values(token))
    return secret


async def find(tx: Tx, key: DigestKey, secret: str) -> RefreshToken | None:
    if len(secret) > _LONGEST or not secret.isascii():
        return None
    return await find_by_digest(tx, key.digests(secret))


async def find_by_digest(tx: Tx, digests: tuple[bytes, bytes]) -> RefreshToken | None:
    row = await tx.one(f"SELECT {_COLUMNS.names} FROM oauth_refresh_token WHERE digest IN ($1, $2)", *digests)
    return _COLUMNS.read(row) if row else None


async def spend(tx: Tx, token: RefreshToken) -> None:
    """Note its first use."""
    sql = "UPDATE oauth_refresh_token SET used_at = $2 WHERE digest = $1 AND used_at IS NULL"
    await tx.run(sql, token.digest, clock.now_ms())


async def forget_refresh_tokens(tx: Tx, limit: int) -> int:
    """Remove those that have expired, a bounded number of them."""
    return await tx.run(
        "DELETE FROM oauth_refresh_token WHERE digest IN"
        " (SELECT digest FROM oauth_refresh_token WHERE expires_at < $1 ORDER BY expires_at LIMIT $2)",
        clock.now_ms() - _DAY_MS, limit,
    )  # fmt: skip
