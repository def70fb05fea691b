"""Accounts as rows. The row of a deleted account stays, so that its name is never given again."""

import secrets

import msgspec

from stowboard.access.base.account import Account, AccountId, AccountRole, NewAccount
from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.ids import checked_id, new_id
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage
from stowboard.db.table import Table

_ACCOUNTS = Table("account", Account, "quiet_hours", "digest")
_LIVE = "deleted_at IS NULL"
_encode = msgspec.json.Encoder().encode


async def insert(tx: Tx, new: NewAccount) -> Account:
    """Raises UniqueViolation if an account has the name, or had it."""
    now = clock.now_ms()
    account = Account(
        AccountId(new_id("acc")), new.username, new.display_name or new.username, new.email,
        None if new.email is None else now, None, None, False, new.role, False, now, None, None,
    )  # fmt: skip
    await _ACCOUNTS.insert(tx, account, password=new.password, handle=secrets.token_bytes(32))
    return account


async def find_by_username(tx: Tx, username: str) -> Account | None:
    return await _ACCOUNTS.find(tx, f"username = $1 AND {_LIVE}", username)


async def find_for_mail(tx: Tx, login: str) -> Account | None:
    """The account with this username or this address; None unless its address is confirmed."""
    condition = f"(username = $1 OR lower(email) = $1) AND email_confirmed_at IS NOT NULL AND {_LIVE} LIMIT 2"
    accounts = await _ACCOUNTS.find_all(tx, condition, login)
    named = [account for account in accounts if account.username == login]
    return next(iter(named or accounts), None)


async def is_email_taken(tx: Tx, email: str, but: str = "") -> bool:
    """True if another account than `but` has this address."""
    return await tx.one("SELECT 1 FROM account WHERE lower(email) = lower($1) AND id <> $2", email, but) is not None


async def find_with_password(tx: Tx, username: str) -> tuple[Account, str | None] | None:
    """The account and the hash of its password."""
    row = await tx.one(f"SELECT {_ACCOUNTS.names}, password FROM account WHERE username = $1 AND {_LIVE}", username)
    return (_ACCOUNTS.read(row[:-1]), row[-1]) if row else None


async def find_username(tx: Tx, account_id: AccountId) -> str | None:
    row = await tx.one(f"SELECT username FROM account WHERE id = $1 AND {_LIVE}", account_id)
    return row[0] if row else None


async def get(tx: Tx, account_id: str) -> Account:
    return await _ACCOUNTS.get(tx, f"id = $1 AND {_LIVE}", checked_id("acc", account_id))


async def lock(tx: Tx, account_id: str) -> Account:
    """The account, locked until the end of the transaction."""
    return await _ACCOUNTS.get(tx, f"id = $1 AND {_LIVE} FOR UPDATE", checked_id("acc", account_id))


async def find_enabled(tx: Tx, account_id: str | None, lock: bool = False) -> Account | None:
    """The account, if its person may sign in; with `lock`, it is locked until the end of the transaction."""
    condition = f"id = $1 AND disabled_at IS NULL AND {_LIVE}{' FOR UPDATE' if lock else ''}"
    return await _ACCOUNTS.find(tx, condition, account_id or "")


async def list_accounts(tx: Tx, after: Position | None, size: int) -> RowPage[Account]:
    """Accounts, newest first."""
    return await _ACCOUNTS.page(tx, after, size, _LIVE)


async def is_name_known(tx: Tx, username: str) -> bool:
    """True if an account has the name, or had it before it was deleted."""
    return await tx.one("SELECT 1 FROM account WHERE username = $1", username) is not None


async def has_any(tx: Tx) -> bool:
    return await tx.one("SELECT 1 FROM account LIMIT 1") is not None


async def find_first_time(tx: Tx) -> int | None:
    """The time when the oldest account was made; None if there is no account."""
    row = await tx.one(f"SELECT created_at FROM account WHERE {_LIVE} ORDER BY id LIMIT 1")
    return row[0] if row is not None else None


async def has_other_admin(tx: Tx, account_id: AccountId) -> bool:
    """True if there is another admin who can sign in."""
    sql = f"SELECT 1 FROM account WHERE role = 'admin' AND disabled_at IS NULL AND {_LIVE} AND id <> $1 LIMIT 1"
    return await tx.one(sql, account_id) is not None


