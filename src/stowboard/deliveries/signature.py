"""Signatures of Standard Webhooks: https://www.standardwebhooks.com"""

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence

_PREFIX = "whsec_"
_SECRET_BYTES = 32


def make_secret() -> str:
    return _PREFIX + base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()


def signature_headers(secrets: Sequence[str], event_id: str, at_s: int, payload: bytes) -> list[tuple[str, str]]:
    """One signature by each secret, so that a receiver may know either of them during a rotation."""
    signed = b".".join((event_id.encode(), str(at_s).encode(), payload))
    return [
        ("webhook-id", event_id),
        ("webhook-timestamp", str(at_s)),
        ("webhook-signature", " ".join(_signature(secret, signed) for secret in secrets)),
    ]


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(_PREFIX))
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
