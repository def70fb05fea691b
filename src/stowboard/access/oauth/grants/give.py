"""The tokens of a grant: an access token for an hour, and a refresh token for the next one."""

import msgspec

from stowboard.access import tokens
from stowboard.access.base.account import Account
from stowboard.access.base.grant_store import OAuthGrant
from stowboard.access.oauth.grants import consent_store, refresh_store
from stowboard.access.oauth.grants.refresh_store import RefreshToken
from stowboard.access.tokens import NewToken
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx

LIFETIME_SECONDS = 3600


class GrantedTokens(msgspec.Struct, frozen=True):
    access: str
    refresh: str
    scopes: list[str]

    def answer(self) -> dict[str, object]:
        return {
            "access_token": self.access, "token_type": "Bearer", "expires_in": LIFETIME_SECONDS,
            "refresh_token": self.refresh, "scope": " ".join(self.scopes),
        }  # fmt: skip


class OAuthRefusal(msgspec.Struct, frozen=True):
    """An error of OAuth instead of tokens. It is returned, not raised: what the transaction has ended stays ended."""

    error: str
    description: str
    #: True if that is in the audit log already.
    recorded: bool = False


WRONG_GRANT = OAuthRefusal("invalid_grant", "It is unknown, used, expired, or another's.")


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
    return GrantedTokens(access, refresh, scopes)
