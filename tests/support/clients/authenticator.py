"""An authenticator in software: makes passkeys and signs with them as a phone does, or wrongly, as a test wants it."""

import base64
import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


@dataclass
class Authenticator:
    """Holds one passkey. `origin` is where the browser says that it is."""

    origin: str
    rp_id: str = "localhost"
    count: int = 0
    flags: int = PRESENT | VERIFIED
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    handle: bytes = b""
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))

    def make(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to options of a registration."""
        self.handle = read(options["user"]["id"])
        numbers = self.key.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32, "big"), numbers.y.to_bytes(32, "big")
        cose = cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + cose
        data = self._data(ATTESTED) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options)
        return self._answer({"clientDataJSON": write(client), "attestationObject": write(attestation)})

    def sign(self, options: dict[str, Any]) -> dict[str, Any]:
        """The answer to options of a sign-in."""
        client, data = self._client("webauthn.get", options), self._data()
        signature = self.key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        return self._answer(
            {
                "clientDataJSON": write(client),
                "authenticatorData": write(data),
                "signature": write(signature),
                "userHandle": write(self.handle),
            }
        )

    def _data(self, more: int = 0) -> bytes:
        flags = bytes([self.flags | more])
        return hashlib.sha256(self.rp_id.encode()).digest() + flags + self.count.to_bytes(4, "big")

    def _client(self, kind: str, options: dict[str, Any]) -> bytes:
        said = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}
        return json.dumps(said).encode()

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        name = write(self.credential)
        return {"id": name, "rawId": name, "type": "public-key", "response": response, "clientExtensionResults": {}}


def write(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def read(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
