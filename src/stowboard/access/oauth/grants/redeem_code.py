"""Tokens for an authorization code. The first use spends it, valid or not.

A second use, by anybody, ends the grant that came of the first (RFC 6749, 10.5).
"""

import base64
import hashlib
import hmac
import re

import msgspec
from msgspec.structs import replace

from stowboard.access.base import grant_store, session_store
from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.grants import code_store
from stowboard.access.oauth.grants.code_store import AuthorizationCode
from stowboard.access.oauth.grants.give import WRONG_GRANT, GrantedTokens, OAuthRefusal, give_tokens
from stowboard.core import clock
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import NOBODY, Actor

VERIFIER = re.compile(r"[A-Za-z0-9._~-]{43,128}")


class PresentedCode(msgspec.Struct, frozen=True):
    """A code with all that its application sends beside it."""

    client_id: str
    code: str
    verifier: str
    redirect_uri: str | None
    #: The door that was asked for, if any.
    door: str | None
    address: str


async def redeem(tx: Tx, key: DigestKey, brought: PresentedCode) -> GrantedTokens | OAuthRefusal:
    code = await code_store.find_and_lock(tx, key, brought.code)
    if code is None:
        return WRONG_GRANT
    if code.used_at is not None:
        await _end_what_came_of_it(tx, code, brought)
        return replace(WRONG_GRANT, recorded=True)
    refused = _fault(code, brought)
    # A person who has signed out meanwhile has taken the code back.
    signed_in = await session_store.find_and_lock(tx, code.session_id) if refused is None else None
    application = await application_store.find_and_lock(tx, code.client_id)
    if refused is not None or signed_in is None or application is None:
        await code_store.spend(tx, code, None)
        await _record(tx, brought, code, "refused")
        return replace(refused or WRONG_GRANT, recorded=True)
    grant = await grant_store.begin(
        tx, code.account_id, code.client_id, code.resource, code.scopes, application.kind
    )  # fmt: skip
    await code_store.spend(tx, code, grant.id)
    await application_store.note_use(tx, application.client_id)
    facts = {"client": code.client_id, "scopes": code.scopes, "resource": code.resource}
    actor = Actor(signed_in.account.username, address=brought.address)
    await audit.record(tx, actor, "grant.create", grant.id, data=facts)
    return await give_tokens(tx, key, grant, signed_in.account, application.name, code.scopes)


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


async def _end_what_came_of_it(tx: Tx, code: AuthorizationCode, brought: PresentedCode) -> None:
    if code.grant_id is not None:
        await grant_store.end(tx, code.grant_id)
    await _record(tx, brought, code, "refused", reused=True)


async def _record(
    tx: Tx, brought: PresentedCode, code: AuthorizationCode, outcome: audit.Outcome, reused: bool = False
) -> None:
    facts = {"client": brought.client_id[:200], "account": code.account_id}
    action = "grant.reuse" if reused else "grant.create"
    await audit.record(tx, Actor(NOBODY, address=brought.address), action, code.grant_id or "code", outcome, facts)
