"""Tokens of a space: for automation that outlives its members. And spaces as admins see them."""

from typing import Annotated

import msgspec
from msgspec import Meta

from stowboard.access import endings, tokens
from stowboard.access.accounts.person import get_present_person
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base.errors import AccountRequired, StepUpRequired
from stowboard.access.base.wire import Username
from stowboard.access.member_routes import MemberView, show_member
from stowboard.access.owners import Owners
from stowboard.access.space_routes import SPACE_ID
from stowboard.access.spaces import members, space_store
from stowboard.access.spaces.space import NotShared
from stowboard.access.token_routes import TOKEN_EXAMPLE, TokenView, TokenWithSecret, issue
from stowboard.access.tokens import NewToken, TokenName
from stowboard.api.endpoint import Answer, Call, DeletedWithEnded, Endpoint, PageMeta, view_of
from stowboard.api.paging import Page, PageQuery
from stowboard.core.errors import Conflict, InsufficientScope, NotFound
from stowboard.core.reach import OWN, Role
from stowboard.core.scopes import ADMIN, MANAGE_SPACES, ScopeName, Scopes
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import actor_of


class SpaceTokenBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A token of the space: its name, scopes and lifetime."""

    name: TokenName
    scopes: (
        Annotated[
            list[ScopeName],
            Meta(
                max_length=20,
                description="At most your own, never `admin` or `spaces:manage`; default: all others that you have.",
            ),
        ]
        | None
    ) = None
    expires_in: (
        Annotated[int, Meta(ge=1, le=tokens.MAX_LIFETIME_SECONDS, description="Seconds; default: no end.")] | None
    ) = None


class SpaceSummary(msgspec.Struct, frozen=True, rename="camel"):
    """A shared space, for admins."""

    id: str
    name: str
    members: int
    created_at: int
    trashed_at: int | None
    orphaned: Annotated[bool, Meta(description="True if no manager can sign in.")]


class ManagerBody(msgspec.Struct, frozen=True):
    """The person who becomes the manager."""

    username: Username


async def create_space_token(tx: Tx, call: Call[SpaceTokenBody, None], space_id: str) -> TokenWithSecret:
    """Make a token whose owner is the space: it acts there as editor, and nowhere else. It is shown this once.

    Needs a fresh proof of identity. It ends when the one who made it leaves the space.
    """
    person, body = await get_present_person(tx, call.caller), call.body
    space = await space_store.lock_space(tx, call.access, space_id)
    members.check_shared(space)
    asked = call.use(Scopes).granted(body.scopes, admin=False, held=call.caller.scopes)
    beyond = [scope for scope in asked if scope not in call.caller.scopes or scope in (ADMIN, MANAGE_SPACES)]
    if beyond:
        raise InsufficientScope(f"A token of a space has at most your scopes, and never {beyond[0]}.")
    new = NewToken(
        owner=space.id, scopes=asked, name=body.name, expires_in=body.expires_in, spaces=(OWN,),
        made_by=person.account.username,
    )  # fmt: skip
    return await issue(tx, call, person.actor, new, scopes=asked, spaceId=space.id)


async def list_space_tokens(tx: Tx, call: Call[None, PageQuery], space_id: str) -> Answer:
    """List the live tokens of a space, newest first."""
    space = await space_store.get_space(tx, call.access, space_id)
    page = Page(call, "space tokens", space.id)
    listed = await tokens.list_of_owner(tx, space.id, page.after, page.size)
    return page.answer([view_of(TokenView, each) for each in listed.items], listed.end)


async def revoke_space_token(tx: Tx, call: Call[None, None], space_id: str, token_id: str) -> DeletedWithEnded:
    """Revoke a token of a space. It stops working in every process within a second.

    What was made with it ends too, and `ended` names it: webhooks, calendars, invitations, open uploads, signed URLs.
    """
    space = await space_store.get_space(tx, call.access, space_id)
    if (await tokens.get_token(tx, token_id)).owner != space.id:
        raise NotFound
    ended = await endings.revoke_token(tx, call.use(Owners), token_id)
    await audit.record_in(tx, call.caller, space.id, "token.revoke", token_id)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return DeletedWithEnded(token_id, ended=ended)


async def list_all_spaces(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List every shared space, newest first: its name and how many are in it, nothing of what it holds."""
    page = Page(call, "all spaces")
    listed = await space_store.SPACES.page(tx, page.after, page.size)
    ids = [space.id for space in listed.items]
    counts, managed = await space_store.count_members(tx, ids), await space_store.find_managed(tx, ids)
    views = [
        SpaceSummary(
            space.id, space.name, counts.get(space.id, 0), space.created_at, space.trashed_at,
            orphaned=space.everyone is None and space.id not in managed,
        )
        for space in listed.items
    ]  # fmt: skip
    return page.answer(views, listed.end)


async def adopt_space(tx: Tx, call: Call[ManagerBody, None], space_id: str) -> MemberView:
    """Make somebody the manager of a space where no manager can sign in."""
    space = await space_store.lock_any(tx, space_id)
    if space.id in await space_store.find_managed(tx, [space.id]):
        raise Conflict("A manager of this space can sign in. Ask them.")
    members.check_shared(space)
    actor, username = actor_of(call.caller), call.body.username
    if await space_store.find_member(tx, space.id, username) is None:
        member = await members.add_member(tx, actor, space, username, Role.MANAGER)
    else:
        member, _ = await members.change_member(tx, actor, call.use(Owners), space, username, Role.MANAGER)
    await audit.record(tx, actor, "space.adopt", space.id, data={"username": username})
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return await show_member(tx, member)


_TOKENS = "/spaces/{space_id}/tokens"
_MEMBER = {
    "username": "bob",
    "displayName": "Bob",
    "role": "manager",
    "status": "member",
    "addedBy": "admin",
    "createdAt": 1794700000000,
}
_TOKEN = {**TOKEN_EXAMPLE, "owner": SPACE_ID, "spaces": [OWN]}

ENDPOINTS = [
    Endpoint(
        "POST", _TOKENS, create_space_token, TokenWithSecret, scope=MANAGE_SPACES, body=SpaceTokenBody, status=201,
        secret=True, errors=[NotShared, AccountRequired, StepUpRequired],
        example_body={"name": "shopping list of the fridge"}, example={**_TOKEN, "token": "stow_…"},
    ),
    Endpoint(
        "GET", _TOKENS, list_space_tokens, list[TokenView], scope=MANAGE_SPACES, query=PageQuery, meta=PageMeta,
        errors=[NotShared],
        example=[_TOKEN],
    ),
    Endpoint(
        "DELETE", f"{_TOKENS}/{{token_id}}", revoke_space_token, DeletedWithEnded, scope=MANAGE_SPACES,
        errors=[NotShared],
        example={"id": _TOKEN["id"], "deleted": True, "ended": {"webhooks": 1}},
    ),
    Endpoint(
        "GET", "/access/spaces", list_all_spaces, list[SpaceSummary], scope=ADMIN, query=PageQuery, meta=PageMeta,
        example=[{"id": SPACE_ID, "name": "Home", "members": 2, "createdAt": 1794700000000, "trashedAt": None,
                  "orphaned": False}],
    ),
    Endpoint(
        "POST", "/access/spaces/{space_id}/manager", adopt_space, MemberView, scope=ADMIN, body=ManagerBody,
        errors=[NotShared, Conflict], example_body={"username": "bob"}, example=_MEMBER,
    ),
]  # fmt: skip
