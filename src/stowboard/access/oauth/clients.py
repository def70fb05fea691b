"""OAuth clients: programs that exchange an id and a secret for tokens that last an hour."""

import hmac
from dataclasses import dataclass

from stowboard.access import tokens
from stowboard.access.tokens import ClientId, NewToken, digest
from stowboard.core import clock
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id, new_id
from stowboard.core.signing import DigestKey
from stowboard.db.database import Row, Tx

TOKEN_LIFETIME_SECONDS = 3600
_COLUMNS = "id, owner, scopes, namespace, name, created_at"


@dataclass(frozen=True, slots=True)
class OAuthClient:
    client_id: ClientId
    owner: str
    scopes: list[str]
    namespace: str | None
    name: str
    created_at: int


async def register(tx: Tx, key: DigestKey, new: NewToken, secret: str) -> OAuthClient:
    """A client whose tokens stand for what `new` says, its lifetime apart."""
    new.validate()
    client = OAuthClient(ClientId(new_id("cli")), new.owner, new.scopes, new.namespace, new.name, clock.now_ms())
    await tx.run(
        f"INSERT INTO oauth_client ({_COLUMNS}, secret_digest) VALUES ($1, $2, $3, $4, $5, $6, $7)",
        client.client_id, client.owner, " ".join(client.scopes), client.namespace, client.name, client.created_at,
        digest(key, secret),
    )  # fmt: skip
    return client


async def find_authenticated(tx: Tx, key: DigestKey, client_id: str, secret: str) -> OAuthClient | None:
    """The client, if the secret is its own."""
    sql = f"SELECT {_COLUMNS}, secret_digest FROM oauth_client WHERE id = $1 AND deleted_at IS NULL"
    row = await tx.one(sql, client_id) if is_id("cli", client_id) else None
    if row is None or not hmac.compare_digest(row[-1], digest(key, secret)):
        return None
    return _client(row[:-1])


async def list_clients(tx: Tx, before: str, limit: int) -> list[OAuthClient]:
    """Clients, newest first, from just before that id."""
    rows = await tx.all(
        f"SELECT {_COLUMNS} FROM oauth_client WHERE id < $1 AND deleted_at IS NULL ORDER BY id DESC LIMIT $2",
        before, limit,
    )  # fmt: skip
    return [_client(row) for row in rows]


async def delete_client(tx: Tx, client_id: str) -> None:
    """Remove a client and revoke its tokens. Raises NotFound if there is none."""
    sql = "UPDATE oauth_client SET deleted_at = $1 WHERE id = $2 AND deleted_at IS NULL"
    if not is_id("cli", client_id) or not await tx.run(sql, clock.now_ms(), client_id):
        raise NotFound
    await tokens.revoke_of_client(tx, ClientId(client_id))


async def grant(tx: Tx, key: DigestKey, client: OAuthClient, scopes: list[str], secret: str) -> bool:
    """Store an access token of the client with these of its scopes. False if the client was deleted meanwhile."""
    sql = "SELECT id FROM oauth_client WHERE id = $1 AND deleted_at IS NULL FOR UPDATE"
    if await tx.one(sql, client.client_id) is None:
        return False
    new = NewToken(
        owner=client.owner, scopes=scopes, namespace=client.namespace, name=client.name,
        expires_in=TOKEN_LIFETIME_SECONDS, client_id=client.client_id,
    )  # fmt: skip
    await tokens.create_token(tx, key, new, secret)
    return True


def _client(row: Row) -> OAuthClient:
    client_id, owner, scopes, *rest = row
    return OAuthClient(ClientId(client_id), owner, scopes.split(), *rest)
