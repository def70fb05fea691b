"""Web Push: seals a message for one browser (RFC 8291), and proves to its push service who sends it (VAPID, RFC 8292).

The key pair is made once for an installation and never changed: every subscription is bound to it.
"""

import base64
import secrets
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from stowboard.core import clock

if TYPE_CHECKING:  # 5 MB that most processes never need
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

AUTH_BYTES, POINT_BYTES = 16, 65
_RECORD = 4096
_PROOF_S, _PROOF_KEPT_MS = 12 * 3600, 3600 * 1000
#: The number of proofs that are kept. It is bounded, since a person can name any host below a push service's name.
_MOST_PROOFS = 100
_encode = msgspec.json.Encoder().encode


class PushKey:
    """The installation's key pair, of 32 random bytes."""

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._private: EllipticCurvePrivateKey | None = None
        #: The header and the time at which it was made, by origin.
        self._proofs: dict[str, tuple[str, int]] = {}

    @property
    def public(self) -> str:
        """The public key in the form of `applicationServerKey`."""
        return write_base64(_public_of(self._key()))

    def proof(self, endpoint: str, subject: str) -> str:
        """The value of the header Authorization for a push service, kept for an hour."""
        parts = urlsplit(endpoint)
        origin, now = f"{parts.scheme}://{parts.netloc}", clock.now_ms()
        proof, made_at = self._proofs.get(origin, ("", 0))
        if not 0 <= now - made_at < _PROOF_KEPT_MS:
            claims = {"aud": origin, "exp": now // 1000 + _PROOF_S, "sub": subject}
            proof = f"vapid t={self._signed(claims)}, k={self.public}"
            if len(self._proofs) >= _MOST_PROOFS:
                self._proofs.clear()
            self._proofs[origin] = (proof, now)
        return proof

    def _signed(self, claims: dict[str, object]) -> str:
        from cryptography.hazmat.primitives.asymmetric.ec import ECDSA
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
        from cryptography.hazmat.primitives.hashes import SHA256

        text = ".".join(write_base64(_encode(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = decode_dss_signature(self._key().sign(text.encode(), ECDSA(SHA256())))
        return f"{text}.{write_base64(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"

    def _key(self) -> "EllipticCurvePrivateKey":
        if self._private is None:
            from cryptography.hazmat.primitives.asymmetric import ec

            self._private = ec.derive_private_key(
                int.from_bytes(self._secret, "big") % _ORDER_LESS_1 + 1, ec.SECP256R1()
            )
        return self._private


_ORDER_LESS_1 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632550


def is_point(public: bytes) -> bool:
    """True if it is a point of the curve P-256, uncompressed."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), public)
    except ValueError:
        return False
    return len(public) == POINT_BYTES


def seal(
    p256dh: bytes, auth: bytes, text: bytes, mine: "EllipticCurvePrivateKey | None" = None, salt: bytes | None = None
) -> bytes:
    """The text, sealed for that browser alone. Only a test, with the values of the RFC, gives `mine` and `salt`."""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), p256dh)
    mine, salt = mine or ec.generate_private_key(ec.SECP256R1()), salt or secrets.token_bytes(16)
    public = _public_of(mine)
    shared = _derived(mine.exchange(ec.ECDH(), theirs), auth, b"WebPush: info\0" + p256dh + public, 32)
    key = _derived(shared, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(shared, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + _RECORD.to_bytes(4, "big") + bytes([len(public)]) + public
    return header + AESGCM(key).encrypt(nonce, text + b"\x02", None)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length, salt, info).derive(secret)


def _public_of(key: "EllipticCurvePrivateKey") -> bytes:
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def write_base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
