"""Make an account. It may come before the first start of the service."""

import sys
from argparse import ArgumentParser, Namespace

from stowboard.access.accounts import changes
from stowboard.access.accounts.passwords import Passwords, check_password
from stowboard.access.base.account import Account, NewAccount, typed_username
from stowboard.cli.account.on_account import on_accounts, role_of
from stowboard.db.database import Database
from stowboard.events.audit import OPERATOR
from stowboard.settings import Settings


def arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--username", required=True, help="the owner of their tasks; it never changes")
    parser.add_argument("--admin", action="store_true", help="make an admin")
    parser.add_argument("--password-stdin", action="store_true", help="read the password from a line of standard input")
    parser.add_argument("--display-name", default="", metavar="NAME", help="the name that others see")
    parser.add_argument("--email", metavar="ADDRESS", help="their e-mail address")


def run(settings: Settings, given: Namespace) -> None:
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
