"""A vault key as it is kept: wrapped by its owner's client, opaque to the server."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.core.wording import EXPECTED

_BASE64 = r"^[A-Za-z0-9_-]*$"
_KEY_ID = r"^[A-Za-z0-9_-]{1,64}$"


def _base64(longest: int) -> Meta:
    expected = f"1 to {longest} characters of base64url (A-Z, a-z, 0-9, '-', '_') without padding"
    return Meta(min_length=1, max_length=longest, pattern=_BASE64, extra={EXPECTED: expected})


class KeyFile(msgspec.Struct, frozen=True, rename="camel"):
    """A vault key that a passphrase wraps; docs/api/zero-knowledge.md says how. The server checks its form alone."""

    version: Annotated[int, Meta(ge=1, le=1000)]
    algorithm: Annotated[str, Meta(min_length=1, max_length=32)]
    key_id: Annotated[
        str,
        Meta(pattern=_KEY_ID, max_length=64, extra={EXPECTED: "1 to 64 characters of A-Z, a-z, 0-9, '-', '_'"}),
    ]
    kdf: Annotated[str, Meta(min_length=1, max_length=32)]
    iterations: Annotated[int, Meta(ge=1, le=1_000_000_000)]
    salt: Annotated[str, _base64(128)]
    nonce: Annotated[str, _base64(64)]
    ciphertext: Annotated[str, _base64(1000)]


class VaultKey(msgspec.Struct, frozen=True, rename="camel"):
    """A key file, and since when it is kept."""

    key_file: KeyFile
    created_at: int
    updated_at: int

    @property
    def key_id(self) -> str:
        """The end of its address."""
        return self.key_file.key_id
