"""The parts that commands of this room share: finding an account, changing it, and printing a link."""

from argparse import ArgumentParser
from collections.abc import Awaitable, Callable
from typing import TypeVar

from stowboard.access.accounts.letters import Letters
from stowboard.access.base import account_store
from stowboard.access.base.account import Account, AccountRole, typed_username
from stowboard.access.base.tickets import Ticket, link_of
from stowboard.cli.exits import fail
from stowboard.cli.on_database import on_any_database, on_database
from stowboard.cli.serving.prepare import origin_of
from stowboard.cli.times import minute_of
from stowboard.core.errors import NotFound, Problem
from stowboard.core.sealing import Sealing
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events.audit import OPERATOR, Actor
from stowboard.events.mail.mailer import Mailer
from stowboard.settings import Settings

T = TypeVar("T")
AccountChange = Callable[[Tx, Actor, str], Awaitable[T]]


def username_argument(parser: ArgumentParser) -> None:
    parser.add_argument("username", metavar="USERNAME", help="the account's username")


def role_of(admin: bool) -> AccountRole:
    return AccountRole.ADMIN if admin else AccountRole.MEMBER


def on_accounts(settings: Settings, work: Callable[..., Awaitable[T]], *args: object, before_start: bool = False) -> T:
    """Do the work on the installation's database; a refusal ends the command in a sentence.

    `before_start` makes an installation that does not exist yet.
    """
    try:
        if before_start:
            made: T = on_any_database(settings, work, *args)
            return made
        done: T = on_database(settings, work, *args)
        return done
    except NotFound:
        fail("there is no account of this name. See: stowboard account list.")
    except Problem as problem:
        fail(problem.message)


def change_account(settings: Settings, username: str, change: AccountChange[T]) -> T:
    changed: T = on_accounts(settings, _change, username, change)
    return changed


async def _change(db: Database, username: str, change: AccountChange[T]) -> T:
    account = await find_named(db, username)
    return await db.transact(change, OPERATOR, account.id)


async def find_named(db: Database, username: str) -> Account:
    """Raises NotFound."""
    account = await db.read(account_store.find_by_username, typed_username(username))
    if account is None:
        raise NotFound
    return account


def letters_of(settings: Settings, key: DigestKey) -> Letters:
    """A server or a worker sends what is ordered here."""
    return Letters(Mailer(settings.mail), Sealing(settings.sealing_key, own=bytes(key)))


def print_link(settings: Settings, ticket: Ticket, secret: str) -> None:
    print(f"It works once, until {minute_of(ticket.expires_at)}. Hand it over:")
    print(link_of(origin_of(settings), ticket, secret))
