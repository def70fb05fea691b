"""A person's identities at providers: list them, and remove one."""

import msgspec

from stowboard.access.accounts.person import get_person_themselves, get_present_person
from stowboard.access.base import account_store, identity_store, passkey_store
from stowboard.access.base.account import Account
from stowboard.access.base.errors import AccountRequired, StepUpRequired
from stowboard.access.settings import AccessSettings
from stowboard.api.endpoint import Call, Deleted, Endpoint, view_of
from stowboard.core.errors import Conflict
from stowboard.db.database import Tx
from stowboard.events import audit


class IdentityView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An identity at a provider, which signs its person in here; `subject` is the provider's id for the person."""

    id: str
    issuer: str
    subject: str
    created_at: int
    last_used_at: int | None


async def list_my_identities(tx: Tx, call: Call[None, None]) -> list[IdentityView]:
    """List the providers' identities by which one signs in, newest first. A new one is connected at /signin/connect."""
    person = await get_person_themselves(tx, call.caller)
    return [view_of(IdentityView, identity) for identity in await identity_store.list_of(tx, person.account.id)]


async def delete_my_identity(tx: Tx, call: Call[None, None], identity_id: str) -> Deleted:
    """Remove an identity: it no longer signs one in. Needs a fresh proof of identity, and another way to sign in."""
    person = await get_present_person(tx, call.caller)
    account = await account_store.lock(tx, person.account.id)
    await identity_store.forget(tx, account.id, identity_id)
    if not await _can_sign_in(tx, call.use(AccessSettings), account):
        raise Conflict("Nothing else would sign you in. Make a passkey or choose a password first.")
    await audit.record(tx, person.actor, "identity.delete", identity_id)
    return Deleted(identity_id)


async def _can_sign_in(tx: Tx, settings: AccessSettings, account: Account) -> bool:
    if settings.password_sign_in and await account_store.has_password(tx, account.id):
        return True
    return bool(await passkey_store.list_of(tx, account.id) or await identity_store.list_of(tx, account.id))


_EXAMPLE = {
    "id": "idn_01kbr2x4q8e9w6y3t7n5m1c0vz", "issuer": "https://accounts.example.com", "subject": "248289761001",
    "createdAt": 1794700000000, "lastUsedAt": 1794703600000,
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "GET", "/access/me/identities", list_my_identities, list[IdentityView], errors=[AccountRequired],
        example=[_EXAMPLE],
    ),
    Endpoint(
        "DELETE", "/access/me/identities/{identity_id}", delete_my_identity, Deleted,
        errors=[AccountRequired, StepUpRequired, Conflict],
        example={"id": "idn_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True},
    ),
]  # fmt: skip
