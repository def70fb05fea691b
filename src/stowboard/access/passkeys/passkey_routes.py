"""Passkeys of one's own, over the API. Making and removing one needs a fresh proof of identity."""

from typing import Annotated, Any

import msgspec

from stowboard.access.accounts.person import Person, get_person_themselves, get_present_person
from stowboard.access.base import account_store, challenges, passkey_store
from stowboard.access.base.challenges import Challenge, ChallengePurpose
from stowboard.access.base.errors import AccountRequired, InvalidPasskey, PasskeysUnavailable, StepUpRequired
from stowboard.access.base.passkey_store import LONGEST_NAME, MOST_PASSKEYS, NewPasskey, Passkey
from stowboard.access.passkeys.ceremony import check_registration, creation_options, relying_party
from stowboard.api.endpoint import Call, Deleted, Endpoint, view_of
from stowboard.core.errors import Conflict
from stowboard.core.plain_text import ONE_LINE, checked_line
from stowboard.core.signing import DigestKey
from stowboard.db.database import Database, Tx, UniqueViolation
from stowboard.events import audit

Name = Annotated[
    str,
    msgspec.Meta(
        min_length=1, max_length=LONGEST_NAME, description="A note to recognise it by.", extra_json_schema=ONE_LINE
    ),
]


class PasskeyBody(msgspec.Struct, frozen=True):
    """A passkey that a browser has made."""

    name: Name
    credential: Annotated[
        dict[str, Any], msgspec.Meta(description="What `navigator.credentials.create` gave, by its `toJSON()`.")
    ]


class PasskeyNameBody(msgspec.Struct, frozen=True):
    """A passkey's new name."""

    name: Name


class PasskeyView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A passkey; `host` is the one that it was made for, and it works under no other."""

    id: str
    name: str
    host: str
    created_at: int
    last_used_at: int | None


class PasskeyOptions(msgspec.Struct, frozen=True, rename="camel"):
    """Options for making a passkey. They hold for five minutes and are used once."""

    public_key: Annotated[
        dict[str, Any], msgspec.Meta(description="For `PublicKeyCredential.parseCreationOptionsFromJSON`.")
    ]


async def begin_my_passkey(tx: Tx, call: Call[None, None]) -> PasskeyOptions:
    """Get the options from which a browser makes a passkey. Needs a fresh proof of identity."""
    person, party = await get_present_person(tx, call.caller), relying_party(call.origin)
    assert person.session is not None
    account, key = person.account, call.use(DigestKey)
    known = await passkey_store.list_of(tx, account.id)
    _check_number(known)
    given = await challenges.give(tx, key, ChallengePurpose.REGISTER, person.session.id, account.id)
    handle = await passkey_store.get_handle(tx, account.id)
    return PasskeyOptions(creation_options(party, account, handle, known, given.challenge))


async def check_credential(call: Call[PasskeyBody, None]) -> NewPasskey:
    party, db = relying_party(call.origin), call.use(Database)
    person, challenge = await db.transact(_take_challenge, call)
    try:
        if challenge is None or challenge.account_id != person.account.id:
            raise InvalidPasskey
        return await check_registration(party, challenge.challenge, call.body.credential)
    except InvalidPasskey:
        await db.transact(audit.record, person.actor, "passkey.create", person.actor.name, "refused")
        raise


async def create_my_passkey(tx: Tx, call: Call[PasskeyBody, None], new: NewPasskey) -> PasskeyView:
    """Store a passkey that the browser has made from the latest options. Needs a fresh proof of identity."""
    person, name = await get_present_person(tx, call.caller), checked_line("name", call.body.name)
    await account_store.lock(tx, person.account.id)
    _check_number(await passkey_store.list_of(tx, person.account.id))
    try:
        async with tx.savepoint():
            passkey = await passkey_store.insert(tx, person.account.id, new, name)
    except UniqueViolation:
        raise InvalidPasskey("This passkey is known here already.") from None
    await audit.record(tx, person.actor, "passkey.create", passkey.id)
    return view_of(PasskeyView, passkey)


async def list_my_passkeys(tx: Tx, call: Call[None, None]) -> list[PasskeyView]:
    """List one's passkeys, newest first."""
    person = await get_person_themselves(tx, call.caller)
    return [view_of(PasskeyView, passkey) for passkey in await passkey_store.list_of(tx, person.account.id)]


