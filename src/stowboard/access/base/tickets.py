"""Links that work once: to set up the installation, accept an invitation, choose a password, sign in, or
confirm an e-mail address.

Only a digest of the secret is kept. The secret sits in the fragment of the link, so it reaches no log and no Referer.
It is used up in the transaction of its effect.
"""

from enum import StrEnum

import msgspec

from stowboard.access.base.account import AccountId, AccountRole
from stowboard.access.base.errors import InvalidTicket
from stowboard.access.tokens import is_possible, make_secret
from stowboard.core import clock
from stowboard.core.cursor import Position
from stowboard.core.errors import NotFound
from stowboard.core.ids import is_id, new_id
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.scan import RowPage
from stowboard.db.table import Table, forget_old

_DAY_MS = 24 * 3600 * 1000
_OPEN = "used_at IS NULL AND expires_at > $1"


class TicketPurpose(StrEnum):
    SETUP = "setup"
    INVITE = "invite"
    RESET = "reset"
    #: Signs in a person who has lost every other way in.
    SIGN_IN = "signin"
    #: Confirms the address that it was mailed to.
    EMAIL = "email"
    #: Invites to a space. It is a row of the space's invitations, none of the tickets.
    JOIN = "join"


LIFETIME_MS = dict.fromkeys(TicketPurpose, _DAY_MS) | {TicketPurpose.INVITE: 7 * _DAY_MS}


class Ticket(msgspec.Struct, frozen=True):
    id: str
    purpose: TicketPurpose
    #: The account that it signs in, sets a new password for, or confirms the address of.
    account_id: AccountId | None
    #: The username of the invited person, if it is fixed.
    username: str | None
    role: AccountRole | None
    email: str | None
    created_by: str
    created_at: int
    expires_at: int


_TICKETS = Table("ticket", Ticket)


class NewTicket(msgspec.Struct, frozen=True):
    purpose: TicketPurpose
    created_by: str
    account_id: AccountId | None = None
    username: str | None = None
    role: AccountRole | None = None
    email: str | None = None


async def issue(tx: Tx, key: DigestKey, new: NewTicket) -> tuple[Ticket, str]:
    """The ticket and its secret. A ticket for an account ends its earlier ones for the same purpose."""
    now, secret = clock.now_ms(), make_secret("stowt_")
    if new.account_id is not None:
        await void_of_account(tx, new.account_id, new.purpose)
    ticket = Ticket(
        new_id("tic"), new.purpose, new.account_id, new.username, new.role, new.email, new.created_by, now,
        now + LIFETIME_MS[new.purpose],
    )  # fmt: skip
    await _TICKETS.insert(tx, ticket, digest=key.digest(secret))
    return ticket, secret


def link_of(origin: str, ticket: Ticket, secret: str) -> str:
    return f"{origin}/{ticket.purpose}#ticket={secret}"


async def get_open(tx: Tx, key: DigestKey, secret: str) -> Ticket:
    """Raises InvalidTicket."""
    if is_possible(secret):
        ticket = await _TICKETS.find(tx, f"digest IN ($2, $3) AND {_OPEN}", clock.now_ms(), *key.digests(secret))
        if ticket is not None:
            return ticket
    raise InvalidTicket


async def spend(tx: Tx, key: DigestKey, secret: str) -> Ticket:
    """The ticket, which is then used up. Raises InvalidTicket."""
    ticket = await get_open(tx, key, secret)
    if not await tx.run(f"UPDATE ticket SET used_at = $1 WHERE id = $2 AND {_OPEN}", clock.now_ms(), ticket.id):
        raise InvalidTicket  # another one was faster
    return ticket


async def list_invitations(tx: Tx, after: Position | None, size: int) -> RowPage[Ticket]:
    """Invitations that are open, newest first."""
    return await _TICKETS.page(tx, after, size, "purpose = 'invite'", _OPEN, arguments=[clock.now_ms()])


async def withdraw_invitation(tx: Tx, ticket_id: str) -> None:
    """Raises NotFound if there is no such open invitation."""
    sql = f"UPDATE ticket SET used_at = $1 WHERE id = $2 AND purpose = 'invite' AND {_OPEN}"
    if not is_id("tic", ticket_id) or not await tx.run(sql, clock.now_ms(), ticket_id):
        raise NotFound


async def void_of_account(tx: Tx, account_id: AccountId, purpose: TicketPurpose | None = None) -> None:
    """End the account's links of one purpose, or all."""
    sql = "UPDATE ticket SET used_at = $1 WHERE account_id = $2 AND used_at IS NULL AND ($3 = '' OR purpose = $3)"
    await tx.run(sql, clock.now_ms(), account_id, purpose or "")


async def void_setup(tx: Tx) -> None:
    """End the set-up link: the installation has an account."""
    await tx.run("UPDATE ticket SET used_at = $1 WHERE purpose = 'setup' AND used_at IS NULL", clock.now_ms())


forget_tickets = forget_old("ticket", kept_ms=7 * _DAY_MS)
