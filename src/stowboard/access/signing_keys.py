"""Keys: in the database, so that every node has the same, or in the environment if the operator prefers.

`sign` keys sign cursors and URLs; core.signing says which of them are live. `digest` keys make the digests of tokens
that are stored; the newest two are live, so another one is added only when the newest is in use. A token that was found
by the older one is stored again with the newer one. The first digest key stays, for things that are stored for a day
at most.
"""

import hashlib
import secrets
from typing import Annotated

import msgspec

from stowboard.core import clock
from stowboard.core.errors import Conflict
from stowboard.core.ids import new_id
from stowboard.core.settings.declared import Setting
from stowboard.core.settings.values import several
from stowboard.core.signing import DIGEST_KEYS, IN_USE_MS, DigestKey, KeyId, SigningKey
from stowboard.db.database import Tx

SHORTEST_SECRET = 32
#: The most keys of one kind in the environment.
MOST_KEYS = 2


class Installation(str):
    """The id of this installation, which tells it from others. It is no secret."""

    __slots__ = ()


class KeySettings(msgspec.Struct, frozen=True):
    """Keys from the environment, of each kind at most two, the newest first."""

    signing_keys: Annotated[tuple[str, ...], Setting("signing_keys", several)] = ()
    digest_keys: Annotated[tuple[str, ...], Setting("digest_key", several)] = ()

    def validate(self) -> None:
        for name, keys in (("SIGNING_KEYS", self.signing_keys), ("DIGEST_KEY", self.digest_keys)):
            if len(keys) > MOST_KEYS:
                raise ValueError(f"STOWBOARD_{name} takes at most {MOST_KEYS} keys, the newest first.")
            if any(len(key) < SHORTEST_SECRET for key in keys):
                raise ValueError(f"STOWBOARD_{name}: each key needs at least {SHORTEST_SECRET} characters.")


async def has_keys(tx: Tx) -> bool:
    """True if `ensure_keys` has nothing to do."""
    named = "id IN ('digest', 'installation', 'push')"
    row = await tx.one(f"SELECT count(DISTINCT purpose) FROM signing_key WHERE purpose = 'sign' OR {named}")
    return row is not None and row[0] == 4


async def ensure_keys(tx: Tx) -> None:
    """Make the first keys of an installation; safe to do from several nodes at once."""
    first = [("digest", "digest", 32), ("installation", "name", 16), ("push", "push", 32)]
    if not await tx.one("SELECT id FROM signing_key WHERE purpose = 'sign' LIMIT 1"):
        first.append(("k0", "sign", 32))  # only then: it may have been rotated away
    for key_id, purpose, size in first:
        await _add(tx, key_id, purpose, size)


async def load_signing_keys(tx: Tx, settings: KeySettings) -> list[SigningKey]:
    """The live signing keys, newest first."""
    return _of_environment(settings.signing_keys) or await _newest(tx, "sign")


async def load_digest_keys(tx: Tx, settings: KeySettings) -> list[SigningKey]:
    """The live keys of digests, newest first."""
    return _of_environment(settings.digest_keys) or await _newest(tx, "digest")


async def load_digest_key(tx: Tx, settings: KeySettings) -> DigestKey:
    first = await _secret(tx, "digest", "digest key")
    key = DigestKey(settings.digest_keys[-1].encode() if settings.digest_keys else first)
    key.renew(await load_digest_keys(tx, settings))
    return key


async def load_installation(tx: Tx) -> Installation:
    return Installation((await _secret(tx, "installation", "name of its installation")).hex())


async def load_push_key(tx: Tx) -> bytes:
    """The secret of the key pair by which push services know this installation; it is never rotated."""
    return await _secret(tx, "push", "key for pushes")


async def rotate_signing_key(tx: Tx) -> KeyId:
    """Add a key; it signs after a minute. Keys older than the one in use are removed."""
    key_id = KeyId(new_id("k"))
    await _add(tx, key_id, "sign")
    await tx.run(
        "DELETE FROM signing_key WHERE purpose = 'sign' AND created_at <"
        " (SELECT max(created_at) FROM signing_key WHERE purpose = 'sign' AND created_at <= $1)",
        clock.now_ms() - IN_USE_MS,
    )
    return key_id


async def rotate_digest_key(tx: Tx) -> KeyId:
    """Add a key for digests. A token that is not used between two rotations is unknown after the second.

    Raises Conflict while the newest key is not in use everywhere: digests by the one before it would be lost.
    """
    sql = "SELECT 1 FROM signing_key WHERE purpose = 'digest' AND id <> 'digest' AND created_at > $1 LIMIT 1"
    if await tx.one(sql, clock.now_ms() - IN_USE_MS) is not None:
        raise Conflict("A digest key was added in the last two minutes. Wait until every process uses it.")
    key_id = KeyId(new_id("k"))
    await _add(tx, key_id, "digest")
    await tx.run(
        "DELETE FROM signing_key WHERE purpose = 'digest' AND id <> 'digest' AND id NOT IN"
        " (SELECT id FROM signing_key WHERE purpose = 'digest' ORDER BY created_at DESC, id DESC LIMIT $1)",
        DIGEST_KEYS,
    )
    return key_id


async def _add(tx: Tx, key_id: str, purpose: str, size: int = 32) -> None:
    await tx.run(
        "INSERT INTO signing_key (id, purpose, secret, created_at) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING",
        key_id, purpose, secrets.token_bytes(size), clock.now_ms(),
    )  # fmt: skip


async def _secret(tx: Tx, key_id: str, called: str) -> bytes:
    row = await tx.one("SELECT secret FROM signing_key WHERE id = $1", key_id)
    if row is None:
        raise LookupError(f"the database has no {called}; run `stowboard upgrade`")
    return bytes(row[0])


async def _newest(tx: Tx, purpose: str) -> list[SigningKey]:
    sql = "SELECT id, secret, created_at FROM signing_key WHERE purpose = $1 ORDER BY created_at DESC, id DESC"
    rows = await tx.all(sql, purpose)
    return [SigningKey(*row) for row in rows]


def _of_environment(keys: tuple[str, ...]) -> list[SigningKey]:
    # The id of such a key is the same on every node, and tells nothing of the key.
    ids = [KeyId("e" + hashlib.sha256(b"key id\0" + key.encode()).hexdigest()[:8]) for key in keys]
    return [SigningKey(ids[age], key.encode(), -age) for age, key in enumerate(keys)]
