"""Keys that sign what clients bring back to us, and how they are rotated.

The newest two keys are live: both verify, one signs. A new key signs only after `SETTLING_MS`, by when every process
has read it, so no process meets a signature that it cannot check.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NewType

from stowboard.core import clock

KeyId = NewType("KeyId", str)

SETTLING_MS = 60_000
LIVE_KEYS = 2


class DigestKey(bytes):
    """The installation's key that turns secrets into what is stored of them."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    id: KeyId
    secret: bytes
    created_at: int


class Keyring:
    """The live signing keys of this process; `replace` takes what was read anew."""

    def __init__(self, keys: Sequence[SigningKey]) -> None:
        self.replace(keys)

    def replace(self, keys: Sequence[SigningKey]) -> None:
        newest_first = sorted(keys, key=lambda key: key.created_at, reverse=True)[:LIVE_KEYS]
        if not newest_first:
            raise ValueError("a keyring needs a key")
        self._newest_first = newest_first

    def sign(self, purpose: str, message: bytes) -> tuple[KeyId, bytes]:
        """The key's id and the signature. The purpose keeps a signature of one kind from serving as another."""
        key = self._signing()
        return key.id, _mac(key, purpose, message)

    def verifies(self, purpose: str, key_id: str, message: bytes, signature: bytes, length: int = 32) -> bool:
        """Whether a live key made this signature, or the first `length` bytes of it."""
        return any(
            key.id == key_id and hmac.compare_digest(_mac(key, purpose, message)[:length], signature)
            for key in self._newest_first
        )

    def _signing(self) -> SigningKey:
        settled = clock.now_ms() - SETTLING_MS
        return next((key for key in self._newest_first if key.created_at <= settled), self._newest_first[-1])


def _mac(key: SigningKey, purpose: str, message: bytes) -> bytes:
    return hmac.digest(key.secret, purpose.encode() + b"\0" + message, hashlib.sha256)
