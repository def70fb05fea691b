"""Refresh tokens as rows. Each is used once; used ones are kept, to recognise them when they come again."""

import msgspec

from stowboard.access import tokens
from stowboard.access.base.grant_store import GrantId, OAuthGrant
from stowboard.access.tokens import is_possible, make_secret
from stowboard.core import clock
from stowboard.core.caller import TokenId
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.table import Table, forget_old

_DAY_MS = 24 * 3600 * 1000
IDLE_MS = 30 * _DAY_MS


class RefreshToken(msgspec.Struct, frozen=True):
    digest: bytes
    grant_id: GrantId
    created_at: int
    expires_at: int
    used_at: int | None
    #: The access token that was given with it.
    token_id: TokenId
    #: The digest of the refresh token that it was given for; None for the first of a grant.
    parent: bytes | None
    #: The time when it ended: a token that was given for it, or another for the same parent, was used.
    ended_at: int | None = None


_TOKENS = Table("oauth_refresh_token", RefreshToken)


async def make(tx: Tx, key: DigestKey, grant: OAuthGrant, token_id: TokenId, parent: RefreshToken | None) -> str:
    secret, now = make_secret("stowr_"), clock.now_ms()
    token = RefreshToken(
        key.digest(secret), grant.id, now, min(now + IDLE_MS, grant.expires_at), None, token_id,
        parent.digest if parent is not None else None,
    )  # fmt: skip
    await _TOKENS.insert(tx, token)
    return secret


async def find(tx: Tx, key: DigestKey, secret: str) -> RefreshToken | None:
    return await find_by_digest(tx, key.digests(secret)) if is_possible(secret) else None


async def find_by_digest(tx: Tx, digests: tuple[bytes, bytes]) -> RefreshToken | None:
    return await _TOKENS.find(tx, "digest IN ($1, $2)", *digests)


async def count_children(tx: Tx, token: RefreshToken) -> int:
    """How many pairs were given for this token."""
    row = await tx.one("SELECT count(*) FROM oauth_refresh_token WHERE parent = $1", token.digest)
    return int(row[0]) if row else 0


async def spend(tx: Tx, token: RefreshToken) -> None:
    """Note the token's first use. This ends its parent, and the other tokens that were given for that parent."""
    now = clock.now_ms()
    await tx.run("UPDATE oauth_refresh_token SET used_at = $2 WHERE digest = $1 AND used_at IS NULL", token.digest, now)
    if token.parent is None or token.used_at is not None:
        return
    siblings = "SELECT token_id FROM oauth_refresh_token WHERE parent = $2 AND digest <> $3"
    await tokens.revoke(tx, f"id IN ({siblings})", token.parent, token.digest)
    await tx.run(
        "UPDATE oauth_refresh_token SET ended_at = $1 WHERE (parent = $2 OR digest = $2) AND digest <> $3",
        now, token.parent, token.digest,
    )  # fmt: skip


forget_refresh_tokens = forget_old("oauth_refresh_token", "digest", kept_ms=_DAY_MS)
