"""Keys that sign links and cursors, which clients bring back to us, and how they are rotated.

A new key signs only after `SETTLING_MS`, by when every process has read it, so no process meets a signature that it
cannot check. After `IN_USE_MS` every process signs with it, whatever its clock says. The live keys are the newest key
in use and all younger ones: a key that some process may still sign with is not removed, however quickly others are
added.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import NewType

import msgspec

from stowboard.core import clock

KeyId = NewType("KeyId", str)

SETTLING_MS = 60_000
IN_USE_MS = 2 * SETTLING_MS
#: Digest keys in use at once: each look-up tries both.
DIGEST_KEYS = 2


class SigningKey(msgspec.Struct, frozen=True):
    id: KeyId
    secret: bytes
    created_at: int


class DigestKey(bytes):
    """The installation's key that turns secrets into the digests that are stored.

    The bytes are the first key; it is used for everything that is stored for a day at most. Digests of tokens, cookies
    and links are made with the newest settled key, and are looked up by the newest two: `renew` takes them.
    """

    _newest_first: Sequence[SigningKey] = ()

    def renew(self, keys: Sequence[SigningKey]) -> None:
        self._newest_first = _newest(keys)[:DIGEST_KEYS]

    def digest(self, secret: str) -> bytes:
        """The digest of a secret, which is stored in its place."""
        return _digest(_settled(self._newest_first).secret if self._newest_first else self, secret)

    def digests(self, secret: str) -> tuple[bytes, bytes]:
        """Both digests that may be stored for a secret. They are equal if there is only one key."""
        keys = [key.secret for key in self._newest_first] or [bytes(self)]
        return _digest(keys[0], secret), _digest(keys[-1], secret)


class Keyring:
    """The live signing keys of this process; `replace` takes keys that were read again."""

    def __init__(self, keys: Sequence[SigningKey]) -> None:
        self.replace(keys)

    def replace(self, keys: Sequence[SigningKey]) -> None:
        if not keys:
            raise ValueError("a keyring needs a key")
        self._newest_first = _newest(keys)

    def sign(self, purpose: str, message: bytes) -> tuple[KeyId, bytes]:
        """The key's id and the signature. The purpose keeps a signature of one kind from serving as another."""
        key = _settled(self._newest_first)
        return key.id, _mac(key, purpose, message)

    def verifies(self, purpose: str, key_id: str, message: bytes, signature: bytes, length: int = 32) -> bool:
        """True if a live key made this signature, or the first `length` bytes of it."""
        return any(
            key.id == key_id and hmac.compare_digest(_mac(key, purpose, message)[:length], signature)
            for key in self._newest_first
        )


def _newest(keys: Sequence[SigningKey]) -> Sequence[SigningKey]:
    return sorted(keys, key=lambda key: key.created_at, reverse=True)


def _settled(newest_first: Sequence[SigningKey]) -> SigningKey:
    """The key for new signatures: every process knows it."""
    settled = clock.now_ms() - SETTLING_MS
    return next((key for key in newest_first if key.created_at <= settled), newest_first[-1])


def _digest(key: bytes, secret: str) -> bytes:
    return hmac.digest(key, secret.encode(), hashlib.sha256)


def _mac(key: SigningKey, purpose: str, message: bytes) -> bytes:
    return hmac.digest(key.secret, purpose.encode() + b"\0" + message, hashlib.sha256)
