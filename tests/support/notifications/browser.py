"""A browser that subscribed to pushes: its keys, and how it reads what a push service hands on (RFC 8291, RFC 8292)."""

import base64
import json
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from support.webhooks.receiver import Received

CURVE = ec.SECP256R1()


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64url(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class SubscribedBrowser:
    def __init__(self) -> None:
        self._key = ec.generate_private_key(CURVE)
        self.auth = b"sixteen bytes au"
        self.public = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def subscription(self, endpoint: str, **members: Any) -> dict[str, Any]:
        keys = {"p256dh": base64url(self.public), "auth": base64url(self.auth)}
        return {"kind": "push", "endpoint": endpoint, "keys": keys, **members}

    def read(self, received: Received) -> dict[str, Any]:
        assert received.headers["content-encoding"] == "aes128gcm"
        salt, size, length = received.body[:16], int.from_bytes(received.body[16:20], "big"), received.body[20]
        theirs, sealed = received.body[21 : 21 + length], received.body[21 + length :]
        assert (size, length) == (4096, 65)
        assert len(received.body) <= 4096
        shared = self._key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
        secret = HKDF(SHA256(), 32, self.auth, b"WebPush: info\0" + self.public + theirs).derive(shared)
        key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        text = AESGCM(key).decrypt(nonce, sealed, None)
        assert text.endswith(b"\x02")
        found: dict[str, Any] = json.loads(text[:-1])
        return found


def checked_claims(received: Received, public: str) -> dict[str, Any]:
    """The claims of the sender's proof, if the key that browsers subscribe with has signed them."""
    scheme, token, key = received.headers["authorization"].replace(",", "").split(" ")
    assert (scheme, key) == ("vapid", f"k={public}")
    signed, _, signature = token.removeprefix("t=").rpartition(".")
    raw = from_base64url(signature)
    assert len(raw) == 64
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    point = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, from_base64url(public))
    point.verify(der, signed.encode(), ec.ECDSA(SHA256()))
    header, claims = (json.loads(from_base64url(part)) for part in signed.split("."))
    assert header == {"typ": "JWT", "alg": "ES256"}
    found: dict[str, Any] = claims
    return found
