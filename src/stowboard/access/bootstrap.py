"""The first start of an installation: an admin token to begin with, and a link to make the first account."""

import msgspec

from stowboard.access.base import account_store, tickets
from stowboard.access.base.tickets import NewTicket, TicketPurpose
from stowboard.access.bearers import find_bearer
from stowboard.access.signing_keys import KeySettings, load_digest_key
from stowboard.access.tokens import NewToken, create_token, make_secret
from stowboard.core import clock
from stowboard.core.scopes import ADMIN, Scopes
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events.audit import OPERATOR

FIRST_OWNER = "admin"


class FirstStart(msgspec.Struct, frozen=True):
    """Secrets that the first start shows once. Both are None from the second start on."""

    token: str | None = None
    #: The secret of the link by which the first account is made.
    ticket: str | None = None


async def bootstrap(tx: Tx, scopes: Scopes, keys: KeySettings, given: str | None) -> FirstStart:
    """Make the first admin token and a set-up link, if this is the first start and nobody has made a token.

    A token given by the operator is stored once and is never shown; one that was revoked stays revoked.
    """
    key = await load_digest_key(tx, keys)
    first = await tx.run(
        "INSERT INTO installation (id, created_at) VALUES (1, $1) ON CONFLICT (id) DO NOTHING", clock.now_ms()
    )
    if given is not None:
        if await find_bearer(tx, key.digests(given)) is None:
            await _create_admin(tx, key, scopes, given)
        return FirstStart()
    if not first or await tx.one("SELECT 1 FROM access_token WHERE scopes LIKE '%admin' LIMIT 1"):
        return FirstStart()
    secret = make_secret()
    await _create_admin(tx, key, scopes, secret)
    if await account_store.has_any(tx):
        return FirstStart(secret)
    _, ticket = await tickets.issue(tx, key, NewTicket(TicketPurpose.SETUP, OPERATOR.name))
    return FirstStart(secret, ticket)


async def _create_admin(tx: Tx, key: DigestKey, scopes: Scopes, secret: str) -> None:
    new = NewToken(FIRST_OWNER, [*scopes.default, ADMIN], name="first admin token")
    await create_token(tx, key, new, secret)
