"""Verbs of admins on accounts. Each writes an audit entry in its own transaction."""

from msgspec.structs import replace

from stowboard.access import tokens
from stowboard.access.base import account_store, grant_store, session_store, tickets
from stowboard.access.base.account import (
    Account,
    AccountRole,
    NewAccount,
    check_display_name,
    check_email,
    check_zone,
)
from stowboard.access.base.errors import EmailTaken, LastAdmin, NameTaken
from stowboard.access.base.tickets import NewTicket, Ticket, TicketPurpose
from stowboard.access.endings import EndingWay, end, end_role, revoke_token
from stowboard.access.owners import Owners
from stowboard.access.spaces import space_store
from stowboard.access.spaces.members import leave_all
from stowboard.core import clock
from stowboard.core.reach import LIBRARY
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings
from stowboard.events import audit
from stowboard.events.audit import Actor


async def create_account(tx: Tx, actor: Actor, new: NewAccount) -> Account:
    """Make an account with a name that an admin gives, even if the name owns something already.

    Raises NameTaken, EmailTaken, ValidationFailed.
    """
    new.validate()
    if await account_store.is_name_known(tx, new.username):
        raise NameTaken
    await _check_email_free(tx, new.email)
    account = await account_store.insert(tx, new)
    await tickets.void_setup(tx)
    await audit.record(tx, actor, "account.create", account.username, data={"role": account.role})
    return account


async def invite(
    tx: Tx, key: DigestKey, actor: Actor, username: str | None, role: AccountRole, email: str | None
) -> tuple[Ticket, str]:
    """Make a link by which somebody creates an account, with this name or one of their choice.

    Raises NameTaken, EmailTaken.
    """
    if username is not None:
        NewAccount(username, email=email).validate()
        if await account_store.is_name_known(tx, username):
            raise NameTaken
    check_email(email)
    await _check_email_free(tx, email)
    ticket = NewTicket(TicketPurpose.INVITE, actor.name, username=username, role=role, email=email)
    issued, secret = await tickets.issue(tx, key, ticket)
    await audit.record(tx, actor, "invitation.create", issued.id, data={"username": username, "role": role})
    return issued, secret


async def make_reset_link(tx: Tx, key: DigestKey, actor: Actor, account: Account) -> tuple[Ticket, str]:
    """Make a link by which the person chooses a new password."""
    issued, secret = await tickets.issue(tx, key, NewTicket(TicketPurpose.RESET, actor.name, account_id=account.id))
    await audit.record(tx, actor, "account.reset_link", account.username)
    return issued, secret


async def make_sign_in_link(tx: Tx, key: DigestKey, actor: Actor, account: Account) -> tuple[Ticket, str]:
    """Make a link that signs the person in, whatever factors they have lost."""
    issued, secret = await tickets.issue(tx, key, NewTicket(TicketPurpose.SIGN_IN, actor.name, account_id=account.id))
    await audit.record(tx, actor, "account.sign_in_link", account.username)
    return issued, secret


async def change_profile(tx: Tx, actor: Actor, account: Account, after: Account) -> Account:
    """Store the profile, which people may change themselves. Raises ValidationFailed."""
    check_display_name(after.display_name)
    check_zone(after.time_zone, after.quiet_hours)
    changed = replace(
        after,
        display_name=after.display_name or account.username,
        remind_by_mail=after.remind_by_mail and (account.email or account.pending_email) is not None,
    )
    if changed != account:
        await account_store.set_profile(tx, changed)
        await audit.record(tx, actor, "account.change", account.username)
    return changed


