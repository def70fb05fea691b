"""A client asks about a token that it was given (introspection, RFC 7662), or revokes it (RFC 7009)."""

import msgspec

from stowboard.access import tokens
from stowboard.access.base import account_store, grant_store
from stowboard.access.bearers import find_bearer
from stowboard.access.oauth.grants import refresh_store
from stowboard.access.owners import Owners
from stowboard.access.tokens import ClientId, Token
from stowboard.core import clock
from stowboard.core.scopes import Scopes
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor


class ActiveToken(msgspec.Struct, frozen=True):
    client_id: str
    username: str
    scopes: list[str]
    resource: str | None
    issued_at: int
    expires_at: int | None
    kind: str


async def introspect(tx: Tx, scopes: Scopes, digests: tuple[bytes, bytes], client_id: ClientId) -> ActiveToken | None:
    bearer = await find_bearer(tx, digests)
    if bearer is None:
        return await _refresh_token(tx, digests, client_id)
    token = bearer.token
    if token.client_id != client_id or bearer.disabled or not _is_live(token):
        return None
    allowed = [name for name in scopes.known if name in bearer.scopes]
    return ActiveToken(client_id, token.owner, allowed, token.resource, token.created_at, token.expires_at, "Bearer")


def answer(found: ActiveToken | None, origin: str) -> dict[str, object]:
    if found is None:
        return {"active": False}
    content: dict[str, object] = {
        "active": True, "client_id": found.client_id, "username": found.username, "sub": found.username,
        "scope": " ".join(found.scopes), "token_type": found.kind, "iat": found.issued_at // 1000, "iss": origin,
    }  # fmt: skip
    if found.resource is not None:
        content["aud"] = origin + found.resource
    if found.expires_at is not None:
        content["exp"] = found.expires_at // 1000
    return content


def _is_live(token: Token) -> bool:
    return token.revoked_at is None and (token.expires_at is None or clock.now_ms() < token.expires_at)


async def _refresh_token(tx: Tx, digests: tuple[bytes, bytes], client_id: ClientId) -> ActiveToken | None:
    token = await refresh_store.find_by_digest(tx, digests)
    grant = await grant_store.find(tx, token.grant_id) if token is not None else None
    if token is None or grant is None or grant.client_id != client_id or not grant.is_live:
        return None
    account = await account_store.find_enabled(tx, grant.account_id)
    if account is None or token.used_at is not None or token.ended_at is not None or clock.now_ms() >= token.expires_at:
        return None
    scopes, ends = grant.scopes, token.expires_at
    return ActiveToken(client_id, account.username, scopes, grant.resource, token.created_at, ends, "refresh_token")


async def revoke(tx: Tx, owners: Owners, digests: tuple[bytes, bytes], client_id: ClientId, address: str) -> None:
    """A refresh token ends its grant, and with it all tokens of that grant.

    A token of another client, or an unknown one, is left alone.
    """
    await tokens.revoke_by_digest(tx, digests, client_id)
    found = await refresh_store.find_by_digest(tx, digests)
    grant = await grant_store.find_and_lock(tx, found.grant_id) if found is not None else None
    if grant is not None and grant.client_id == client_id and await grant_store.end(tx, owners, grant.id):
        await audit.record(tx, Actor(client_id, address=address), "grant.end", grant.id)
