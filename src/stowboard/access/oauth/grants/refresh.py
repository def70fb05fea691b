"""New tokens for a refresh token, which is used once: whoever brings it again has it from somebody else.

An answer may be lost on its way, so for a minute after its use it may be brought again, and gives another pair, a few
times. When the refresh token of one of these pairs is used, the other pairs end. After the minute it ends the grant
with all its tokens: one of two who hold it stole it, and we cannot tell which.
"""

from msgspec.structs import replace

from stowboard.access.base import account_store, grant_store
from stowboard.access.base.grant_store import OAuthGrant
from stowboard.access.oauth.grants import refresh_store
from stowboard.access.oauth.grants.give import WRONG_GRANT, GrantedTokens, OAuthRefusal, give_tokens
from stowboard.access.tokens import ClientId
from stowboard.core import clock
from stowboard.core.scopes import Scopes
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

GRACE_MS = 60_000
MOST_PAIRS = 10


async def refresh(
    tx: Tx, key: DigestKey, known: Scopes, secret: str, client_id: ClientId, name: str, asked: list[str] | None,
    door: str | None, address: str,
) -> GrantedTokens | OAuthRefusal:  # fmt: skip
    """New tokens, with all scopes of the grant or with those asked for; `door` is the one asked for, if any."""
    found = await refresh_store.find(tx, key, secret)
    grant = await grant_store.find_and_lock(tx, found.grant_id) if found is not None else None
    # Read again what may have been used while we waited for the grant.
    token = await refresh_store.find(tx, key, secret) if grant is not None else None
    if grant is None or token is None or grant.client_id != client_id or not grant.is_live:
        return WRONG_GRANT
    over_since = [at for at in (token.used_at, token.ended_at) if at is not None]
    if over_since and clock.now_ms() - min(over_since) > GRACE_MS:
        await _end_family(tx, grant, address)
        return replace(WRONG_GRANT, recorded=True)
    if token.ended_at is not None:
        return WRONG_GRANT
    account = await account_store.find_enabled(tx, grant.account_id)
    if account is None or clock.now_ms() >= token.expires_at:
        return WRONG_GRANT
    if door is not None and door != grant.resource:
        return OAuthRefusal("invalid_target", "resource must be the one that the person allowed.")
    scopes = grant.scopes if asked is None else asked
    if not set(scopes) <= known.implied(grant.scopes):
        return OAuthRefusal("invalid_scope", f"The person allowed: {' '.join(grant.scopes)}.")
    if await refresh_store.count_children(tx, token) >= MOST_PAIRS:
        return WRONG_GRANT
    await refresh_store.spend(tx, token)
    return await give_tokens(tx, key, grant, account, name, scopes, token)


async def _end_family(tx: Tx, grant: OAuthGrant, address: str) -> None:
    await grant_store.end(tx, grant.id)
    facts = {"client": grant.client_id, "account": grant.account_id}
    await audit.record(tx, Actor(NOBODY, address=address), "grant.reuse", grant.id, "refused", facts)
