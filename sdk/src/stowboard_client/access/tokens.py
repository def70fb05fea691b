"""Access tokens: issue, list, read, revoke. Everything but `get_own` needs an admin token."""

from collections.abc import Sequence
from typing import Literal

from msgspec import UNSET

from stowboard_client.transport.call import Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource


class Token(Model, frozen=True, kw_only=True):
    """A token without its secret. Timestamps are milliseconds since the epoch."""

    id: str
    owner: str
    scopes: tuple[str, ...]
    kind: str
    admin: bool
    created_at: int
    namespace: str | None = None
    name: str | None = None
    expires_at: int | None = None
    revoked_at: int | None = None
    last_used_at: int | None = None


class IssuedToken(Token, frozen=True, kw_only=True):
    #: The secret itself. The service shows it this once.
    token: str


def create_token(
    owner: str,
    *,
    admin: Maybe[bool] = UNSET,
    namespace: Maybe[str | None] = UNSET,
    scopes: Maybe[Sequence[str]] = UNSET,
    kind: Maybe[Literal["automation", "interactive"]] = UNSET,
    expires_in: Maybe[int | None] = UNSET,
    name: Maybe[str | None] = UNSET,
    idempotency_key: str | None = None,
) -> Call[IssuedToken]:
    """Issue a token that acts as `owner`; it expires `expires_in` seconds from now, or never."""
    body = members(
        owner=owner, admin=admin, namespace=namespace, scopes=scopes, kind=kind, expires_in=expires_in, name=name
    )
    return Call("POST", "/access/tokens", data(IssuedToken), body=body, idempotency_key=idempotency_key)


def list_tokens(*, limit: int | None = None) -> Call[Page[Token]]:
    """The live tokens of every owner; `limit` is the size of a page."""
    return Call("GET", "/access/tokens", whole(Page[Token]), query={"limit": limit})


def get_token(token_id: str) -> Call[Token]:
    """One live token."""
    return Call("GET", path("/access/tokens/{}", token_id), data(Token))


def get_own_token() -> Call[Token]:
    """The token that this client uses: its owner and its scopes. Needs no scope."""
    return Call("GET", "/access/token", data(Token))


def revoke_token(token_id: str, *, idempotency_key: str | None = None) -> Call[Deleted]:
    return Call("DELETE", path("/access/tokens/{}", token_id), data(Deleted), idempotency_key=idempotency_key)


class Tokens(Resource[D]):
    create = Operation("createToken", create_token)
    list = Listing("listTokens", list_tokens)
    get = Operation("getToken", get_token)
    own = Operation("getOwnToken", get_own_token)
    revoke = Operation("revokeToken", revoke_token)
