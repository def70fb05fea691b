"""Secrets that have to be readable again (of webhooks, mail servers, providers), sealed where they are kept.

The operator's key is not in the database, so a copy of the database reveals none of the secrets. If no key is set, a
key of the installation seals them; it is in the database, so it only protects a copy of the one table. Once a key is
set, it seals new secrets, and older ones can still be read. If the operator's key is changed or removed, what it sealed
cannot be opened.
"""

import hashlib
import hmac
import secrets

SHORTEST_KEY = 32
_PLAIN, _SEALED, _SEALED_BY_OWN = b"\x00", b"\x01", b"\x02"
_NONCE_BYTES = 12


class SealedElsewhere(Exception):
    """It was sealed with another key than STOWBOARD_SECRET_KEY."""

    def __init__(self) -> None:
        super().__init__("A secret was sealed with another STOWBOARD_SECRET_KEY. Set that one, or enter it again.")


class Sealing:
    """Seals and opens secrets. A secret sealed for one purpose cannot be opened for another."""

    def __init__(self, key: str | None, own: bytes | None = None) -> None:
        """The operator's key, and the installation's own."""
        self._keys = {
            form: hashlib.sha256(b"sealing\0" + secret).digest()
            for form, secret in ((_SEALED, key.encode() if key is not None else None), (_SEALED_BY_OWN, own))
            if secret is not None
        }

    def seal(self, purpose: str, plain: bytes) -> bytes:
        form = next(iter(self._keys), None)
        if form is None:
            return _PLAIN + plain
        return form + encrypted(self._for(form, purpose), plain)

    def open(self, purpose: str, sealed: bytes) -> bytes:
        """Raises SealedElsewhere."""
        if sealed[:1] == _PLAIN:
            return sealed[1:]
        if sealed[:1] not in self._keys:
            raise SealedElsewhere
        from cryptography.exceptions import InvalidTag

        try:
            return decrypted(self._for(sealed[:1], purpose), sealed[1:])
        except (InvalidTag, ValueError):
            raise SealedElsewhere from None

    def _for(self, form: bytes, purpose: str) -> bytes:
        return hmac.digest(self._keys[form], purpose.encode(), hashlib.sha256)


def encrypted(key: bytes, plain: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # 5 MB that most processes never need

    nonce = secrets.token_bytes(_NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, None)


def decrypted(key: bytes, sealed: bytes) -> bytes:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    return AESGCM(key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], None)
