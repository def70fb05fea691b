"""Somebody with an account who wants reminders by mail."""

from stowboard.access.base import account_store
from stowboard.access.base.account import NewAccount
from stowboard.db.database import Tx


async def make_reminded(tx: Tx, name: str, by_mail: bool = True) -> None:
    account = await account_store.insert(tx, NewAccount(name, email=f"{name}@example.org"))
    await tx.run("UPDATE account SET remind_by_mail = $2 WHERE id = $1", account.id, int(by_mail))
