"""`stowboard account`: people, without a server. Who can run it is an admin, so it gives any name."""

import sys
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

import typer

from stowboard.access.accounts import changes, password_sign_in
from stowboard.access.accounts.letters import Letters
from stowboard.access.accounts.password_rules import check_password
from stowboard.access.accounts.passwords import Passwords
from stowboard.access.base import account_store
from stowboard.access.base.account import Account, NewAccount, Role, typed_username
from stowboard.access.base.tickets import Ticket, link_of
from stowboard.access.signing_keys import KeySettings, load_digest_key
from stowboard.cli.on_database import fail, on_any_database, on_database
from stowboard.cli.prepare import origin_of
from stowboard.core.errors import NotFound, Problem
from stowboard.core.sealing import Sealing
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx
from stowboard.events.audit import OPERATOR, Actor
from stowboard.events.mail.mailer import Mailer
from stowboard.settings import Settings

T = TypeVar("T")
Change = Callable[[Tx, Actor, str], Awaitable[T]]
_MOST_SHOWN = 10_000


def create(
    settings: Settings, username: str, admin: bool, password_stdin: bool, display_name: str, email: str | None
) -> None:
    password = sys.stdin.readline().rstrip("\r\n") if password_stdin else None
    account = _do(settings, _create, username, admin, display_name, email, password)
    typer.echo(f"{account.username} ({account.role}) is made.")
    if password is None:
        typer.echo(f"There is no password yet: `stowboard account reset-link {account.username}` lets one be chosen.")


def invite(settings: Settings, username: str | None, admin: bool, email: str | None) -> None:
    ticket, secret = _do(settings, _invite, settings, username, _role(admin), email)
    _show_link(settings, ticket, secret)


def reset_link(settings: Settings, username: str) -> None:
    ticket, secret = _do(settings, _reset_link, settings, username)
    _show_link(settings, ticket, secret)


def sign_in_link(settings: Settings, username: str) -> None:
    ticket, secret = _do(settings, _sign_in_link, settings.keys, username)
    _show_link(settings, ticket, secret)


def show_all(settings: Settings) -> None:
    for account in on_database(settings, _list):
        state = "disabled" if account.disabled else "enabled"
        seen = "never seen" if account.last_seen_at is None else f"seen {_date(account.last_seen_at)}"
        note = f"  {account.email}" if account.email else ""
        typer.echo(f"{account.username}  {account.role}  {state}  {seen}{note}")


def change_role(settings: Settings, username: str, role: str) -> None:
    if role not in tuple(Role):
        fail(f"{role} is not a role; there are member and admin.", 2)

    async def change(tx: Tx, actor: Actor, account_id: str) -> Account:
        return await changes.change_role(tx, actor, account_id, Role(role))

    account = _do(settings, _change, username, change)
    typer.echo(f"{account.username} is {'an admin' if account.is_admin else 'a member'} now.")


def disable(settings: Settings, username: str) -> None:
    account = _do(settings, _change, username, changes.disable)
    typer.echo(f"{account.username} is disabled: no sign-in, and no token of this owner works, until it is enabled.")


def enable(settings: Settings, username: str) -> None:
    typer.echo(f"{_do(settings, _change, username, changes.enable).username} is enabled.")


def delete(settings: Settings, username: str) -> None:
    _do(settings, _change, username, changes.delete_account)
    typer.echo(f"{typed_username(username)} is deleted. Tasks of this owner stay; the name is never given again.")


def allow_passwords(settings: Settings, hours: int) -> None:
    until = on_database(settings, _allow_passwords, hours)
    if settings.access.password_sign_in:
        typer.echo("Passwords sign people in anyway: STOWBOARD_PASSWORD_SIGN_IN is on.")
    elif hours:
        typer.echo(f"Passwords sign people in until {_date(until)}.")
    else:
        typer.echo("Passwords sign nobody in.")


def _do(settings: Settings, work: Callable[..., Awaitable[T]], *args: object) -> T:
    """What is refused ends the command in a sentence. An account may be made before the first start."""
    try:
        return (on_any_database if work is _create else on_database)(settings, work, *args)
    except NotFound:
        fail("there is no account of this name; `stowboard account list` shows those that there are.")
    except Problem as problem:
        fail(problem.message)


def _show_link(settings: Settings, ticket: Ticket, secret: str) -> None:
    typer.echo(f"It works once, until {_date(ticket.expires_at)}. Hand it over:")
    typer.echo(link_of(origin_of(settings), ticket, secret))


async def _create(
    db: Database, username: str, admin: bool, display_name: str, email: str | None, password: str | None
) -> Account:
    kept = None
    name = typed_username(username)
    if password is not None:
        await check_password(password, name)
        kept = await Passwords().keep(password)
    new = NewAccount(name, display_name, email, _role(admin), kept)
    return await db.transact(changes.create_account, OPERATOR, new)


async def _invite(
    db: Database, settings: Settings, username: str | None, role: Role, email: str | None
) -> tuple[Ticket, str]:
    key = await db.read(load_digest_key, settings.keys)
    name = typed_username(username) if username is not None else None

    async def invite(tx: Tx) -> tuple[Ticket, str]:
        ticket, secret = await changes.invite(tx, key, OPERATOR, name, role, email)
        await _letters(settings, key).send_link_later(tx, email, ticket, secret)
        return ticket, secret

    return await db.transact(invite)


async def _reset_link(db: Database, settings: Settings, username: str) -> tuple[Ticket, str]:
    key = await db.read(load_digest_key, settings.keys)
    account = await _named(db, username)

    async def make(tx: Tx) -> tuple[Ticket, str]:
        ticket, secret = await changes.make_reset_link(tx, key, OPERATOR, account)
        await _letters(settings, key).send_link_later(tx, account.email, ticket, secret, account.username)
        return ticket, secret

    return await db.transact(make)


def _letters(settings: Settings, key: DigestKey) -> Letters:
    """What it orders is sent by a server or a worker."""
    return Letters(Mailer(settings.mail), Sealing(settings.sealing_key, own=bytes(key)))


async def _sign_in_link(db: Database, keys: KeySettings, username: str) -> tuple[Ticket, str]:
    key = await db.read(load_digest_key, keys)
    account = await _named(db, username)
    return await db.transact(changes.make_sign_in_link, key, OPERATOR, account)


async def _allow_passwords(db: Database, hours: int) -> int:
    return await db.transact(password_sign_in.allow, OPERATOR, hours)


async def _change(db: Database, username: str, change: Change[T]) -> T:
    account = await _named(db, username)
    return await db.transact(change, OPERATOR, account.id)


async def _named(db: Database, username: str) -> Account:
    account = await db.read(account_store.find_by_username, typed_username(username))
    if account is None:
        raise NotFound
    return account


async def _list(db: Database) -> list[Account]:
    return (await db.read(account_store.list_accounts, None, _MOST_SHOWN)).items


def _role(admin: bool) -> Role:
    return Role.ADMIN if admin else Role.MEMBER


def _date(at_ms: int) -> str:
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(at_ms / 1000))
