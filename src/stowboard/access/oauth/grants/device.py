"""Signing in on a device without a browser (RFC 8628): it shows a code, a person types it on a page elsewhere.

Whoever makes a person type a code can act for them. So the person sees which device waits, and from where, before they
allow it; they always type the code themselves; and `admin` is never given this way.
"""

import secrets

import msgspec

from stowboard.access.base import session_store
from stowboard.access.base.session import PersonSession
from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.applications.application import OAuthApplication
from stowboard.access.oauth.chosen_spaces import reached_by
from stowboard.access.oauth.grants import consent_store, device_store
from stowboard.access.oauth.grants.device_store import WaitingDevice
from stowboard.access.oauth.grants.give import WRONG_GRANT, GrantedTokens, OAuthRefusal, begin_grant
from stowboard.access.owners import Owners
from stowboard.access.tokens import make_secret
from stowboard.core import clock
from stowboard.core.errors import NotFound
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor

LIFETIME_SECONDS = 600
#: The interval at which a device asks, and what is added each time that it asks too early.
SECONDS = 5
#: Letters that form no words and are not confused with each other: 8 of them are 34 bits.
LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
_PENDING = OAuthRefusal("authorization_pending", "Nobody has typed the code yet.")
_SLOWER = OAuthRefusal("slow_down", f"Wait {SECONDS} seconds longer between two questions.")
_OVER = OAuthRefusal("expired_token", "Nobody typed the code in time. Begin again.")
_DENIED = OAuthRefusal("access_denied", "The person said no.")
UNKNOWN = "No device waits with this code. Check the code that it shows, or start again there."


class DeviceCodes(msgspec.Struct, frozen=True):
    device_code: str
    #: As it is shown: two groups of four letters.
    user_code: str


class DeviceRequest(msgspec.Struct, frozen=True):
    scopes: list[str]
    door: str
    address: str
    user_agent: str


async def begin(tx: Tx, key: DigestKey, application: OAuthApplication, asked: DeviceRequest) -> DeviceCodes:
    """Raises UniqueViolation in the rare case that another device has the code."""
    code, device_code = "".join(secrets.choice(LETTERS) for _ in range(8)), make_secret("stowd_")
    now = clock.now_ms()
    waiting = WaitingDevice(
        key.digest(device_code), key.digest(code), application.client_id, asked.door, asked.scopes, asked.address,
        asked.user_agent, now, now + LIFETIME_SECONDS * 1000, SECONDS,
    )  # fmt: skip
    await device_store.insert(tx, waiting)
    return DeviceCodes(device_code, f"{code[:4]}-{code[4:]}")


def typed_code(text: str) -> str:
    """A code as somebody typed it: case, spaces and the dash do not count."""
    return "".join(letter for letter in text.upper() if letter.isalnum())[:20]


async def look(tx: Tx, key: DigestKey, typed: str) -> tuple[WaitingDevice, OAuthApplication]:
    """The device that waits with this code, and its application. Raises NotFound."""
    waiting = await device_store.find_open_and_lock(tx, key, typed_code(typed))
    application = await application_store.find(tx, waiting.client_id) if waiting is not None else None
    if waiting is None or application is None:
        raise NotFound(UNKNOWN)
    return waiting, application


async def decide(
    tx: Tx, owners: Owners, key: DigestKey, signed_in: PersonSession, typed: str, allowed: bool, spaces: list[str],
    address: str,
) -> OAuthApplication:  # fmt: skip
    """Allow the device, or deny it; `spaces` are those that the person ticked. Raises NotFound."""
    waiting, application = await look(tx, key, typed)
    actor, account = Actor(signed_in.account.username, address=address), signed_in.account
    facts = {"client": waiting.client_id, "scopes": waiting.scopes, "device": waiting.address}
    await audit.record(tx, actor, "grant.allow", "device", "done" if allowed else "refused", facts)
    if not allowed:
        await device_store.deny(tx, waiting)
        return application
    await device_store.allow(tx, waiting, account.id, signed_in.session.id)
    reached = await reached_by(tx, application, account, spaces)
    await consent_store.keep(
        tx, owners, account.id, waiting.client_id, waiting.resource, application.name, waiting.scopes, reached
    )  # fmt: skip
    return application


async def poll(tx: Tx, key: DigestKey, device_code: str, client_id: str, address: str) -> GrantedTokens | OAuthRefusal:
    """The tokens of a device that a person has allowed; else the reason why there are none yet."""
    waiting = await device_store.find_and_lock(tx, key, device_code)
    if waiting is None or waiting.client_id != client_id or waiting.used_at is not None:
        return WRONG_GRANT
    if waiting.denied_at is not None:
        return _DENIED
    if waiting.is_over:
        return _OVER
    if waiting.polled_at is not None and clock.now_ms() - waiting.polled_at < waiting.seconds * 1000:
        await device_store.note_poll(tx, waiting, waiting.seconds + SECONDS)
        return _SLOWER
    if waiting.session_id is None or waiting.account_id is None:
        await device_store.note_poll(tx, waiting, waiting.seconds)
        return _PENDING
    await device_store.spend(tx, waiting)
    signed_in = await session_store.find_and_lock(tx, waiting.session_id)
    application = await application_store.find_and_lock(tx, waiting.client_id)
    if signed_in is None or application is None:
        return _DENIED
    return await begin_grant(tx, key, signed_in.account, application, waiting.resource, waiting.scopes, address)
