"""Devices that wait for a person to allow them, as rows."""

import msgspec

from stowboard.access.base.account import AccountId
from stowboard.access.base.session import SessionId
from stowboard.access.tokens import ClientId, is_possible
from stowboard.core import clock
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.table import Table, forget_old


class WaitingDevice(msgspec.Struct, frozen=True):
    """A device that waits until a person has allowed or denied it."""

    digest: bytes
    user_digest: bytes
    client_id: ClientId
    resource: str
    scopes: list[str]
    address: str
    user_agent: str
    created_at: int
    expires_at: int
    #: The interval at which it may ask.
    seconds: int
    polled_at: int | None = None
    account_id: AccountId | None = None
    session_id: SessionId | None = None
    denied_at: int | None = None
    used_at: int | None = None

    @property
    def is_over(self) -> bool:
        return clock.now_ms() >= self.expires_at

    @property
    def is_open(self) -> bool:
        """True while a person can still allow or deny it."""
        return self.account_id is None and self.denied_at is None and not self.is_over


_DEVICES = Table("oauth_device", WaitingDevice, in_words=["scopes"])


async def insert(tx: Tx, waiting: WaitingDevice) -> None:
    """Raises UniqueViolation if another device has the code."""
    await _DEVICES.insert(tx, waiting)


async def find_and_lock(tx: Tx, key: DigestKey, device_code: str) -> WaitingDevice | None:
    if not is_possible(device_code):
        return None
    return await _DEVICES.find(tx, "digest IN ($1, $2) FOR UPDATE", *key.digests(device_code))


async def find_open_and_lock(tx: Tx, key: DigestKey, user_code: str) -> WaitingDevice | None:
    waiting = await _DEVICES.find(tx, "user_digest IN ($1, $2) FOR UPDATE", *key.digests(user_code))
    return waiting if waiting is not None and waiting.is_open else None


async def note_poll(tx: Tx, waiting: WaitingDevice, seconds: int) -> None:
    sql = "UPDATE oauth_device SET polled_at = $2, seconds = $3 WHERE digest = $1"
    await tx.run(sql, waiting.digest, clock.now_ms(), seconds)


async def allow(tx: Tx, waiting: WaitingDevice, account_id: AccountId, session_id: SessionId) -> None:
    sql = "UPDATE oauth_device SET account_id = $2, session_id = $3 WHERE digest = $1"
    await tx.run(sql, waiting.digest, account_id, session_id)


async def deny(tx: Tx, waiting: WaitingDevice) -> None:
    await tx.run("UPDATE oauth_device SET denied_at = $2 WHERE digest = $1", waiting.digest, clock.now_ms())


async def spend(tx: Tx, waiting: WaitingDevice) -> None:
    await tx.run("UPDATE oauth_device SET used_at = $2 WHERE digest = $1", waiting.digest, clock.now_ms())


forget_devices = forget_old("oauth_device", "digest", kept_ms=24 * 3600 * 1000)
