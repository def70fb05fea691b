"""Grants as rows: one sign-in of an application that acts for a person, and the family of its tokens.

Giving a token locks the grant's row, and ending a grant writes to that row first: so no token of an ended grant is
alive, however the two meet. What may still become a grant (codes, waiting devices) ends before it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NewType

import msgspec

from stowboard.access import tokens
from stowboard.access.base.account import AccountId
from stowboard.access.endings import EndingWay, end_made_through
from stowboard.access.endings import end as end_things
from stowboard.access.owners import Owners
from stowboard.access.tokens import ClientId
from stowboard.core import clock
from stowboard.core.caller import TokenKind
from stowboard.core.ids import new_id
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings
from stowboard.db.table import Table, forget_old

GrantId = NewType("GrantId", str)
_DAY_MS = 24 * 3600 * 1000
#: After this time the person is asked again, however much the grant is used.
ABSOLUTE_MS = 180 * _DAY_MS


class OAuthGrant(msgspec.Struct, frozen=True):
    id: GrantId
    account_id: AccountId
    client_id: ClientId
    #: The one door that its tokens open.
    resource: str
    scopes: list[str]
    kind: TokenKind
    created_at: int
    expires_at: int
    revoked_at: int | None

    @property
    def is_live(self) -> bool:
        return self.revoked_at is None and clock.now_ms() < self.expires_at


_GRANTS = Table("oauth_grant", OAuthGrant, in_words=["scopes"])


async def begin(
    tx: Tx, account_id: AccountId, client_id: ClientId, resource: str, scopes: list[str], kind: TokenKind
) -> OAuthGrant:
    now = clock.now_ms()
    grant_id = GrantId(new_id("gra"))
    grant = OAuthGrant(grant_id, account_id, client_id, resource, scopes, kind, now, now + ABSOLUTE_MS, None)
    await _GRANTS.insert(tx, grant)
    return grant


async def find(tx: Tx, grant_id: str) -> OAuthGrant | None:
    return await _GRANTS.find(tx, "id = $1", grant_id)


async def find_and_lock(tx: Tx, grant_id: str) -> OAuthGrant | None:
    return await _GRANTS.find(tx, "id = $1 FOR UPDATE", grant_id)


async def find_live(tx: Tx, account_id: AccountId) -> list[OAuthGrant]:
    """The sign-ins of all applications that act for the person."""
    return await _GRANTS.find_all(tx, "account_id = $1 AND revoked_at IS NULL ORDER BY id", account_id)


async def end(tx: Tx, owners: Owners, grant_id: str) -> bool:
    """End the grant with all its tokens, and what was made with them; False if it had ended before."""
    sql = "UPDATE oauth_grant SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL"
    ended = await tx.run(sql, clock.now_ms(), grant_id)
    await tokens.revoke(tx, "grant_id = $2", grant_id)
    await end_made_through(tx, owners, grant_id)
    return ended > 0


async def end_of_application(
    tx: Tx, owners: Owners, account_id: AccountId, client_id: str, resource: str
) -> dict[str, int]:
    """End all that this application holds of one person, or may still get, for this door."""
    which = "account_id = $2 AND client_id = $3 AND resource = $4"
    return await _end_where(tx, owners, which, account_id, client_id, resource)


async def narrow(
    tx: Tx, owners: Owners, of: tuple[AccountId, str, str], spaces: Sequence[str], lost: Sequence[str]
) -> None:
    """Let the tokens that an application has of a person, for one door, reach these spaces alone.

    What it made in the lost spaces ends.
    """
    live = "account_id = $1 AND client_id = $2 AND resource = $3 AND revoked_at IS NULL"
    await tx.run(f"UPDATE access_token SET spaces = $4 WHERE {live}", *of, " ".join(spaces))
    for grant in await _GRANTS.find_all(tx, live, *of):
        for space in lost:
            made = MadeThings(space=space, through=grant.id)
            await end_things(tx, owners, EndingWay.NARROWED_CONSENT, made)


async def end_of_account(tx: Tx, owners: Owners, account_id: AccountId) -> None:
    """End all that any application holds of a person, or may still get."""
    await _end_where(tx, owners, "account_id = $2", account_id)
    await tx.run("DELETE FROM oauth_consent WHERE account_id = $1", account_id)


async def end_of_client(tx: Tx, owners: Owners, client_id: str) -> None:
    """End all that an application holds of anybody, or may still get."""
    await _end_where(tx, owners, "client_id = $2", client_id)
    await tx.run("DELETE FROM oauth_consent WHERE client_id = $1", client_id)


async def end_clients_of(tx: Tx, owner: str) -> None:
    """Remove the OAuth clients that act for an owner. Their tokens are revoked with all others of the owner."""
    await tx.run(
        "UPDATE oauth_client SET deleted_at = $1 WHERE owner = $2 AND deleted_at IS NULL", clock.now_ms(), owner
    )


async def end_expired(tx: Tx, owners: Owners, limit: int) -> int:
    """End a bounded number of grants whose time is over. What was made through them ends too."""
    now = clock.now_ms()
    sql = "SELECT id FROM oauth_grant WHERE expires_at < $1 AND revoked_at IS NULL ORDER BY expires_at LIMIT $2"
    rows = await tx.all(sql, now, limit)
    for (grant_id,) in rows:
        await end(tx, owners, grant_id)
    return len(rows)


forget_grants = forget_old("oauth_grant", kept_ms=30 * _DAY_MS)


async def _end_where(tx: Tx, owners: Owners, condition: str, *args: str) -> dict[str, int]:
    """End the codes, waiting devices and grants that the condition names. Its arguments begin at `$2`."""
    now = clock.now_ms()
    await tx.run(f"UPDATE oauth_code SET used_at = $1 WHERE {condition} AND used_at IS NULL", now, *args)
    await tx.run(f"UPDATE oauth_device SET denied_at = $1 WHERE {condition} AND used_at IS NULL", now, *args)
    live = f"{condition} AND revoked_at IS NULL"
    rows = await tx.all(f"UPDATE oauth_grant SET revoked_at = $1 WHERE {live} RETURNING id", now, *args)
    sql = "UPDATE access_token SET revoked_at = $2 WHERE grant_id = $1 AND revoked_at IS NULL"
    await tx.run_many(sql, [(grant_id, now) for (grant_id,) in rows])
    ended = Counter[str]()
    for (grant_id,) in rows:
        ended.update(await end_made_through(tx, owners, grant_id))
    return dict(ended)
