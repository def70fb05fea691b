"""`/taskapp/vault-keys`: a place for wrapped vault keys, so that a person's every device finds them.

For a person's own clients alone, as sealed bodies are. A wrapped key and its passphrase together open the bodies; the
server never has the passphrase. A key that is there is never replaced by another, only wrapped again.
"""

from stowboard.api.endpoint import AnyEndpoint, Call, Deleted, Endpoint
from stowboard.core import clock
from stowboard.core.errors import Conflict, NotFound, ValidationFailed
from stowboard.core.reach import space_id_of
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import actor_of
from stowboard.tasks.base.errors import ZeroKnowledgeBody
from stowboard.tasks.base.privacy import sees_envelopes
from stowboard.tasks.vault import vault_store
from stowboard.tasks.vault.vault_store import KeyFile, VaultKey

MOST_KEYS = 20


async def list_vault_keys(tx: Tx, call: Call[None, None]) -> list[VaultKey]:
    """List one's wrapped vault keys, oldest first. For interactive tokens."""
    return await vault_store.list_of(tx, _own_client(call))


async def create_vault_key(tx: Tx, call: Call[KeyFile, None]) -> VaultKey:
    """Keep a wrapped vault key. One that is there is never replaced. For interactive tokens."""
    owner = _own_client(call)
    if len(await vault_store.list_of(tx, owner)) >= MOST_KEYS:
        raise Conflict(f"There are {MOST_KEYS} vault keys already.")
    key = await vault_store.add(tx, owner, call.body, clock.now_ms())
    if key is None:
        raise Conflict("There is a vault key of this id already. PATCH wraps it again.")
    await audit.record(tx, actor_of(call.caller), "vault_key.create", call.body.key_id)
    return key


async def update_vault_key(tx: Tx, call: Call[KeyFile, None], key_id: str) -> VaultKey:
    """Put a new wrapping of the same vault key in place of the old one: another passphrase. For interactive tokens."""
    owner = _own_client(call)
    if call.body.key_id != key_id:
        raise ValidationFailed("keyId: the id of a vault key does not change.")
    key = await vault_store.put(tx, owner, call.body, clock.now_ms())
    if key is None:
        raise NotFound
    await audit.record(tx, actor_of(call.caller), "vault_key.change", key_id)
    return key


async def delete_vault_key(tx: Tx, call: Call[None, None], key_id: str) -> Deleted:
    """Forget a wrapped vault key. Bodies that it sealed stay as they are. For interactive tokens."""
    if not await vault_store.remove(tx, _own_client(call), key_id):
        raise NotFound
    await audit.record(tx, actor_of(call.caller), "vault_key.delete", key_id)
    return Deleted(key_id)


def _own_client(call: Call[KeyFile, None] | Call[None, None]) -> str:
    """The owner, whose own client makes the call. Raises ZeroKnowledgeBody, or SpaceNotFound."""
    if not sees_envelopes(call.caller):
        raise ZeroKnowledgeBody("Vault keys are for a person's own client: use an interactive token.")
    return call.access.in_tasks(space_id_of(call.caller.owner))


_FILE = {
    "version": 1, "algorithm": "A256GCM", "keyId": "k7Qx1c0vzT2m", "kdf": "PBKDF2-SHA256", "iterations": 600000,
    "salt": "AAECAwQFBgcICQoLDA0ODw", "nonce": "ZGVmZ2hpamtsbW5v",
    "ciphertext": "zo7kAgq-h4TIezC8F-HV_XO6Ot8vJHa4yvufCUSSLstcKwFBBViLS6qSL0Ghp4gr",
}  # fmt: skip
_EXAMPLE = {"keyFile": _FILE, "createdAt": 1794700000000, "updatedAt": 1794700000000}

ENDPOINTS: list[AnyEndpoint] = [
    Endpoint(
        "GET", "/taskapp/vault-keys", list_vault_keys, list[VaultKey], scope="tasks:read", errors=[ZeroKnowledgeBody],
        example=[_EXAMPLE],
    ),
    Endpoint(
        "POST", "/taskapp/vault-keys", create_vault_key, VaultKey, scope="tasks:write", body=KeyFile, status=201,
        errors=[ZeroKnowledgeBody, Conflict], example_body=_FILE, example=_EXAMPLE,
    ),
    Endpoint(
        "PATCH", "/taskapp/vault-keys/{key_id}", update_vault_key, VaultKey, scope="tasks:write", body=KeyFile,
        errors=[ZeroKnowledgeBody], example_body=_FILE, example=_EXAMPLE,
    ),
    Endpoint(
        "DELETE", "/taskapp/vault-keys/{key_id}", delete_vault_key, Deleted, scope="tasks:delete",
        errors=[ZeroKnowledgeBody], example={"id": "k7Qx1c0vzT2m", "deleted": True},
    ),
]  # fmt: skip
