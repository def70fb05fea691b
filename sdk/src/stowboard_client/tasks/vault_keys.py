"""Wrapped keys of sealed bodies, for a person's own clients. How they are made: docs/api/zero-knowledge.md."""

from stowboard_client.transport.call import Call, Deleted, Model, data, path
from stowboard_client.transport.resource import D, Operation, Resource


class KeyFile(Model, frozen=True, kw_only=True):
    """A vault key that a passphrase wraps; the service cannot open it."""

    version: int
    algorithm: str
    key_id: str
    kdf: str
    iterations: int
    salt: str
    nonce: str
    ciphertext: str


class VaultKey(Model, frozen=True, kw_only=True):
    key_file: KeyFile
    created_at: int
    updated_at: int


def list_vault_keys() -> Call[tuple[VaultKey, ...]]:
    """All wrapped keys, oldest first."""
    return Call("GET", "/taskapp/vault-keys", data(tuple[VaultKey, ...]))


def create_vault_key(key_file: KeyFile, *, idempotency_key: str | None = None) -> Call[VaultKey]:
    """Store a wrapped key. An existing one is never replaced."""
    return Call("POST", "/taskapp/vault-keys", data(VaultKey), body=key_file, idempotency_key=idempotency_key)


def update_vault_key(key_file: KeyFile, *, idempotency_key: str | None = None) -> Call[VaultKey]:
    """Replace the wrapping of a key, for example after a new passphrase."""
    where = path("/taskapp/vault-keys/{}", key_file.key_id)
    return Call("PATCH", where, data(VaultKey), body=key_file, idempotency_key=idempotency_key)


def delete_vault_key(key_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    """Forget a wrapped key; bodies stay as they are."""
    return Call("DELETE", path("/taskapp/vault-keys/{}", key_id), data(Deleted), idempotency_key=idempotency_key)


class VaultKeys(Resource[D]):
    list = Operation("listVaultKeys", list_vault_keys)
    create = Operation("createVaultKey", create_vault_key)
    update = Operation("updateVaultKey", update_vault_key)
    delete = Operation("deleteVaultKey", delete_vault_key)
