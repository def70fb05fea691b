"""Passwords: their hashes (Argon2id, in the usual text form), the work of checking one, and those that are refused.

A check takes a tenth of a second and 46 MiB, on purpose. So it runs in threads, at most two at once in a process, and
whoever would wait behind sixteen others is asked to come back. Where there is no hash, the same work is done against a
dummy: the time of an answer does not tell whether a name is known.

There are no rules about digits and capitals: they make passwords worse. The common ones are the 30,000 that the package
`zxcvbn` carries. They are read when somebody chooses a password and forgotten at once: a process holds none of them.
"""

import asyncio
import importlib.util
import runpy
import secrets
import unicodedata
from collections.abc import Callable, Container
from pathlib import Path
from typing import TypeVar

from stowboard.core.errors import RateLimited, ValidationFailed

T = TypeVar("T")
#: In characters, as sent.
LONGEST = 256
AT_ONCE = 2
MOST_WAITING = 16
MEMORY_KIB = 47104
_ITERATIONS, _LANES, _SALT_BYTES, _HASH_BYTES = 2, 1, 16, 32
SHORTEST = 12
#: A common password stays common with this many characters around it: Password2026!
_TRIMMINGS = 5
_ROWS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
)


class Passwords:
    """One for each process."""

    def __init__(self) -> None:
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._present = 0

    async def keep(self, password: str) -> str:
        """The hash to store for the password."""
        return await self._in_thread(lambda: _hashed(normal(password)))

    async def is_right(self, password: str, kept: str | None) -> bool:
        """True if the password has this hash. Without a hash, this takes as long as with one."""
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


async def check_password(password: str, username: str) -> None:
    """Raises ValidationFailed for a password that is too weak, in general or for this person."""
    # The length as it was sent comes first: normalising takes time that grows with its square.
    text = normal(password) if len(password) <= LONGEST else ""
    if len(text) < SHORTEST:
        raise ValidationFailed(f"password: expected {SHORTEST} to {LONGEST} characters.")
    folded = text.casefold()
    if username in folded and folded.replace(username, "").strip("0123456789._-!") == "":
        raise ValidationFailed("password: it is the username. Choose another one.")
    if await asyncio.to_thread(_is_common, folded):
        raise ValidationFailed("password: it is one of those that are tried first. Four unrelated words are good.")


def _is_common(folded: str) -> bool:
    common = _common()
    unit = _repeated(folded)
    core = folded.strip("0123456789 .,;:-_!?*#+$%&/@")
    return (
        folded in common
        or len(unit) <= 3
        or (unit != folded and unit in common)
        or (len(folded) - len(core) <= _TRIMMINGS and core in common)
        or any(folded in row or folded in row[::-1] for row in _ROWS)
    )


def _common() -> Container[str]:
    spec = importlib.util.find_spec("zxcvbn")
    assert spec is not None
    assert spec.origin is not None
    lists = runpy.run_path(str(Path(spec.origin).with_name("frequency_lists.py")))["FREQUENCY_LISTS"]
    return frozenset(lists["passwords"])


def _repeated(text: str) -> str:
    """The shortest text that gives this one when it is repeated."""
    return text[: (text + text).index(text, 1)]
