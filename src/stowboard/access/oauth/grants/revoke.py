"""Revocation by a client (RFC 7009). A refresh token ends its grant, and with it all tokens of that grant."""

from stowboard.access import tokens
from stowboard.access.base import grant_store
from stowboard.access.oauth.grants import refresh_store
from stowboard.access.tokens import ClientId
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor


async def revoke(tx: Tx, digests: tuple[bytes, bytes], client_id: ClientId, address: str) -> None:
    """A token of another client, or an unknown one, is left alone."""
    await tokens.revoke_by_digest(tx, digests, client_id)
    found = await refresh_store.find_by_digest(tx, digests)
    grant = await grant_store.find_and_lock(tx, found.grant_id) if found is not None else None
    if grant is not None and grant.client_id == client_id and await grant_store.end(tx, grant.id):
        await audit.record(tx, Actor(client_id, address=address), "grant.end", grant.id)
