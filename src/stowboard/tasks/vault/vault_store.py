"""The wrapped vault keys of owners."""

import msgspec

from stowboard.db.database import Row, Tx
from stowboard.tasks.vault.key_file import KeyFile, VaultKey

_COLUMNS = "file, created_at, updated_at"


async def list_of(tx: Tx, owner: str) -> list[VaultKey]:
    """The oldest first."""
    sql = f"SELECT {_COLUMNS} FROM vault_key WHERE owner = $1 ORDER BY created_at, key_id"
    return [_read(row) for row in await tx.all(sql, owner)]


async def add(tx: Tx, owner: str, file: KeyFile, now: int) -> VaultKey | None:
    """None if there is one of this id already."""
    sql = (
        "INSERT INTO vault_key (owner, key_id, file, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)"
        f" ON CONFLICT (owner, key_id) DO NOTHING RETURNING {_COLUMNS}"
    )
    row = await tx.one(sql, owner, file.key_id, _write(file), now)
    return None if row is None else _read(row)


async def put(tx: Tx, owner: str, file: KeyFile, now: int) -> VaultKey | None:
    """Replaces the key of the same id; None if there is no such key."""
    sql = f"UPDATE vault_key SET file = $3, updated_at = $4 WHERE owner = $1 AND key_id = $2 RETURNING {_COLUMNS}"
    row = await tx.one(sql, owner, file.key_id, _write(file), now)
    return None if row is None else _read(row)


async def remove(tx: Tx, owner: str, key_id: str) -> bool:
    return await tx.run("DELETE FROM vault_key WHERE owner = $1 AND key_id = $2", owner, key_id) == 1


def _write(file: KeyFile) -> str:
    return msgspec.json.encode(file).decode()


def _read(row: Row) -> VaultKey:
    return VaultKey(msgspec.json.decode(row[0], type=KeyFile), row[1], row[2])
