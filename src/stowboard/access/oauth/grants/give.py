"""The tokens of a grant: an access token for an hour, and a refresh token for the next one."""

import msgspec

from stowboard.access import tokens
from stowboard.access.base import grant_store
from stowboard.access.base.account import Account
from stowboard.access.base.grant_store import GrantId, OAuthGrant
from stowboard.access.oauth.applications import application_store
from stowboard.access.oauth.applications.application import OAuthApplication
from stowboard.access.oauth.grants import consent_store, refresh_store
from stowboard.access.oauth.grants.refresh_store import RefreshToken
from stowboard.access.tokens import NewToken
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor

LIFETIME_SECONDS = 3600


class GrantedTokens(msgspec.Struct, frozen=True):
    grant_id: GrantId
    access: str
    refresh: str
    scopes: list[str]

    def answer(self) -> dict[str, object]:
        return {
            "access_token": self.access, "token_type": "Bearer", "expires_in": LIFETIME_SECONDS,
            "refresh_token": self.refresh, "scope": " ".join(self.scopes),
        }  # fmt: skip


class OAuthRefusal(msgspec.Struct, frozen=True):
    """An error of OAuth instead of tokens. It is returned, not raised, so that the transaction keeps what it ended."""

    error: str
    description: str
    #: True if that is in the audit log already.
    recorded: bool = False


WRONG_GRANT = OAuthRefusal("invalid_grant", "It is unknown, used, expired, or another's.")


async def begin_grant(
    tx: Tx, key: DigestKey, account: Account, application: OAuthApplication, door: str, scopes: list[str], address: str
) -> GrantedTokens:
    """Let the application act for the person who has allowed it. This transaction has locked the application."""
    client_id = application.client_id
    grant = await grant_store.begin(tx, account.id, client_id, door, scopes, application.kind)
    await application_store.note_use(tx, client_id)
    facts = {"client": client_id, "scopes": scopes, "resource": door}
    await audit.record(tx, Actor(account.username, address=address), "grant.create", grant.id, data=facts)
    return await give_tokens(tx, key, grant, account, application.name, scopes)


async def give_tokens(
    tx: Tx, key: DigestKey, grant: OAuthGrant, account: Account, name: str, scopes: list[str],
    parent: RefreshToken | None = None,
) -> GrantedTokens:  # fmt: skip
    """`grant` is locked by this transaction, or was begun by it; `parent` is the refresh token that was brought."""
    access = tokens.make_secret()
    spaces = await consent_store.note_use(tx, grant.account_id, grant.client_id, grant.resource)
    new = NewToken(
        owner=account.username, scopes=scopes, kind=grant.kind, name=name, expires_in=LIFETIME_SECONDS,
        client_id=grant.client_id, account_id=account.id, grant_id=grant.id, resource=grant.resource,
        spaces=spaces,
    )  # fmt: skip
    token = await tokens.create_token(tx, key, new, access)
    refresh = await refresh_store.make(tx, key, grant, token.id, parent)
    return GrantedTokens(grant.id, access, refresh, scopes)
