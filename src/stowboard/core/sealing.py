"""Secrets that we must be able to read again, sealed where they are kept: a copy of the table alone gives none away.

The key comes from the installation, so whoever has the whole database and the keys in it can open them. Each is bound
to what it belongs to: put into another row it does not open.
"""

import hashlib
import hmac
import secrets

_NONCE_BYTES = 12


class CannotOpen(Exception):
    """Sealed with another key, for another place, or changed since."""


class Seal:
    """Seals with a key of its own, made from a secret of the installation."""

    def __init__(self, secret: bytes) -> None:
        self._key = hmac.digest(secret, b"seal\0", hashlib.sha256)

    def close(self, plain: bytes, place: str) -> bytes:
        return sealed(self._key, plain, place.encode())

    def open(self, text: bytes, place: str) -> bytes:
        """Raises CannotOpen."""
        return opened(self._key, text, place.encode())


def sealed(key: bytes, plain: bytes, bound_to: bytes | None = None) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # 5 MB that most processes never need

    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, bound_to)


def opened(key: bytes, text: bytes, bound_to: bytes | None = None) -> bytes:
    """Raises CannotOpen."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    try:
        return AESGCM(key).decrypt(text[:_NONCE_BYTES], text[_NONCE_BYTES:], bound_to)
    except InvalidTag:
        raise CannotOpen from None
