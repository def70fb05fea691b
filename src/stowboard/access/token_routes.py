"""Access tokens over HTTP, for admins."""

from typing import Annotated, Any

import msgspec

from stowboard.access import endings, tokens
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.owners import Owners
from stowboard.access.tokens import NewToken, OwnerName, TokenName, TokenSpaces
from stowboard.api.endpoint import Answer, AnyCall, Call, DeletedWithEnded, Endpoint, PageMeta, view_of
from stowboard.api.paging import Page, PageQuery
from stowboard.core.caller import Namespace, TokenKind
from stowboard.core.errors import Conflict, NotFound
from stowboard.core.scopes import ADMIN, ScopeName, Scopes
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import Actor, actor_of


class TokenBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A new token: its owner, scopes, kind and lifetime."""

    owner: OwnerName
    admin: Annotated[bool, msgspec.Meta(description="Adds the scope admin.")] | None = False
    namespace: Annotated[Namespace, msgspec.Meta(description="The app that it belongs to.")] | None = None
    scopes: (
        Annotated[
            list[ScopeName],
            msgspec.Meta(max_length=20, description="Default: all scopes but `admin` and `spaces:manage`."),
        ]
        | None
    ) = None
    kind: TokenKind | None = None
    expires_in: (
        Annotated[
            int, msgspec.Meta(ge=1, le=tokens.MAX_LIFETIME_SECONDS, description="Seconds; default: it never ends.")
        ]
        | None
    ) = None
    name: TokenName | None = None
    spaces: TokenSpaces | None = None


class TokenView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A token, without its secret."""

    id: str
    owner: str
    scopes: list[str]
    admin: bool
    namespace: str | None
    kind: TokenKind
    name: str
    spaces: Annotated[list[str], msgspec.Meta(description="The spaces that it reaches: ids, `own` or `all`.")]
    created_at: int
    expires_at: int | None
    revoked_at: int | None
    last_used_at: int | None


class TokenWithSecret(TokenView, frozen=True, rename="camel", kw_only=True):
    """A token with its secret, which is shown this once."""

    token: str


async def create_token(tx: Tx, call: Call[TokenBody, None]) -> TokenWithSecret:
    """Issue an access token.

    The secret is in `token` and is shown this once; the server keeps only a digest of it. Where an account has the
    owner's name, its role decides: `admin` holds only while the account is an admin's.
    """
    body = call.body
    new = NewToken(
        owner=body.owner,
        scopes=call.use(Scopes).granted(body.scopes, bool(body.admin), call.caller.scopes),
        namespace=body.namespace,
        kind=body.kind or TokenKind.AUTOMATION,
        name=body.name or "",
        expires_in=body.expires_in,
        spaces=tokens.checked_spaces(call.caller, body.spaces),
    )
    await tokens.check_role(tx, new)
    actor, owner = actor_of(call.caller), new.owner
    issued = await issue(tx, call, actor, new, owner=owner, scopes=new.scopes, namespace=new.namespace)
    await tokens.tell_owner(tx, owner, issued.id, call.caller.owner)
    return issued


async def issue(tx: Tx, call: AnyCall, actor: Actor, new: NewToken, **facts: Any) -> TokenWithSecret:
    """Make a token, and show its secret this once. The facts are for the audit log."""
    secret = tokens.make_secret()
    token = await tokens.create_token(tx, call.use(DigestKey), new, secret)
    await audit.record(tx, actor, "token.create", token.id, data=facts)
    return TokenWithSecret(token=secret, **msgspec.structs.asdict(view_of(TokenView, token)))


async def list_tokens(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the live tokens of every owner, newest first."""
    page = Page(call, "tokens")
    listed = await tokens.list_tokens(tx, page.after, page.size)
    return page.answer([view_of(TokenView, token) for token in listed.items], listed.end)


async def get_token(tx: Tx, _: Call[None, None], token_id: str) -> TokenView:
    """Read one live token."""
    token = await tokens.get_token(tx, token_id)
    if token.revoked_at is not None:
        raise NotFound
    return view_of(TokenView, token)


async def get_own_token(tx: Tx, call: Call[None, None]) -> TokenView:
    """Read the token of this very request: whose it is and what it may do."""
    token = await tokens.get_token(tx, call.caller.token_id)
    held = [scope for scope in token.scopes if scope in call.caller.scopes]
    return view_of(TokenView, msgspec.structs.replace(token, scopes=held))


async def revoke_token(tx: Tx, call: Call[None, None], token_id: str) -> DeletedWithEnded:
    """Revoke a token. It stops working in every process within a second.

    What was made with it ends too, and `ended` names it: webhooks, calendars, invitations, open uploads, signed URLs.
    """
    ended = await endings.revoke_token(tx, call.use(Owners), token_id)
    await audit.record(tx, actor_of(call.caller), "token.revoke", token_id)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return DeletedWithEnded(token_id, ended=ended)


TOKEN_EXAMPLE = {
    "id": "tok_01kbr2x4q8e9w6y3t7n5m1c0vz", "owner": "alice", "scopes": ["tasks:read", "tasks:write"], "admin": False,
    "namespace": None, "kind": "automation", "name": "nightly report", "spaces": ["own", "spc_library"],
    "createdAt": 1794700000000, "expiresAt": None,
    "revokedAt": None, "lastUsedAt": 1794703600000,
}  # fmt: skip

ENDPOINTS = [
    Endpoint(
        "POST", "/access/tokens", create_token, TokenWithSecret, scope=ADMIN, body=TokenBody, status=201, secret=True,
        errors=[Conflict],
        example_body={"owner": "alice", "scopes": ["tasks:read", "tasks:write"], "name": "nightly report"},
        example={**TOKEN_EXAMPLE, "token": "stow_…"},
    ),
    Endpoint(
        "GET", "/access/tokens", list_tokens, list[TokenView], scope=ADMIN, query=PageQuery, meta=PageMeta,
        example=[TOKEN_EXAMPLE],
    ),
    Endpoint("GET", "/access/tokens/{token_id}", get_token, TokenView, scope=ADMIN, example=TOKEN_EXAMPLE),
    Endpoint("GET", "/access/token", get_own_token, TokenView, example=TOKEN_EXAMPLE),
    Endpoint(
        "DELETE", "/access/tokens/{token_id}", revoke_token, DeletedWithEnded, scope=ADMIN,
        example={"id": "tok_01kbr2x4q8e9w6y3t7n5m1c0vz", "deleted": True, "ended": {"webhooks": 1}},
    ),
]  # fmt: skip
