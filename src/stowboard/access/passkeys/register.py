"""A passkey is made, named and removed by its person."""

from typing import Any

from stowboard.access.accounts.person import Person
from stowboard.access.base import account_store, challenges, passkey_store
from stowboard.access.base.challenges import ChallengePurpose
from stowboard.access.base.errors import InvalidPasskey
from stowboard.access.base.passkey import MOST_PASSKEYS, NewPasskey, Passkey, check_name
from stowboard.access.passkeys.ceremony import RelyingParty, creation_options
from stowboard.core.errors import Conflict
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx, UniqueViolation
from stowboard.events import audit
from stowboard.events.audit import Actor


async def offer(tx: Tx, key: DigestKey, party: RelyingParty, person: Person) -> dict[str, Any]:
    """Options from which the person's browser makes a passkey. Raises Conflict if they have enough of them."""
    assert person.session is not None
    known = await passkey_store.list_of(tx, person.account.id)
    _check_number(known)
    given = await challenges.give(tx, key, ChallengePurpose.REGISTER, person.session.id, person.account.id)
    handle = await passkey_store.get_handle(tx, person.account.id)
    return creation_options(party, person.account, handle, known, given.challenge)


async def register(tx: Tx, person: Person, new: NewPasskey, name: str) -> Passkey:
    """Raises Conflict, ValidationFailed; InvalidPasskey if the key is somebody's already."""
    check_name(name)
    await account_store.lock(tx, person.account.id)
    _check_number(await passkey_store.list_of(tx, person.account.id))
    try:
        async with tx.savepoint():
            passkey = await passkey_store.insert(tx, person.account.id, new, name)
    except UniqueViolation:
        raise InvalidPasskey("This passkey is known here already.") from None
    await audit.record(tx, person.actor, "passkey.create", passkey.id)
    return passkey


async def rename(tx: Tx, person: Person, passkey_id: str, name: str) -> Passkey:
    check_name(name)
    passkey = await passkey_store.rename(tx, person.account.id, passkey_id, name)
    await audit.record(tx, person.actor, "passkey.rename", passkey.id)
    return passkey


async def remove(tx: Tx, person: Person, passkey_id: str) -> None:
    """Raises NotFound; Conflict if it is the last one of somebody who signs in with two factors."""
    account = await account_store.lock(tx, person.account.id)
    await passkey_store.forget(tx, account.id, passkey_id)
    if account.two_factor and not await passkey_store.list_of(tx, account.id):
        raise Conflict("It is the last passkey, and signing in needs two factors. Turn those off first.")
    await audit.record(tx, person.actor, "passkey.delete", passkey_id)


async def refuse(tx: Tx, actor: Actor) -> None:
    """Record in the audit log that a passkey was refused."""
    await audit.record(tx, actor, "passkey.create", actor.name, "refused")


def _check_number(known: list[Passkey]) -> None:
    if len(known) >= MOST_PASSKEYS:
        raise Conflict(f"There are {MOST_PASSKEYS} passkeys already. Remove one first.")
