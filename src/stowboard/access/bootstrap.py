"""The first start of an installation: an admin token to begin with."""

from stowboard.access.signing_keys import KeySettings, load_digest_key
from stowboard.access.tokens import NewToken, create_token, digest, find_by_digest, make_secret
from stowboard.core import clock
from stowboard.core.scopes import ADMIN, Scopes
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx

FIRST_OWNER = "admin"


async def bootstrap(tx: Tx, scopes: Scopes, keys: KeySettings, given: str | None) -> str | None:
    """The secret of the first admin token, if this is the first start and nobody has made one.

    A token given by the operator is stored once and is never shown; one that was revoked stays revoked.
    """
    key = await load_digest_key(tx, keys)
    first = await tx.run(
        "INSERT INTO installation (id, created_at) VALUES (1, $1) ON CONFLICT (id) DO NOTHING", clock.now_ms()
    )
    if given is not None:
        if await find_by_digest(tx, digest(key, given)) is None:
            await _create_admin(tx, key, scopes, given)
        return None
    if not first or await tx.one("SELECT 1 FROM access_token WHERE scopes LIKE '%admin' LIMIT 1"):
        return None
    secret = make_secret()
    await _create_admin(tx, key, scopes, secret)
    return secret


async def _create_admin(tx: Tx, key: DigestKey, scopes: Scopes, secret: str) -> None:
    new = NewToken(FIRST_OWNER, [*scopes.default, ADMIN], name="first admin token")
    await create_token(tx, key, new, secret)
