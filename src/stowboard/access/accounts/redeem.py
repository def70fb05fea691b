"""Using a link: it makes the first account or an invited one, or sets a new password."""

from collections.abc import Collection

import msgspec

from stowboard.access.accounts import changes
from stowboard.access.accounts.emails import ask_for_email
from stowboard.access.accounts.letters import Letters
from stowboard.access.accounts.names import check_fresh
from stowboard.access.accounts.space_offer import SpaceOffer, find_space_offer
from stowboard.access.base import account_store, tickets
from stowboard.access.base.account import Account, AccountRole, NewAccount, typed_username
from stowboard.access.base.errors import InvalidTicket, NameTaken
from stowboard.access.base.tickets import Ticket, TicketPurpose
from stowboard.access.owners import Owners
from stowboard.access.settings import AccessSettings
from stowboard.access.spaces import members
from stowboard.core.errors import ValidationFailed
from stowboard.core.services import Services
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events import audit
from stowboard.events.audit import Actor


class LinkDesk(msgspec.Struct, frozen=True):
    """The components that the use of a link needs."""

    key: DigestKey
    owners: Owners
    letters: Letters
    settings: AccessSettings

    @classmethod
    def of(cls, services: Services) -> "LinkDesk":
        return cls(services.use(DigestKey), services.use(Owners), services.use(Letters), services.use(AccessSettings))


class TicketOffer(msgspec.Struct, frozen=True):
    """A link, as its holder is shown it before they use it."""

    ticket: Ticket
    #: The name that they will have; None if they choose it.
    username: str | None
    #: With an invitation to a space.
    space: SpaceOffer | None = None


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


async def look_at(tx: Tx, desk: LinkDesk, secret: str, username: str | None = None) -> TicketOffer:
    """The link, for the person of this name or for somebody who is not signed in. Raises InvalidTicket."""
    found = await find_space_offer(tx, desk.key, desk.settings, secret, username)
    if found is not None:
        made = found[0]
        ticket = Ticket(
            made.id, TicketPurpose.JOIN, None, None, AccountRole.MEMBER, None, made.created_by, made.created_at,
            made.expires_at,
        )  # fmt: skip
        return TicketOffer(ticket, None, found[1])
    ticket = await tickets.get_open(tx, desk.key, secret)
    if ticket.account_id is None:
        return TicketOffer(ticket, ticket.username)
    return TicketOffer(ticket, (await _account_of(tx, ticket)).username)


async def find_offer(
    db: Database,
    desk: LinkDesk,
    secret: str,
    address: str,
    purposes: Collection[str] = tuple(TicketPurpose),
    username: str | None = None,
) -> TicketOffer:
    """The same for one of these purposes. A refusal is recorded in the audit log."""
    try:
        offer = await db.read(look_at, desk, secret, username)
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


async def redeem(tx: Tx, desk: LinkDesk, secret: str, chosen: AccountChoice, address: str) -> Account:
    """The account that was made or changed. Raises InvalidTicket, NameTaken, EmailTaken, ValidationFailed."""
    offer = await look_at(tx, desk, secret)
    ticket = offer.ticket if offer.space else await tickets.spend(tx, desk.key, secret)
    if offer.space and not offer.space.makes_accounts:
        raise InvalidTicket("This invitation is for people who have an account here. Ask an admin for one.")
    if ticket.purpose in (TicketPurpose.SIGN_IN, TicketPurpose.EMAIL):
        raise InvalidTicket
    if ticket.purpose == TicketPurpose.RESET:
        account = await _account_of(tx, ticket)
        actor = Actor(account.username, address=address)
        await changes.change_password(tx, desk.owners, actor, account, chosen.password, chosen.end_access)
        return account
    username = ticket.username or typed_username(chosen.username or "")
    if ticket.purpose != TicketPurpose.SETUP and ticket.username is None:
        await check_fresh(tx, desk.owners, username)
    # The first admin, who sets the installation up, may take any name, such as that of the first token.
    role = AccountRole.ADMIN if ticket.purpose == TicketPurpose.SETUP else ticket.role or AccountRole.MEMBER
    email = chosen.email or ticket.email or chosen.verified_email
    vouched = email if email in (ticket.email, chosen.verified_email) else None
    actor = Actor(username, address=address)
    try:
        new = NewAccount(username, chosen.display_name, vouched, role, chosen.password)
        account = await changes.create_account(tx, actor, new)
        if offer.space:
            await members.join(tx, desk.key, actor, username, secret)
        return account if email == vouched else await ask_for_email(tx, desk.key, desk.letters, actor, account, email)
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
