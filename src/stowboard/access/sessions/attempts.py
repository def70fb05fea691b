"""Guesses at passwords are slowed down, by the name that is tried and by the address that tries.

A name has five attempts, then one after a minute, after two, after four, and at last one every fifteen minutes. A
success ends the count, and so does an hour of quiet. Names that no account has behave alike. It is never a lock: a
browser that has signed in before carries a cookie that says so, and has a count of its own, so that nobody can lock out
somebody else. An address has a number of attempts a minute, for all names together.
"""

import hashlib
import hmac
from typing import Literal

from stowboard.access.base.buckets import fill, keep, wait
from stowboard.access.settings import AccessSettings
from stowboard.core import clock
from stowboard.core.household import household
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.table import forget_old

FREE_ATTEMPTS = 5
_WORDS = "Too many attempts to sign in."
SHORTEST_WAIT_MS, LONGEST_WAIT_MS = 60_000, 15 * 60_000
QUIET_MS = 3600 * 1000
#: Codes for devices that one address gets at once, and how long until it gets one more.
MOST_DEVICE_CODES, DEVICE_CODE_INTERVAL_MS = 20, 30_000


async def count_attempt(tx: Tx, settings: AccessSettings, address: bytes, name: bytes) -> None:
    """Count one attempt from this address at this name. Raises RateLimited, and then counts nothing."""
    now = clock.now_ms()
    await count_address(tx, settings, address)
    await tx.lock(f"attempt {name.hex()}")
    row = await tx.one("SELECT failures, next_at, tried_at FROM sign_in_attempt WHERE key = $1", name)
    failures, next_at, tried_at = row if row else (0, 0, 0)
    if now < next_at:
        raise wait(next_at - now, _WORDS)
    failures = 1 if now - tried_at > QUIET_MS else failures + 1
    await keep(tx, name, failures, now + _pause_after(failures), now)


async def count_address(tx: Tx, settings: AccessSettings, key: bytes) -> None:
    """Count one attempt from this address, whatever it tries. Raises RateLimited, and then counts nothing."""
    await fill(tx, key, -(-60_000 // settings.sign_ins_per_minute), 60_000, _WORDS)


async def count_device_code(tx: Tx, key: bytes) -> None:
    """Count one code that a device at this address was given. Raises RateLimited, and then counts nothing."""
    await fill(tx, key, DEVICE_CODE_INTERVAL_MS, MOST_DEVICE_CODES * DEVICE_CODE_INTERVAL_MS, _WORDS)


async def forgive(tx: Tx, name: bytes) -> None:
    """The guess was right: the count starts again."""
    await tx.run("DELETE FROM sign_in_attempt WHERE key = $1", name)


async def uncount(tx: Tx, name: bytes) -> None:
    """Take back this one count, and leave those before it: the guess was not wrong.

    Use this in place of `forgive` where a guesser can be right at will, as with the code of a device of their own.
    """
    await tx.run("UPDATE sign_in_attempt SET failures = failures - 1, next_at = 0 WHERE key = $1", name)


def address_key(
    key: DigestKey, address: str, kind: Literal["address", "challenge", "device code"] = "address"
) -> bytes:
    return _keyed(key, kind, household(address))


def name_key(key: DigestKey, text: str, kind: Literal["name", "reset", "device", "second"] = "name") -> bytes:
    """`text` is the name that somebody typed, or what identifies their device or account."""
    return _keyed(key, kind, text)


forget_attempts = forget_old("sign_in_attempt", "key", "tried_at", QUIET_MS)


def _pause_after(failures: int) -> int:
    beyond = failures - FREE_ATTEMPTS
    return 0 if beyond < 0 else min(SHORTEST_WAIT_MS << min(beyond, 10), LONGEST_WAIT_MS)


def _keyed(key: DigestKey, kind: str, text: str) -> bytes:
    return hmac.digest(key, f"attempt {kind}\0{text}".encode("utf-8", "surrogatepass"), hashlib.sha256)
