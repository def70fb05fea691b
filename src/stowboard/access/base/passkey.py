"""A passkey: a key pair whose private half never leaves a person's device."""

from typing import NewType

import msgspec

from stowboard.access.base.account import AccountId

PasskeyId = NewType("PasskeyId", str)
MOST_PASSKEYS = 20
LONGEST_NAME = 100


class Passkey(msgspec.Struct, frozen=True):
    id: PasskeyId
    account_id: AccountId
    #: The authenticator's id for it.
    credential: bytes
    public_key: bytes
    sign_count: int
    #: The host that it was made for.
    rp_id: str
    name: str
    created_at: int
    last_used_at: int | None


class NewPasskey(msgspec.Struct, frozen=True):
    """A passkey that an authenticator has made, checked."""

    credential: bytes
    public_key: bytes
    sign_count: int
    rp_id: str
