"""Requests to the provider, as rows: sealed, for one browser, ten minutes and one answer."""

import secrets
from enum import StrEnum

import msgspec

from stowboard.access.tokens import is_possible
from stowboard.core import clock
from stowboard.core.sealing import SealedElsewhere, Sealing
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.table import forget_old

#: As long as the cookie of the browser lives.
LIFETIME_SECONDS = 600
_PURPOSE = "provider request"


class ProviderIntent(StrEnum):
    SIGN_IN = "sign_in"
    #: Connects the provider to the account that is signed in.
    LINK = "link"
    #: Uses a link of ours, such as an invitation.
    ACCEPT = "accept"


class ProviderRequest(msgspec.Struct, frozen=True, kw_only=True):
    intent: ProviderIntent
    redirect_uri: str
    #: The path that the person goes on to, here.
    onward: str
    nonce: str
    #: The code verifier of PKCE.
    verifier: str
    #: The session that asked to connect the provider.
    session_id: str | None = None
    #: The secret of the link to use, and its person's choices.
    ticket: str | None = None
    username: str | None = None
    display_name: str | None = None
    email: str | None = None


_read = msgspec.json.Decoder(ProviderRequest).decode


def new_secret() -> str:
    return secrets.token_urlsafe(32)


async def keep(tx: Tx, key: DigestKey, sealing: Sealing, state: str, browser: str, asked: ProviderRequest) -> None:
    """`browser` is the secret of its cookie."""
    await tx.run(
        "INSERT INTO provider_request (digest, browser, content, expires_at) VALUES ($1, $2, $3, $4)",
        key.digest(state), key.digest(browser), sealing.seal(_PURPOSE, msgspec.json.encode(asked)),
        clock.now_ms() + LIFETIME_SECONDS * 1000,
    )  # fmt: skip


async def take(tx: Tx, key: DigestKey, sealing: Sealing, state: str, browser: str) -> ProviderRequest | None:
    """The request that this browser made, which is then used up; None if it made none."""
    if not is_possible(state) or not is_possible(browser):
        return None
    row = await tx.one(
        "DELETE FROM provider_request WHERE digest IN ($1, $2) AND browser IN ($3, $4) AND expires_at > $5"
        " RETURNING content",
        *key.digests(state), *key.digests(browser), clock.now_ms(),
    )  # fmt: skip
    try:
        return _read(sealing.open(_PURPOSE, bytes(row[0]))) if row else None
    except SealedElsewhere:
        return None


forget_requests = forget_old("provider_request", "digest")