async def rename_my_passkey(tx: Tx, call: Call[PasskeyNameBody, None], passkey_id: str) -> PasskeyView:
    """Give a passkey another name. Needs a fresh proof of identity."""
    person, name = await get_present_person(tx, call.caller), checked_line("name", call.body.name)
    passkey = await passkey_store.rename(tx, person.account.id, passkey_id, name)
    await audit.record(tx, person.actor, "passkey.rename", passkey.id)
    return view_of(PasskeyView, passkey)


async def delete_my_passkey(tx: Tx, call: Call[None, None], passkey_id: str) -> Deleted:
    """Remove a passkey: it no longer signs one in. Needs a fresh proof of identity."""
    person = await get_present_person(tx, call.caller)
    account = await account_store.lock(tx, person.account.id)
    await passkey_store.forget(tx, account.id, passkey_id)
    if account.two_factor and not await passkey_store.list_of(tx, account.id):
        raise Conflict("It is the last passkey, and signing in needs two factors. Turn those off first.")
    await audit.record(tx, person.actor, "passkey.delete", passkey_id)
    return Deleted(passkey_id)


async def _take_challenge(tx: Tx, call: Call[PasskeyBody, None]) -> tuple[Person, Challenge | None]:
    person = await get_present_person(tx, call.caller)
    assert person.session is not None
    return person, await challenges.take(tx, call.use(DigestKey), ChallengePurpose.REGISTER, person.session.id)


def _check_number(known: list[Passkey]) -> None:
    if len(known) >= MOST_PASSKEYS:
        raise Conflict(f"There are {MOST_PASSKEYS} passkeys already. Remove one first.")


_EXAMPLE = {
    "id": "pky_01kbr2x4q8e9w6y3t7n5m1c0vz", "name": "laptop", "host": "stow.example.com",
    "createdAt": 1794700000000, "lastUsedAt": None,
}  # fmt: skip
_CREDENTIAL = {
    "id": "AQID", "rawId": "AQID", "type": "public-key",
    "response": {"clientDataJSON": "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0", "attestationObject": "o2NmbXRkbm9uZQ"},
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "POST", "/access/me/passkeys/options", begin_my_passkey, PasskeyOptions,
        errors=[AccountRequired, StepUpRequired, PasskeysUnavailable, Conflict],
        example={"publicKey": {"rp": {"id": "stow.example.com", "name": "Stowboard"}, "challenge": "q83v…"}},
    ),
    Endpoint(
        "POST", "/access/me/passkeys", create_my_passkey, PasskeyView, body=PasskeyBody, status=201,
        prepare=check_credential,
        errors=[AccountRequired, StepUpRequired, PasskeysUnavailable, InvalidPasskey, Conflict],
        example_body={"name": "laptop", "credential": _CREDENTIAL}, example=_EXAMPLE,
    ),
    Endpoint(
        "GET", "/access/me/passkeys", list_my_passkeys, list[PasskeyView], errors=[AccountRequired],
        example=[_EXAMPLE],
    ),
    Endpoint(
        "PATCH", "/access/me/passkeys/{passkey_id}", rename_my_passkey, PasskeyView, body=PasskeyNameBody,
        errors=[AccountRequired, StepUpRequired], example_body={"name": "old laptop"}, example=_EXAMPLE,
    ),
    Endpoint(
        "DELETE", "/access/me/passkeys/{passkey_id}", delete_my_passkey, Deleted,
        errors=[AccountRequired, StepUpRequired, Conflict],
        example={"id": "pky_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True},
    ),
]  # fmt: skip
