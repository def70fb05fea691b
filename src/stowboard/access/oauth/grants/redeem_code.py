"""Tokens for an authorization code or a refresh token. The first use of a code spends it, valid or not.

A second use, by anybody, ends the grant that came of the first (RFC 6749, 10.5).

A refresh token is used once too. Its answer may be lost on the way, so for a minute after its use it may be brought
again a few times, and gives another pair each time. When the refresh token of one of these pairs is used, the other
pairs end. A token that is brought after that minute ends the grant with all its tokens: two hold it, one of them stole
it, and we cannot tell which.
"""

import base64
import hashlib
import hmac
import re

import msgspec
from msgspec.structs import replace

from stowboard.access.base import account_store, grant_store, session_store
from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.grants import code_store, refresh_store
from stowboard.access.oauth.grants.code_store import AuthorizationCode
from stowboard.access.oauth.grants.give import WRONG_GRANT, GrantedTokens, OAuthRefusal, begin_grant, give_tokens
from stowboard.access.owners import Owners
from stowboard.access.tokens import ClientId
from stowboard.core import clock
from stowboard.core.scopes import Scopes
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")
GRACE_MS = 60_000
MOST_PAIRS = 10


class PresentedCode(msgspec.Struct, frozen=True):
    """A code with all that its application sends beside it."""

    client_id: str
    code: str
    verifier: str
    redirect_uri: str | None
    #: The door that was asked for, if any.
    door: str | None
    address: str


async def redeem(tx: Tx, owners: Owners, key: DigestKey, brought: PresentedCode) -> GrantedTokens | OAuthRefusal:
    code = await code_store.find_and_lock(tx, key, brought.code)
    if code is None:
        return WRONG_GRANT
    if code.used_at is not None:
        if code.grant_id is not None:
            await grant_store.end(tx, owners, code.grant_id)
        await _record_refusal(tx, brought, code, "grant.reuse")
        return replace(WRONG_GRANT, recorded=True)
    refused = _fault(code, brought)
    # A person who has signed out meanwhile has taken the code back.
    signed_in = await session_store.find_and_lock(tx, code.session_id) if refused is None else None
    application = await application_store.find_and_lock(tx, code.client_id)
    if refused is not None or signed_in is None or application is None:
        await code_store.spend(tx, code, None)
        await _record_refusal(tx, brought, code, "grant.create")
        return replace(refused or WRONG_GRANT, recorded=True)
    account = signed_in.account
    given = await begin_grant(tx, key, account, application, code.resource, code.scopes, brought.address)
    await code_store.spend(tx, code, given.grant_id)
    return given


def challenge_of(verifier: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


def _fault(code: AuthorizationCode, brought: PresentedCode) -> OAuthRefusal | None:
    if code.client_id != brought.client_id or clock.now_ms() >= code.expires_at:
        return WRONG_GRANT
    if brought.redirect_uri is not None and brought.redirect_uri != code.redirect_uri:
        return OAuthRefusal("invalid_grant", "redirect_uri is not the one of the authorization request.")
    if not VERIFIER.fullmatch(brought.verifier) or not hmac.compare_digest(
        challenge_of(brought.verifier), code.challenge
    ):
        return OAuthRefusal("invalid_grant", "code_verifier does not fit the code_challenge.")
    if brought.door is not None and brought.door != code.resource:
        return OAuthRefusal("invalid_target", "resource must be the one of the authorization request.")
    return None


async def _record_refusal(tx: Tx, brought: PresentedCode, code: AuthorizationCode, action: str) -> None:
    facts = {"client": brought.client_id[:200], "account": code.account_id}
    await audit.record(tx, Actor(NOBODY, address=brought.address), action, code.grant_id or "code", "refused", facts)


async def refresh(
    tx: Tx, owners: Owners, key: DigestKey, known: Scopes, secret: str, client_id: ClientId, name: str,
    asked: list[str] | None, door: str | None, address: str,
) -> GrantedTokens | OAuthRefusal:  # fmt: skip
    """New tokens, with all scopes of the grant or with those asked for; `door` is the one asked for, if any."""
    found = await refresh_store.find(tx, key, secret)
    grant = await grant_store.find_and_lock(tx, found.grant_id) if found is not None else None
    # Read the token again: it may have been used while we waited for the grant.
    token = await refresh_store.find(tx, key, secret) if grant is not None else None
    if grant is None or token is None or grant.client_id != client_id or not grant.is_live:
        return WRONG_GRANT
    over_since = [at for at in (token.used_at, token.ended_at) if at is not None]
    if over_since and clock.now_ms() - min(over_since) > GRACE_MS:
        await grant_store.end(tx, owners, grant.id)
        facts = {"client": grant.client_id, "account": grant.account_id}
        await audit.record(tx, Actor(NOBODY, address=address), "grant.reuse", grant.id, "refused", facts)
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
