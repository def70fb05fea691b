"""Identities as rows: which account a provider's subject signs in to."""

import msgspec

from stowboard.access.base.account import AccountId
from stowboard.core import clock
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id, new_id
from stowboard.db.database import Tx
from stowboard.db.table import Table


class Identity(msgspec.Struct, frozen=True):
    id: str
    account_id: AccountId
    issuer: str
    #: The issuer's id for the person; it is never given to another one.
    subject: str
    created_at: int
    last_used_at: int | None


_IDENTITIES = Table("account_identity", Identity)


async def insert(tx: Tx, account_id: AccountId, issuer: str, subject: str) -> Identity:
    """Raises UniqueViolation if an account has this subject already."""
    now = clock.now_ms()
    identity = Identity(new_id("idn"), account_id, issuer, subject, now, now)
    await _IDENTITIES.insert(tx, identity)
    return identity


async def find(tx: Tx, issuer: str, subject: str) -> Identity | None:
    return await _IDENTITIES.find(tx, "issuer = $1 AND subject = $2", issuer, subject)


async def list_of(tx: Tx, account_id: AccountId) -> list[Identity]:
    """Newest first; there are few."""
    return await _IDENTITIES.find_all(tx, "account_id = $1 ORDER BY id DESC", account_id)


async def note_use(tx: Tx, identity: Identity) -> None:
    await tx.run("UPDATE account_identity SET last_used_at = $2 WHERE id = $1", identity.id, clock.now_ms())


async def forget(tx: Tx, account_id: AccountId, identity_id: str) -> None:
    """Raises NotFound."""
    sql = "DELETE FROM account_identity WHERE id = $1 AND account_id = $2"
    if not is_id("idn", identity_id) or not await tx.run(sql, identity_id, account_id):
        raise NotFound
