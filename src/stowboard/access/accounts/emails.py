"""The e-mail address of an account. Links and reminders are mailed to a confirmed one alone.

An address that its person gives counts once they have opened the link that is mailed to it. Until then the old address
counts, and gets a notice. Without mail nothing can be confirmed and nothing is mailed: the address is kept unconfirmed.
An address that an admin gives is confirmed, as is one that a provider has verified. One address, one account.
"""

from stowboard.access.accounts.letters import Letters
from stowboard.access.base import account_store, tickets
from stowboard.access.base.account import Account, check_email
from stowboard.access.base.errors import EmailTaken, InvalidTicket
from stowboard.access.base.tickets import NewTicket, TicketPurpose
from stowboard.core import clock
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor


async def ask_for_email(
    tx: Tx, key: DigestKey, letters: Letters, actor: Actor, account: Account, email: str | None
) -> Account:
    """Change the address as its person wishes. Raises ValidationFailed, EmailTaken."""
    check_email(email)
    await tickets.void_of_account(tx, account.id, TicketPurpose.EMAIL)
    await account_store.set_pending_email(tx, account.id, None)
    if email != account.email or (email is not None and not account.email_confirmed):
        if email is not None and letters.has_links:
            # The caller does not learn here that another account has the address: only its reader does, by the link.
            await account_store.set_pending_email(tx, account.id, email)
            new = NewTicket(TicketPurpose.EMAIL, actor.name, account_id=account.id, email=email)
            ticket, secret = await tickets.issue(tx, key, new)
            await letters.send_link_later(tx, email, ticket, secret, account.username)
        else:
            await _set(tx, account, email, None)
        await letters.tell_of_email_later(tx, account, email)
        await audit.record(tx, actor, "account.email", account.username, data={"pending": letters.has_links})
    return await account_store.get(tx, account.id)


async def give_email(tx: Tx, letters: Letters, actor: Actor, account: Account, email: str | None) -> Account:
    """Change the address at the word of an admin, who vouches for it. Raises ValidationFailed, EmailTaken."""
    check_email(email)
    await tickets.void_of_account(tx, account.id, TicketPurpose.EMAIL)
    await _set(tx, account, email, None if email is None else clock.now_ms())
    if email != account.email:
        await letters.tell_of_email_later(tx, account, email)
        await audit.record(tx, actor, "account.email", account.username, data={"pending": False})
    return await account_store.get(tx, account.id)


async def confirm_email(tx: Tx, key: DigestKey, secret: str, address: str) -> Account:
    """The account whose address its reader has confirmed. Raises InvalidTicket, EmailTaken."""
    ticket = await tickets.spend(tx, key, secret)
    account = await account_store.find_enabled(tx, ticket.account_id, lock=True)
    if account is None or ticket.purpose != TicketPurpose.EMAIL or account.pending_email != ticket.email:
        raise InvalidTicket
    await _set(tx, account, ticket.email, clock.now_ms())
    await audit.record(tx, Actor(account.username, address=address), "account.email", account.username)
    return await account_store.get(tx, account.id)


async def _set(tx: Tx, account: Account, email: str | None, confirmed_at: int | None) -> None:
    if email is not None:
        await tx.lock(f"email {email.lower()}")
        if await account_store.is_email_taken(tx, email, account.id):
            raise EmailTaken
    await account_store.set_email(tx, account.id, email, confirmed_at)
