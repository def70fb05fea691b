"""Using a link: it makes the first account or an invited one, or sets a new password."""

from collections.abc import Collection

import msgspec

from stowboard.access.accounts import changes
from stowboard.access.accounts.emails import ask_for_email
from stowboard.access.accounts.letters import Letters
from stowboard.access.accounts.names import check_fresh
from stowboard.access.base import account_store, tickets
from stowboard.access.base.account import Account, AccountRole, NewAccount, typed_username
from stowboard.access.base.errors import InvalidTicket, NameTaken
from stowboard.access.base.owners import Owners
from stowboard.access.base.tickets import Ticket, TicketPurpose
from stowboard.core.errors import ValidationFailed
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import Actor


class TicketOffer(msgspec.Struct, frozen=True):
    """A link, as its holder is shown it before they use it."""

    ticket: Ticket
    #: The name that they will have; None if they choose it.
    username: str | None


class AccountChoice(msgspec.Struct, frozen=True):
    """The choices of a link's holder. `password` is the hash to store; None if they sign in another way."""

    username: str | None
    display_name: str
    email: str | None
    password: str | None
    #: An address of theirs that a provider has verified.
    verified_email: str | None = None
    #: With a new password: whether the person's tokens and applications end.
    end_access: bool = False


async def look_at(tx: Tx, key: DigestKey, secret: str) -> TicketOffer:
    """Raises InvalidTicket."""
    ticket = await tickets.get_open(tx, key, secret)
    if ticket.account_id is None:
        return TicketOffer(ticket, ticket.username)
    return TicketOffer(ticket, (await _account_of(tx, ticket)).username)


async def find_offer(
    db: Database, key: DigestKey, secret: str, address: str, purposes: Collection[str] = tuple(TicketPurpose)
) -> TicketOffer:
    """The same for one of these purposes. A refusal is recorded in the audit log."""
    try:
        offer = await db.read(look_at, key, secret)
        if offer.ticket.purpose not in purposes:
            raise InvalidTicket
    except InvalidTicket:
        await db.transact(audit.record, Actor(audit.NOBODY, address=address), "ticket.use", "unknown", "refused")
        raise
    return offer


def name_for(offer: TicketOffer, chosen: str | None) -> str:
    """The name that the account will have. Raises ValidationFailed if nobody has chosen one."""
    if offer.username is not None:
        return offer.username
    if not chosen:
        raise ValidationFailed("username is required.")
    return typed_username(chosen)


async def redeem(
    tx: Tx, key: DigestKey, owners: Owners, letters: Letters, secret: str, chosen: AccountChoice, address: str
) -> Account:
    """The account that was made or changed. Raises InvalidTicket, NameTaken, EmailTaken, ValidationFailed."""
    ticket = await tickets.spend(tx, key, secret)
    if ticket.purpose in (TicketPurpose.SIGN_IN, TicketPurpose.EMAIL):
        raise InvalidTicket
    if ticket.purpose == TicketPurpose.RESET:
        account = await _account_of(tx, ticket)
        actor = Actor(account.username, address=address)
        await changes.change_password(tx, actor, account, chosen.password, chosen.end_access)
        return account
    username = ticket.username or typed_username(chosen.username or "")
    if ticket.purpose == TicketPurpose.INVITE and ticket.username is None:
        await check_fresh(tx, owners, username)
    # The first admin, who sets the installation up, may take any name, such as that of the first token.
    role = AccountRole.ADMIN if ticket.purpose == TicketPurpose.SETUP else ticket.role or AccountRole.MEMBER
    email = chosen.email or ticket.email or chosen.verified_email
    vouched = email if email in (ticket.email, chosen.verified_email) else None
    actor = Actor(username, address=address)
    try:
        new = NewAccount(username, chosen.display_name, vouched, role, chosen.password)
        account = await changes.create_account(tx, actor, new)
        return account if email == vouched else await ask_for_email(tx, key, letters, actor, account, email)
    except NameTaken:
        if ticket.username is not None:  # it was given to somebody else since
            raise InvalidTicket from None
        raise


async def sign_in_by(tx: Tx, key: DigestKey, secret: str) -> Account:
    """The account that a link signs in to. The link is used up. Raises InvalidTicket."""
    ticket = await tickets.spend(tx, key, secret)
    if ticket.purpose != TicketPurpose.SIGN_IN:
        raise InvalidTicket
    return await _account_of(tx, ticket)


async def _account_of(tx: Tx, ticket: Ticket) -> Account:
    account = await account_store.find_enabled(tx, ticket.account_id)
    if account is None:
        raise InvalidTicket
    return account
