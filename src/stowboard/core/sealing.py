"""Secrets that have to be readable again (of webhooks, mail servers, providers), sealed where they are kept.

The key is the operator's and stays out of the database, so that a copy of that gives none of them away. Where no key is
set they are kept as they are; once one is, what is written from then on is sealed, and what was written before can
still be read. Another key, or none, opens nothing that was sealed.
"""

import hashlib
import hmac
import secrets

SHORTEST_KEY = 32
_PLAIN, _SEALED = b"\x00", b"\x01"
_NONCE_BYTES = 12


class SealedElsewhere(Exception):
    """It was sealed with another key than STOWBOARD_SECRET_KEY."""

    def __init__(self) -> None:
        super().__init__("A secret was sealed with another STOWBOARD_SECRET_KEY. Set that one, or enter it again.")


class Sealing:
    """The purpose keeps what was sealed for one use from being opened for another."""

    def __init__(self, key: str | None) -> None:
        self._key = hashlib.sha256(b"sealing\0" + key.encode()).digest() if key is not None else None

    def seal(self, purpose: str, plain: bytes) -> bytes:
        if self._key is None:
            return _PLAIN + plain
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # 5 MB that most processes never need

        nonce = secrets.token_bytes(_NONCE_BYTES)
        return _SEALED + nonce + AESGCM(self._for(purpose)).encrypt(nonce, plain, None)

    def open(self, purpose: str, sealed: bytes) -> bytes:
        """Raises SealedElsewhere."""
        if sealed[:1] == _PLAIN:
            return sealed[1:]
        if self._key is None or sealed[:1] != _SEALED:
            raise SealedElsewhere
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        nonce, content = sealed[1 : 1 + _NONCE_BYTES], sealed[1 + _NONCE_BYTES :]
        try:
            return AESGCM(self._for(purpose)).decrypt(nonce, content, None)
        except (InvalidTag, ValueError):
            raise SealedElsewhere from None

    def _for(self, purpose: str) -> bytes:
        assert self._key is not None
        return hmac.digest(self._key, purpose.encode(), hashlib.sha256)
