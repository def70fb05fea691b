"""The vault keys of owners: wrapped by their clients, opaque to the server."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.core.wording import EXPECTED, TEXT_END
from stowboard.db.database import Row, Tx
from stowboard.tasks.base.document import in_base64

_KEY_ID = r"^[A-Za-z0-9_-]{1,64}" + TEXT_END
_COLUMNS = "file, created_at, updated_at"


class KeyFile(msgspec.Struct, frozen=True, rename="camel"):
    """A vault key that a passphrase wraps; docs/api/zero-knowledge.md says how. The server checks its form alone."""

    version: Annotated[int, Meta(ge=1, le=1000)]
    algorithm: Annotated[str, Meta(min_length=1, max_length=32)]
    key_id: Annotated[
        str,
        Meta(pattern=_KEY_ID, max_length=64, extra={EXPECTED: "1 to 64 characters of A-Z, a-z, 0-9, '-', '_'"}),
    ]
    kdf: Annotated[str, Meta(min_length=1, max_length=32)]
    iterations: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    salt: Annotated[str, in_base64(128)]
    nonce: Annotated[str, in_base64(64)]
    ciphertext: Annotated[str, in_base64(1000)]


_read_file = msgspec.json.Decoder(KeyFile).decode


class VaultKey(msgspec.Struct, frozen=True, rename="camel"):
    """A key file, and since when it is kept."""

    key_file: KeyFile
    created_at: int
    updated_at: int

    @property
    def key_id(self) -> str:
        """The end of its address."""
        return self.key_file.key_id


async def list_of(tx: Tx, owner: str) -> list[VaultKey]:
    """The oldest first."""
    sql = f"SELECT {_COLUMNS} FROM vault_key WHERE owner = $1 ORDER BY created_at, key_id"
    return [_read(row) for row in await tx.all(sql, owner)]


async def add(tx: Tx, owner: str, file: KeyFile, now: int) -> VaultKey | None:
    """Keep a new key. None if there is a key with this id already."""
    sql = (
        "INSERT INTO vault_key (owner, key_id, file, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)"
        f" ON CONFLICT (owner, key_id) DO NOTHING RETURNING {_COLUMNS}"
    )
    row = await tx.one(sql, owner, file.key_id, _write(file), now)
    return None if row is None else _read(row)


async def put(tx: Tx, owner: str, file: KeyFile, now: int) -> VaultKey | None:
    """Replace the key with the same id. None if there is no such key."""
    sql = f"UPDATE vault_key SET file = $3, updated_at = $4 WHERE owner = $1 AND key_id = $2 RETURNING {_COLUMNS}"
    row = await tx.one(sql, owner, file.key_id, _write(file), now)
    return None if row is None else _read(row)


async def remove(tx: Tx, owner: str, key_id: str) -> bool:
    return await tx.run("DELETE FROM vault_key WHERE owner = $1 AND key_id = $2", owner, key_id) == 1


def _write(file: KeyFile) -> str:
    return msgspec.json.encode(file).decode()


def _read(row: Row) -> VaultKey:
    return VaultKey(_read_file(row[0]), row[1], row[2])
