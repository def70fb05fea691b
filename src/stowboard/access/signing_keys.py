"""Where keys live: in the database, so that every node has the same, or in the environment if its operator prefers.

`sign` keys sign cursors and URLs and are rotated: the newest two are live (see core.signing). The one `digest` key
turns tokens into what is stored of them and is never rotated, since every stored token would be lost with it.
"""

import hashlib
import secrets
from dataclasses import dataclass

from stowboard.core import clock
from stowboard.core.ids import new_id
from stowboard.core.signing import LIVE_KEYS, DigestKey, KeyId, SigningKey
from stowboard.db.database import Tx

SHORTEST_SECRET = 32


class Installation(str):
    """What tells this installation from another one, and is no secret."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class KeySettings:
    """Keys from the environment. Signing keys: newest first, at most two."""

    signing_keys: tuple[str, ...] = ()
    digest_key: str | None = None

    def validate(self) -> None:
        if len(self.signing_keys) > LIVE_KEYS:
            raise ValueError(f"STOWBOARD_SIGNING_KEYS takes at most {LIVE_KEYS} keys, the newest first.")
        if any(len(key) < SHORTEST_SECRET for key in self.signing_keys):
            raise ValueError(f"STOWBOARD_SIGNING_KEYS: each key needs at least {SHORTEST_SECRET} characters.")
        if self.digest_key is not None and len(self.digest_key) < SHORTEST_SECRET:
            raise ValueError(f"STOWBOARD_DIGEST_KEY needs at least {SHORTEST_SECRET} characters.")


async def ensure_keys(tx: Tx) -> None:
    """Make the first keys of an installation; safe to do from several nodes at once."""
    await tx.run(
        "INSERT INTO signing_key (id, purpose, secret, created_at) VALUES ('digest', 'digest', $1, $2)"
        " ON CONFLICT (id) DO NOTHING",
        secrets.token_bytes(32), clock.now_ms(),
    )  # fmt: skip
    await tx.run(
        "INSERT INTO signing_key (id, purpose, secret, created_at) VALUES ('installation', 'name', $1, $2)"
        " ON CONFLICT (id) DO NOTHING",
        secrets.token_bytes(16), clock.now_ms(),
    )  # fmt: skip
    if await tx.one("SELECT id FROM signing_key WHERE purpose = 'sign' LIMIT 1"):
        return  # the first one may have been rotated away
    await tx.run(
        "INSERT INTO signing_key (id, purpose, secret, created_at) VALUES ('k0', 'sign', $1, $2)"
        " ON CONFLICT (id) DO NOTHING",
        secrets.token_bytes(32), clock.now_ms(),
    )  # fmt: skip


async def load_signing_keys(tx: Tx, settings: KeySettings) -> list[SigningKey]:
    """The live signing keys, newest first."""
    if settings.signing_keys:
        return [SigningKey(_name(key), key.encode(), -age) for age, key in enumerate(settings.signing_keys)]
    rows = await tx.all(
        "SELECT id, secret, created_at FROM signing_key WHERE purpose = 'sign' ORDER BY created_at DESC LIMIT $1",
        LIVE_KEYS,
    )
    return [SigningKey(*row) for row in rows]


async def load_digest_key(tx: Tx, settings: KeySettings) -> DigestKey:
    if settings.digest_key is not None:
        return DigestKey(settings.digest_key.encode())
    row = await tx.one("SELECT secret FROM signing_key WHERE id = 'digest'")
    if row is None:
        raise LookupError("the database has no digest key; run `stowboard migrate`")
    return DigestKey(row[0])


async def load_installation(tx: Tx) -> Installation:
    row = await tx.one("SELECT secret FROM signing_key WHERE id = 'installation'")
    if row is None:
        raise LookupError("the database has no name of its installation; run `stowboard migrate`")
    return Installation(row[0].hex())


async def rotate_signing_key(tx: Tx) -> KeyId:
    """Add a key; it signs after a minute. The two newest stay live, older ones are removed."""
    key_id = KeyId(new_id("k"))
    await tx.run(
        "INSERT INTO signing_key (id, purpose, secret, created_at) VALUES ($1, 'sign', $2, $3)",
        key_id, secrets.token_bytes(32), clock.now_ms(),
    )  # fmt: skip
    await tx.run(
        "DELETE FROM signing_key WHERE purpose = 'sign' AND id NOT IN"
        " (SELECT id FROM signing_key WHERE purpose = 'sign' ORDER BY created_at DESC LIMIT $1)",
        LIVE_KEYS,
    )
    return key_id


def _name(secret: str) -> KeyId:
    """An id for a key of the environment: the same on every node, and telling nothing of the key."""
    return KeyId("e" + hashlib.sha256(b"key id\0" + secret.encode()).hexdigest()[:8])
