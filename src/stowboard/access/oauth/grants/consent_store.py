"""Consents as rows: what a person allows an application, one for each person, application and door."""

import msgspec

from stowboard.access.base import grant_store
from stowboard.access.base.account import AccountId
from stowboard.access.owners import Owners
from stowboard.access.tokens import ClientId
from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.ids import checked_id, new_id
from stowboard.core.reach import DEFAULT_SPACES
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage
from stowboard.db.table import Table


class OAuthConsent(msgspec.Struct, frozen=True):
    id: str
    account_id: AccountId
    client_id: ClientId
    resource: str
    client_name: str
    scopes: list[str]
    #: Ids of spaces, `own` or `all`: what its tokens reach.
    spaces: list[str]
    created_at: int
    used_at: int


_CONSENTS = Table("oauth_consent", OAuthConsent, in_words=["scopes", "spaces"])


async def find(tx: Tx, account_id: AccountId, client_id: str, resource: str) -> OAuthConsent | None:
    condition = "account_id = $1 AND client_id = $2 AND resource = $3"
    return await _CONSENTS.find(tx, condition, account_id, client_id, resource)


async def keep(
    tx: Tx,
    owners: Owners,
    account_id: AccountId,
    client_id: ClientId,
    resource: str,
    client_name: str,
    scopes: list[str],
    spaces: list[str],
) -> None:
    """Allow these scopes, in addition to those allowed before, in these spaces alone."""
    await tx.lock(f"consent {account_id} {client_id} {resource}")
    earlier = await find(tx, account_id, client_id, resource)
    now = clock.now_ms()
    if earlier is None:
        consent = OAuthConsent(new_id("con"), account_id, client_id, resource, client_name, scopes, spaces, now, now)
        await _CONSENTS.insert(tx, consent)
        return
    together = list(dict.fromkeys([*earlier.scopes, *scopes]))
    sql = "UPDATE oauth_consent SET scopes = $2, client_name = $3, used_at = $4, spaces = $5 WHERE id = $1"
    await tx.run(sql, earlier.id, " ".join(together), client_name, now, " ".join(spaces))
    if lost := [space for space in earlier.spaces if space not in spaces]:
        await grant_store.narrow(tx, owners, (account_id, client_id, resource), spaces, lost)


async def note_use(tx: Tx, account_id: AccountId, client_id: ClientId, resource: str) -> tuple[str, ...]:
    """Note that the consent was used. Returns the spaces that the application's tokens reach."""
    sql = (
        "UPDATE oauth_consent SET used_at = $4 WHERE account_id = $1 AND client_id = $2 AND resource = $3"
        " RETURNING spaces"
    )
    row = await tx.one(sql, account_id, client_id, resource, clock.now_ms())
    return tuple(row[0].split()) if row is not None else DEFAULT_SPACES


async def list_of(tx: Tx, account_id: AccountId, after: Position | None, size: int) -> RowPage[OAuthConsent]:
    """The person's consents, newest first."""
    return await _CONSENTS.page(tx, after, size, "account_id = $1", arguments=[account_id])


async def remove(tx: Tx, account_id: AccountId, consent_id: str) -> OAuthConsent:
    """Raises NotFound if the person has no such consent."""
    own = "id = $1 AND account_id = $2"
    consent = await _CONSENTS.get(tx, f"{own} FOR UPDATE", checked_id("con", consent_id), account_id)
    await tx.run(f"DELETE FROM oauth_consent WHERE {own}", consent_id, account_id)
    return consent
