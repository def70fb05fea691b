"""Disconnecting a provider from one's account."""

from stowboard.access.accounts.person import Person
from stowboard.access.base import account_store, identity_store, passkey_store
from stowboard.access.base.account import Account
from stowboard.access.settings import AccessSettings
from stowboard.core.errors import Conflict
from stowboard.db.database import Tx
from stowboard.events import audit


async def remove(tx: Tx, settings: AccessSettings, person: Person, identity_id: str) -> None:
    """Raises NotFound; Conflict if nothing else would sign the person in."""
    account = await account_store.lock(tx, person.account.id)
    await identity_store.forget(tx, account.id, identity_id)
    if not await _can_sign_in(tx, settings, account):
        raise Conflict("Nothing else would sign you in. Make a passkey or choose a password first.")
    await audit.record(tx, person.actor, "identity.delete", identity_id)


async def _can_sign_in(tx: Tx, settings: AccessSettings, account: Account) -> bool:
    if settings.password_sign_in and await account_store.has_password(tx, account.id):
        return True
    return bool(await passkey_store.list_of(tx, account.id) or await identity_store.list_of(tx, account.id))