async def set_profile(tx: Tx, account: Account) -> None:
    """Keep display name, time zone, whether reminders are mailed, quiet hours, and digest with its next time."""
    quiet, digest = account.quiet_hours, account.digest
    due = digest.next_after(clock.now_ms(), account.time_zone or "UTC") if digest is not None else None
    await tx.run(
        "UPDATE account SET display_name = $2, time_zone = $3, remind_by_mail = $4, quiet_hours = $5, digest = $6,"
        " digest_due = $7 WHERE id = $1",
        account.id, account.display_name, account.time_zone, int(account.remind_by_mail),
        _encode(quiet).decode() if quiet is not None else None,
        _encode(digest).decode() if digest is not None else None, due,
    )  # fmt: skip


async def find_with_digest(tx: Tx, until: int, limit: int) -> list[tuple[Account, int]]:
    """Accounts whose digest is due, and the time when it became due."""
    sql = f"SELECT {_ACCOUNTS.names}, digest_due FROM account WHERE digest_due <= $1 ORDER BY digest_due LIMIT $2"
    return [(_ACCOUNTS.read(row[:-1]), row[-1]) for row in await tx.all(f"{sql} FOR UPDATE", until, limit)]


async def set_email(tx: Tx, account_id: AccountId, email: str | None, confirmed_at: int | None) -> None:
    """Set the address. If there is none, reminders by mail are turned off too."""
    await tx.run(
        "UPDATE account SET email = $2, email_confirmed_at = $3, pending_email = NULL,"
        " remind_by_mail = remind_by_mail * $4 WHERE id = $1",
        account_id, email, confirmed_at, int(email is not None),
    )  # fmt: skip


async def set_pending_email(tx: Tx, account_id: AccountId, email: str | None) -> None:
    await tx.run("UPDATE account SET pending_email = $2 WHERE id = $1", account_id, email)


async def set_role(tx: Tx, account_id: AccountId, role: AccountRole) -> None:
    await tx.run("UPDATE account SET role = $2 WHERE id = $1", account_id, role)


async def set_disabled(tx: Tx, account_id: AccountId, at: int | None) -> None:
    await tx.run("UPDATE account SET disabled_at = $2 WHERE id = $1", account_id, at)


async def set_password(tx: Tx, account_id: AccountId, password: str | None) -> None:
    await tx.run("UPDATE account SET password = $2 WHERE id = $1", account_id, password)


async def renew_password_hash(tx: Tx, account_id: AccountId, earlier: str, fresh: str) -> None:
    """Store another hash of the same password, unless a new one was chosen meanwhile."""
    await tx.run("UPDATE account SET password = $3 WHERE id = $1 AND password = $2", account_id, earlier, fresh)


async def is_password_hash(tx: Tx, account_id: AccountId, kept: str) -> bool:
    """True if this is the hash of the account's password."""
    return await tx.one("SELECT 1 FROM account WHERE id = $1 AND password = $2", account_id, kept) is not None


async def has_password(tx: Tx, account_id: AccountId) -> bool:
    return await tx.one("SELECT 1 FROM account WHERE id = $1 AND password IS NOT NULL", account_id) is not None


async def set_two_factor(tx: Tx, account_id: AccountId, wanted: bool) -> None:
    await tx.run("UPDATE account SET two_factors = $2 WHERE id = $1", account_id, int(wanted))


async def set_seen(tx: Tx, account_id: AccountId, at: int) -> None:
    await tx.run("UPDATE account SET last_seen_at = $2 WHERE id = $1", account_id, at)


async def bury(tx: Tx, account_id: AccountId) -> None:
    """Remove everything of the account except its name, and all that would sign its person in."""
    for table in ("passkey", "recovery_code", "account_identity"):
        await tx.run(f"DELETE FROM {table} WHERE account_id = $1", account_id)
    await tx.run(
        "UPDATE account SET deleted_at = $2, disabled_at = NULL, display_name = '', email = NULL, two_factors = 0,"
        " email_confirmed_at = NULL, pending_email = NULL, time_zone = NULL, remind_by_mail = 0, quiet_hours = NULL,"
        " digest = NULL, digest_due = NULL,"
        " role = 'member', password = NULL WHERE id = $1",
        account_id, clock.now_ms(),
    )  # fmt: skip


async def find_time_zone(tx: Tx, username: str) -> str | None:
    row = await tx.one("SELECT time_zone FROM account WHERE username = $1 AND deleted_at IS NULL", username)
    return row[0] if row is not None else None


async def find_mail_address(tx: Tx, username: str) -> str | None:
    """The confirmed address of a person who may sign in."""
    row = await tx.one(
        "SELECT email FROM account WHERE username = $1 AND email_confirmed_at IS NOT NULL"
        " AND disabled_at IS NULL AND deleted_at IS NULL",
        username,
    )
    return row[0] if row is not None else None
