"""Two factors: a passkey or a recovery code after the password, where the person has turned that on."""

from stowboard.access.base import account_store, passkey_store
from stowboard.access.base.account import Account
from stowboard.core.errors import Conflict
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor


async def set_two_factor(tx: Tx, actor: Actor, account_id: str, wanted: bool) -> Account:
    """Raises Conflict unless the person has both, a password and a passkey."""
    account = await account_store.lock(tx, account_id)
    if account.two_factor == wanted:
        return account
    if wanted and not await account_store.has_password(tx, account.id):
        raise Conflict("Two factors are a password and a passkey; there is no password yet.")
    if wanted and not await passkey_store.list_of(tx, account.id):
        raise Conflict("Two factors are a password and a passkey; there is no passkey yet.")
    await account_store.set_two_factor(tx, account.id, wanted)
    await audit.record(tx, actor, "account.two_factor", account.username, data={"on": wanted})
    return await account_store.get(tx, account.id)