async def change_role(
    tx: Tx, actor: Actor, account_id: str, role: AccountRole, owners: Owners
) -> tuple[Account, dict[str, int]]:
    """The account, and how many things of the Library, where admins are managers, ended. Raises LastAdmin."""
    account, ended = await account_store.lock(tx, account_id), dict[str, int]()
    if account.role == role:
        return account, ended
    if role != AccountRole.ADMIN:
        await _check_not_last_admin(tx, account)
        everyone = (await space_store.lock_any(tx, LIBRARY)).everyone
        ended = await end_role(tx, owners, LIBRARY, everyone, account.username)
    await account_store.set_role(tx, account.id, role)
    await audit.record(tx, actor, "account.role", account.username, data={"from": account.role, "to": role})
    return replace(account, role=role), ended


async def disable(tx: Tx, actor: Actor, account_id: str, owners: Owners) -> tuple[Account, dict[str, int]]:
    """Block an account: nobody signs in as it, and no token acts for its owner, until it is enabled. Raises LastAdmin.

    Sessions, links, and what acts for the person end, and do not come back when it is enabled. Returns the account, and
    how many things ended.
    """
    account = await account_store.lock(tx, account_id)
    if account.disabled:
        return account, {}
    await _check_not_last_admin(tx, account)
    now = clock.now_ms()
    await account_store.set_disabled(tx, account.id, now)
    await session_store.end_all(tx, account.id)
    await tickets.void_of_account(tx, account.id)
    ended = await end(tx, owners, EndingWay.DISABLING, MadeThings(person=account.username))
    await audit.record(tx, actor, "account.disable", account.username, data=ended)
    return replace(account, disabled_at=now), ended


async def enable(tx: Tx, actor: Actor, account_id: str) -> Account:
    account = await account_store.lock(tx, account_id)
    if not account.disabled:
        return account
    await account_store.set_disabled(tx, account.id, None)
    await audit.record(tx, actor, "account.enable", account.username)
    return replace(account, disabled_at=None)


async def delete_account(tx: Tx, actor: Actor, account_id: str, owners: Owners) -> dict[str, int]:
    """Remove the person: sessions, tokens, clients, what acts for them, and all that was known of them.

    What they own stays, and so does the name. Returns how many things ended.
    """
    account = await account_store.lock(tx, account_id)
    await _check_not_last_admin(tx, account)
    await session_store.end_all(tx, account.id)
    await tickets.void_of_account(tx, account.id)
    ended = await end(tx, owners, EndingWay.DELETION, MadeThings(person=account.username))
    await grant_store.end_of_account(tx, owners, account.id)
    await grant_store.end_clients_of(tx, account.username)
    await tokens.revoke(tx, "lower(owner) = lower($2) AND owner = $2", account.username)
    await leave_all(tx, actor, owners, account.username)
    await owners.forget_person(tx, account.username)
    await account_store.bury(tx, account.id)
    await audit.record(tx, actor, "account.delete", account.username, data=ended)
    return ended


async def change_password(
    tx: Tx, owners: Owners, actor: Actor, account: Account, kept: str | None, end_access: bool, session_id: str = ""
) -> None:
    """Store a new password. Every session but this one ends, and so does every link to another password or address.

    With `end_access` the person's tokens and applications end too.
    """
    await account_store.set_password(tx, account.id, kept)
    await account_store.set_pending_email(tx, account.id, None)
    await session_store.end_all(tx, account.id, session_id)
    await tickets.void_of_account(tx, account.id)
    if end_access:
        # Tokens that were made by hand: those of browsers have ended with their sessions.
        for token_id in await tokens.find_of_account(tx, account.id):
            await revoke_token(tx, owners, token_id)
        await grant_store.end_of_account(tx, owners, account.id)
    await audit.record(tx, actor, "account.password", account.username, data={"endedAccess": end_access})


async def _check_email_free(tx: Tx, email: str | None) -> None:
    if email is not None and await account_store.is_email_taken(tx, email):
        raise EmailTaken


async def _check_not_last_admin(tx: Tx, account: Account) -> None:
    await tx.lock("admins")
    if account.is_admin and not account.disabled and not await account_store.has_other_admin(tx, account.id):
        raise LastAdmin
