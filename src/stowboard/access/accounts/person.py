"""The person behind a token, their proof that they are present, and whether that needs two factors."""

import msgspec

from stowboard.access import tokens
from stowboard.access.base import account_store, passkey_store, session_store
from stowboard.access.base.account import Account
from stowboard.access.base.errors import AccountRequired, StepUpRequired
from stowboard.access.base.session import Session
from stowboard.core.caller import Caller, TokenKind
from stowboard.core.errors import Conflict
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor


class Person(msgspec.Struct, frozen=True):
    account: Account
    #: The browser that asks; None for a program that acts for the person.
    session: Session | None
    actor: Actor


async def get_person(tx: Tx, caller: Caller) -> Person:
    """Raises AccountRequired for a token that no person made."""
    token = await tokens.get_token(tx, caller.token_id)
    if token.account_id is None:
        raise AccountRequired
    signed_in = await session_store.find_by_id(tx, token.session_id) if token.session_id else None
    account = await account_store.get(tx, token.account_id)
    return Person(account, signed_in.session if signed_in else None, Actor(account.username, token.id))


async def get_person_themselves(tx: Tx, caller: Caller) -> Person:
    """The same, by an interactive token: their browser, or `stow`. Raises AccountRequired for any other program."""
    if caller.kind != TokenKind.INTERACTIVE:
        raise AccountRequired("A program acts on what is yours, and not on your account. Sign in at /signin.")
    return await get_person(tx, caller)


async def get_present_person(tx: Tx, caller: Caller) -> Person:
    """The same, in their own browser and after a fresh proof. Raises StepUpRequired."""
    person = await get_person_themselves(tx, caller)
    if person.session is None or not person.session.is_stepped_up:
        raise StepUpRequired
    return person


async def set_two_factor(tx: Tx, actor: Actor, account_id: str, wanted: bool) -> Account:
    """Raises Conflict if two factors are wanted and the person has no password or no passkey."""
    account = await account_store.lock(tx, account_id)
    if account.two_factor == wanted:
        return account
    if wanted and not await account_store.has_password(tx, account.id):
        raise Conflict("Two factors are a password and a passkey; there is no password yet.")
    if wanted and not await passkey_store.list_of(tx, account.id):
        raise Conflict("Two factors are a password and a passkey; there is no passkey yet.")
    await account_store.set_two_factor(tx, account.id, wanted)
    await audit.record(tx, actor, "account.two_factor", account.username, data={"on": wanted})
    return await account_store.get(tx, account.id)
