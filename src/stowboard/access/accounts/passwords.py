"""Passwords: their hashes (Argon2id, in the usual text form), and the work of checking one.

A check takes a tenth of a second and 46 MiB, on purpose. So it runs in threads, at most two at once in a process, and
whoever would wait behind sixteen others is asked to come back. Where there is no hash, the same work is done against a
dummy: the time of an answer does not tell whether a name is known.
"""

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from typing import TypeVar

from stowboard.core.errors import RateLimited

T = TypeVar("T")
#: In characters, as sent.
LONGEST = 256
AT_ONCE = 2
MOST_WAITING = 16
MEMORY_KIB = 47104
_ITERATIONS, _LANES, _SALT_BYTES, _HASH_BYTES = 2, 1, 16, 32


class Passwords:
    """One for each process."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._present = 0

    async def keep(self, password: str) -> str:
        """The hash to store of it."""
        return await self._in_thread(lambda: _hashed(normal(password)))

    async def is_right(self, password: str, kept: str | None) -> bool:
        """True if the password has this hash. It takes as long without a hash."""
        possible = len(password) <= LONGEST
        right = await self._in_thread(lambda: _verified(normal(password) if possible else "", kept or _dummy()))
        return right and possible and kept is not None

    async def _in_thread(self, work: Callable[[], T]) -> T:
        if self._present >= AT_ONCE + MOST_WAITING:
            raise RateLimited("Too many people sign in at this moment. Retry in 1 second.", (("retry-after", "1"),))
        self._present += 1
        try:
            async with self._slots:
                return await asyncio.to_thread(work)
        finally:
            self._present -= 1


def normal(password: str) -> str:
    """Normalise: the same password has the same bytes from every keyboard."""
    return unicodedata.normalize("NFKC", password)


def is_outdated(kept: str) -> bool:
    """True if the hash was made with other parameters than today's."""
    return _parameters() not in kept


def _parameters() -> str:
    return f"$m={MEMORY_KIB},t={_ITERATIONS},p={_LANES}$"


def _dummy() -> str:
    """The hash of a password that nobody knows, with today's parameters."""
    return f"$argon2id$v=19{_parameters()}c3Rvd2JvYXJkLWR1bW15LQ$QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE"


def _hashed(password: str) -> str:
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id  # 5 MB that most processes never need

    salt = secrets.token_bytes(_SALT_BYTES)
    kdf = Argon2id(salt=salt, length=_HASH_BYTES, iterations=_ITERATIONS, lanes=_LANES, memory_cost=MEMORY_KIB)
    return kdf.derive_phc_encoded(password.encode("utf-8", "surrogatepass"))


def _verified(password: str, kept: str) -> bool:
    from cryptography.exceptions import InvalidKey
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    try:
        Argon2id.verify_phc_encoded(password.encode("utf-8", "surrogatepass"), kept)
    except InvalidKey:
        return False
    return True
