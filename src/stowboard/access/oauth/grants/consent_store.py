"""Consents as rows: what a person allows an application, one for each person, application and door."""

import msgspec

from stowboard.access.base.account import AccountId
from stowboard.access.tokens import ClientId
from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id, new_id
from stowboard.db.database import Tx
from stowboard.db.rows import Columns
from stowboard.db.scan import IndexRange, RowPage, Scan, SqlArguments


class OAuthConsent(msgspec.Struct, frozen=True):
    id: str
    account_id: AccountId
    client_id: ClientId
    resource: str
    client_name: str
    scopes: list[str]
    created_at: int
    used_at: int


_COLUMNS = Columns(OAuthConsent, in_words=["scopes"])


async def find(tx: Tx, account_id: AccountId, client_id: str, resource: str) -> OAuthConsent | None:
    sql = f"SELECT {_COLUMNS.names} FROM oauth_consent WHERE account_id = $1 AND client_id = $2 AND resource = $3"
    row = await tx.one(sql, account_id, client_id, resource)
    return _COLUMNS.read(row) if row else None


async def keep(
    tx: Tx, account_id: AccountId, client_id: ClientId, resource: str, client_name: str, scopes: list[str]
) -> None:
    """Allow these scopes, in addition to those allowed before."""
    await tx.lock(f"consent {account_id} {client_id} {resource}")
    earlier = await find(tx, account_id, client_id, resource)
    now = clock.now_ms()
    if earlier is None:
        consent = OAuthConsent(new_id("con"), account_id, client_id, resource, client_name, scopes, now, now)
        sql = f"INSERT INTO oauth_consent ({_COLUMNS.names}) VALUES ({_COLUMNS.parameters})"
        await tx.run(sql, *_COLUMNS.values(consent))
        return
    together = list(dict.fromkeys([*earlier.scopes, *scopes]))
    sql = "UPDATE oauth_consent SET scopes = $2, client_name = $3, used_at = $4 WHERE id = $1"
    await tx.run(sql, earlier.id, " ".join(together), client_name, now)


async def note_use(tx: Tx, account_id: AccountId, client_id: ClientId, resource: str) -> None:
    sql = "UPDATE oauth_consent SET used_at = $4 WHERE account_id = $1 AND client_id = $2 AND resource = $3"
    await tx.run(sql, account_id, client_id, resource, clock.now_ms())


async def list_of(tx: Tx, account_id: AccountId, after: Position | None, size: int) -> RowPage[OAuthConsent]:
    """The person's consents, newest first."""
    arguments = SqlArguments()
    own = IndexRange("oauth_consent", (f"account_id = {arguments.add(account_id)}",))
    return await Scan(_COLUMNS.fields, _COLUMNS.read_all, (own,)).page(tx, arguments, after, size)


async def remove(tx: Tx, account_id: AccountId, consent_id: str) -> OAuthConsent:
    """Raises NotFound if the person has no such consent."""
    sql = f"DELETE FROM oauth_consent WHERE id = $1 AND account_id = $2 RETURNING {_COLUMNS.names}"
    rows = await tx.all(sql, consent_id, account_id) if is_id("con", consent_id) else []
    if not rows:
        raise NotFound
    return _COLUMNS.read(rows[0])
