"""OAuth clients: programs that exchange an id and a secret for tokens that last an hour."""

import hmac

import msgspec

from stowboard.access import tokens
from stowboard.access.endings import end_made_through
from stowboard.access.owners import Owners
from stowboard.access.tokens import ClientId, NewToken
from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id, new_id
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage
from stowboard.db.table import Table

TOKEN_LIFETIME_SECONDS = 3600


class OAuthClient(msgspec.Struct, frozen=True, rename={"client_id": "id"}):
    client_id: ClientId
    owner: str
    scopes: list[str]
    namespace: str | None
    name: str
    created_at: int


_CLIENTS = Table("oauth_client", OAuthClient, in_words=["scopes"])


async def register(tx: Tx, key: DigestKey, new: NewToken, secret: str) -> OAuthClient:
    """Store a client. `new` says what its tokens are like, except for their lifetime."""
    new.validate()
    client = OAuthClient(ClientId(new_id("cli")), new.owner, new.scopes, new.namespace, new.name, clock.now_ms())
    await _CLIENTS.insert(tx, client, secret_digest=key.digest(secret))
    return client


async def find_authenticated(tx: Tx, key: DigestKey, client_id: str, secret: str) -> tuple[OAuthClient, bytes] | None:
    """The client, if the secret is its own, and the secret's stored digest. None while its owner is disabled."""
    sql = (
        f"SELECT {_CLIENTS.names}, secret_digest FROM oauth_client WHERE id = $1 AND deleted_at IS NULL AND NOT EXISTS"
        " (SELECT 1 FROM account WHERE username = oauth_client.owner AND disabled_at IS NOT NULL)"
    )
    row = await tx.one(sql, client_id) if is_id("cli", client_id) else None
    if row is None or not any(hmac.compare_digest(row[-1], digest) for digest in key.digests(secret)):
        return None
    return _CLIENTS.read(row[:-1]), row[-1]


async def exists(tx: Tx, client_id: str) -> bool:
    sql = "SELECT 1 FROM oauth_client WHERE id = $1 AND deleted_at IS NULL"
    return is_id("cli", client_id) and await tx.one(sql, client_id) is not None


async def keep_digest(tx: Tx, client_id: ClientId, digest: bytes) -> None:
    """Store the digest that today's key makes of the client's secret."""
    await tx.run("UPDATE oauth_client SET secret_digest = $2 WHERE id = $1", client_id, digest)


async def list_clients(tx: Tx, after: Position | None, size: int) -> RowPage[OAuthClient]:
    """Clients, newest first."""
    return await _CLIENTS.page(tx, after, size, "deleted_at IS NULL")


async def delete_client(tx: Tx, owners: Owners, client_id: str) -> dict[str, int]:
    """Remove a client, its tokens and what was made with them. Raises NotFound."""
    sql = "UPDATE oauth_client SET deleted_at = $1 WHERE id = $2 AND deleted_at IS NULL"
    if not is_id("cli", client_id) or not await tx.run(sql, clock.now_ms(), client_id):
        raise NotFound
    await tokens.revoke(tx, "client_id = $2", client_id)
    return await end_made_through(tx, owners, client_id)


async def grant(tx: Tx, key: DigestKey, client: OAuthClient, scopes: list[str], door: str, secret: str) -> bool:
    """Store an access token of the client with these of its scopes, for one door.

    False if the client was deleted meanwhile.
    """
    sql = "SELECT id FROM oauth_client WHERE id = $1 AND deleted_at IS NULL FOR UPDATE"
    if await tx.one(sql, client.client_id) is None:
        return False
    new = NewToken(
        owner=client.owner, scopes=scopes, namespace=client.namespace, name=client.name,
        expires_in=TOKEN_LIFETIME_SECONDS, client_id=client.client_id, resource=door,
    )  # fmt: skip
    await tokens.create_token(tx, key, new, secret)
    return True
