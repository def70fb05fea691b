"""`stowboard account`: people, without a server. Whoever can run it is an admin, so it may give any name."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar

from stowboard.access.accounts import changes, password_sign_in
from stowboard.access.accounts.letters import Letters
from stowboard.access.accounts.passwords import Passwords, check_password
from stowboard.access.base import account_store
from stowboard.access.base.account import Account, AccountRole, NewAccount, typed_username
from stowboard.access.base.tickets import Ticket, link_of
from stowboard.access.signing_keys import KeySettings, load_digest_key
from stowboard.cli.exits import fail
from stowboard.cli.on_database import in_transaction, on_any_database, on_database, read_only
from stowboard.cli.running import number_between
from stowboard.cli.serving.prepare import origin_of
from stowboard.cli.times import minute_of
from stowboard.core.errors import NotFound, Problem
from stowboard.core.plain_text import shown_line
from stowboard.core.sealing import Sealing
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events.audit import OPERATOR, Actor
from stowboard.events.mail.mailer import Mailer
from stowboard.ports import TaskOwners
from stowboard.settings import Settings

T = TypeVar("T")
AccountChange = Callable[[Tx, Actor, str], Awaitable[T]]
_MOST_SHOWN = 10_000


def username_argument(parser: ArgumentParser) -> None:
    parser.add_argument("username", metavar="USERNAME", help="the account's username")


disable_arguments = enable_arguments = delete_arguments = username_argument
print_reset_link_arguments = print_sign_in_link_arguments = username_argument


def role_of(admin: bool) -> AccountRole:
    return AccountRole.ADMIN if admin else AccountRole.MEMBER


def on_accounts(settings: Settings, work: Callable[..., Awaitable[T]], *args: object, before_start: bool = False) -> T:
    """Do the work on the installation's database; a refusal ends the command in a sentence.

    `before_start` makes an installation that does not exist yet.
    """
    do_work = on_any_database if before_start else on_database
    try:
        done: T = do_work(settings, work, *args)
    except NotFound:
        fail("there is no account of this name. See: stowboard account list.")
    except Problem as problem:
        fail(problem.message)
    return done


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
    """The letters that this command orders. A server or a worker sends them."""
    return Letters(Mailer(settings.mail), Sealing(settings.sealing_key, own=bytes(key)))


def print_link(settings: Settings, ticket: Ticket, secret: str) -> None:
    print(f"It works once, until {minute_of(ticket.expires_at)}. Hand it over:")
    print(link_of(origin_of(settings), ticket, secret))


def create_account_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--username", required=True, help="the owner of their tasks; it never changes")
    parser.add_argument("--admin", action="store_true", help="make an admin")
    parser.add_argument("--password-stdin", action="store_true", help="read the password from a line of standard input")
    parser.add_argument("--display-name", default="", metavar="NAME", help="the name that others see")
    parser.add_argument("--email", metavar="ADDRESS", help="their e-mail address")


def create_account(settings: Settings, given: Namespace) -> None:
    """Make an account. It may come before the first start of the service."""
    password = sys.stdin.readline().rstrip("\r\n") if given.password_stdin else None
    account = on_accounts(settings, _create, given, password, before_start=True)
    print(f"{account.username} ({account.role}) is made.")
    if password is None:
        print(f"It has no password yet. Print a link that sets one: stowboard account reset-link {account.username}")


async def _create(db: Database, given: Namespace, password: str | None) -> Account:
    kept = None
    name = typed_username(given.username)
    if password is not None:
        await check_password(password, name)
        kept = await Passwords().keep(password)
    new = NewAccount(name, given.display_name, given.email, role_of(given.admin), kept)
    return await db.transact(changes.create_account, OPERATOR, new)


def invite_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--username", help="fixes the name; without it they choose one that owns nothing")
    parser.add_argument("--admin", action="store_true", help="invite an admin")
    parser.add_argument("--email", metavar="ADDRESS", help="their e-mail address; the link is sent there too")


def invite(settings: Settings, given: Namespace) -> None:
    """Print a link by which somebody makes their account. It works once, for a week."""
    print_link(settings, *on_accounts(settings, _invite, settings, given))


async def _invite(db: Database, settings: Settings, given: Namespace) -> tuple[Ticket, str]:
    key = await db.read(load_digest_key, settings.keys)
    name = typed_username(given.username) if given.username is not None else None

    async def invite(tx: Tx) -> tuple[Ticket, str]:
        ticket, secret = await changes.invite(tx, key, OPERATOR, name, role_of(given.admin), given.email)
        await letters_of(settings, key).send_link_later(tx, given.email, ticket, secret)
        return ticket, secret

    return await db.transact(invite)


def list_accounts(settings: Settings, _: Namespace) -> None:
    """List the accounts, newest first."""
    for account in read_only(settings, account_store.list_accounts, None, _MOST_SHOWN).items:
        state = "disabled" if account.disabled else "enabled"
        seen = "never seen" if account.last_seen_at is None else f"seen {minute_of(account.last_seen_at)}"
        note = f"  {account.email}" if account.email else ""
        print(shown_line(f"{account.username}  {account.role}  {state}  {seen}{note}"))


def change_role_arguments(parser: ArgumentParser) -> None:
    username_argument(parser)
    parser.add_argument("role", choices=[role.value for role in AccountRole])


def change_role(settings: Settings, given: Namespace) -> None:
    """Make somebody an admin, or a member again."""

    async def change(tx: Tx, actor: Actor, account_id: str) -> Account:
        return (await changes.change_role(tx, actor, account_id, AccountRole(given.role), TaskOwners()))[0]

    account = change_account(settings, given.username, change)
    print(f"{account.username} is {'an admin' if account.is_admin else 'a member'} now.")


def disable(settings: Settings, given: Namespace) -> None:
    """Block an account: nobody signs in as it, and no token acts for its owner, until it is enabled again."""
    account, _ = change_account(settings, given.username, partial(changes.disable, owners=TaskOwners()))
    print(f"{account.username} is disabled: no sign-in, and no token of this owner works, until it is enabled.")


def enable(settings: Settings, given: Namespace) -> None:
    """Let a disabled account sign in again."""
    print(f"{change_account(settings, given.username, changes.enable).username} is enabled.")


def print_reset_link(settings: Settings, given: Namespace) -> None:
    """Print a link by which the person sets a new password. It works once, for a day."""
    print_link(settings, *on_accounts(settings, _make_reset_link, settings, given.username))


async def _make_reset_link(db: Database, settings: Settings, username: str) -> tuple[Ticket, str]:
    key = await db.read(load_digest_key, settings.keys)
    account = await find_named(db, username)

    async def make(tx: Tx) -> tuple[Ticket, str]:
        ticket, secret = await changes.make_reset_link(tx, key, OPERATOR, account)
        await letters_of(settings, key).send_link_later(tx, account.confirmed_email, ticket, secret, account.username)
        return ticket, secret

    return await db.transact(make)


def print_sign_in_link(settings: Settings, given: Namespace) -> None:
    """Print a link that signs the person in without password or passkey. It works once, for a day."""
    print_link(settings, *on_accounts(settings, _make_sign_in_link, settings.keys, given.username))


async def _make_sign_in_link(db: Database, keys: KeySettings, username: str) -> tuple[Ticket, str]:
    key = await db.read(load_digest_key, keys)
    account = await find_named(db, username)
    return await db.transact(changes.make_sign_in_link, key, OPERATOR, account)


def allow_passwords_arguments(parser: ArgumentParser) -> None:
    hours = number_between(0, 8760)
    parser.add_argument("--hours", type=hours, default=24, metavar="N", help="default: 24; 0 ends it now")


def allow_passwords(settings: Settings, given: Namespace) -> None:
    """Allow passwords for some hours although STOWBOARD_PASSWORD_SIGN_IN is off: for when the provider is away."""
    until = in_transaction(settings, password_sign_in.allow, OPERATOR, given.hours)
    if settings.access.password_sign_in:
        print("Passwords sign people in anyway: STOWBOARD_PASSWORD_SIGN_IN is on.")
    elif given.hours:
        print(f"Passwords sign people in until {minute_of(until)}.")
    else:
        print("Passwords sign nobody in.")


def delete(settings: Settings, given: Namespace) -> None:
    """Delete an account, with its sessions and every token, OAuth client and webhook of its owner. Tasks stay."""
    change_account(settings, given.username, partial(changes.delete_account, owners=TaskOwners()))
    print(f"{typed_username(given.username)} is deleted. Tasks of this owner stay; the name is never given again.")
