"""Passkeys as rows: a passkey is a key pair whose private half never leaves a person's device."""

from typing import NewType

import msgspec

from stowboard.access.base.account import AccountId
from stowboard.core import clock
from stowboard.core.errors import NotFound
from stowboard.core.ids import checked_id, is_id, new_id
from stowboard.db.database import Tx
from stowboard.db.table import Table

PasskeyId = NewType("PasskeyId", str)
MOST_PASSKEYS = 20
LONGEST_NAME = 100


class Passkey(msgspec.Struct, frozen=True):
    id: PasskeyId
    account_id: AccountId
    #: The authenticator's id for it.
    credential: bytes
    public_key: bytes
    sign_count: int
    #: The host that it was made for.
    host: str = msgspec.field(name="rp_id")
    name: str
    created_at: int
    last_used_at: int | None


class NewPasskey(msgspec.Struct, frozen=True):
    """A passkey that an authenticator has made, checked."""

    credential: bytes
    public_key: bytes
    sign_count: int
    rp_id: str


_PASSKEYS = Table("passkey", Passkey)


async def insert(tx: Tx, account_id: AccountId, new: NewPasskey, name: str) -> Passkey:
    """Raises UniqueViolation if the authenticator's key is somebody's already."""
    passkey = Passkey(
        PasskeyId(new_id("pky")), account_id, new.credential, new.public_key, new.sign_count, new.rp_id, name,
        clock.now_ms(), None,
    )  # fmt: skip
    await _PASSKEYS.insert(tx, passkey)
    return passkey


async def list_of(tx: Tx, account_id: AccountId) -> list[Passkey]:
    """Newest first; there are few."""
    return await _PASSKEYS.find_all(tx, "account_id = $1 ORDER BY id DESC", account_id)


async def find_by_credential(tx: Tx, credential: bytes) -> Passkey | None:
    return await _PASSKEYS.find(tx, "credential = $1", credential)


async def rename(tx: Tx, account_id: AccountId, passkey_id: str, name: str) -> Passkey:
    """Raises NotFound."""
    sql = "UPDATE passkey SET name = $3 WHERE id = $1 AND account_id = $2"
    await tx.run(sql, checked_id("pky", passkey_id), account_id, name)
    return await _PASSKEYS.get(tx, "id = $1 AND account_id = $2", passkey_id, account_id)


async def forget(tx: Tx, account_id: AccountId, passkey_id: str) -> None:
    """Raises NotFound."""
    sql = "DELETE FROM passkey WHERE id = $1 AND account_id = $2"
    if not is_id("pky", passkey_id) or not await tx.run(sql, passkey_id, account_id):
        raise NotFound


async def note_use(tx: Tx, passkey_id: PasskeyId, sign_count: int) -> bool:
    """False if the passkey is gone, or its count falls: then somebody has a copy of it."""
    sql = "UPDATE passkey SET sign_count = $2, last_used_at = $3 WHERE id = $1 AND sign_count <= $2"
    return await tx.run(sql, passkey_id, sign_count, clock.now_ms()) == 1


async def get_handle(tx: Tx, account_id: AccountId) -> bytes:
    """The id by which authenticators know the account; it does not reveal the name."""
    row = await tx.one("SELECT handle FROM account WHERE id = $1", account_id)
    if row is None:
        raise NotFound
    return bytes(row[0])


async def find_other_host(tx: Tx, host: str) -> str | None:
    """A host other than this one that passkeys were made for."""
    row = await tx.one("SELECT rp_id FROM passkey WHERE rp_id < $1 OR rp_id > $1 LIMIT 1", host)
    return row[0] if row else None
