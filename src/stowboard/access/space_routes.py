"""Spaces over HTTP: those in reach, and what their managers do with them."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from stowboard.access.accounts.person import get_person
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base.errors import AccountRequired
from stowboard.access.endings import EndingWay, end, end_role
from stowboard.access.owners import Owners
from stowboard.access.spaces import space_store
from stowboard.access.spaces.emptying import empty_later
from stowboard.access.spaces.members import check_shared, keep, require_room_in_spaces, trash
from stowboard.access.spaces.space import LONGEST_NAME, NotShared, Space, SpaceKind, SpaceMember
from stowboard.api.endpoint import Answer, AnyCall, Call, Deleted, Ended, Endpoint, PageMeta
from stowboard.api.paging import Page, PageQuery
from stowboard.core import clock
from stowboard.core.errors import AdminRequired, Conflict, TooManyItems
from stowboard.core.ids import new_id
from stowboard.core.plain_text import ONE_LINE, checked_line
from stowboard.core.reach import LIBRARY, Role, is_shared, space_id_of
from stowboard.core.scopes import MANAGE_SPACES
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings
from stowboard.events import audit, kinds
from stowboard.events.audit import actor_of
from stowboard.events.kinds import SpaceEvent
from stowboard.events.outbox import emit

SpaceName = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, extra_json_schema=ONE_LINE)]


class SpaceBody(msgspec.Struct, frozen=True):
    """A new space: its name."""

    name: SpaceName


class SpacePatch(msgspec.Struct, frozen=True):
    """Another name, or another role for everybody. An omitted member keeps its value."""

    name: SpaceName | UnsetType = UNSET
    everyone: (
        Annotated[Role, Meta(description="The role of all who are no members, or null. Only admins open a space.")]
        | None
        | UnsetType
    ) = UNSET


class SpaceView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """A space in which the token acts, and as what."""

    id: str
    kind: SpaceKind
    name: str
    role: Role
    everyone: Role | None
    members: Annotated[int, Meta(description="How many members it has; 1 for one's own.")]
    created_at: int | None
    updated_at: int | None
    version: int
    trashed_at: int | None


class TrashedSpaceView(SpaceView, frozen=True, kw_only=True):
    """A space in the trash, and what ended when it was put there."""

    ended: Ended


async def create_space(tx: Tx, call: Call[SpaceBody, None]) -> SpaceView:
    """Make a shared space. You are its manager; invite others, or add them."""
    person = await get_person(tx, call.caller)
    username = person.account.username
    await require_room_in_spaces(tx, username)
    now = clock.now_ms()
    space = Space(new_id("spc"), checked_line("name", call.body.name), None, username, now, now, 1, None)
    await space_store.SPACES.insert(tx, space)
    await space_store.MEMBERS.insert(tx, SpaceMember(space.id, username, Role.MANAGER, username, now))
    await emit(tx, kinds.SPACE_CREATED, space.id, space.id, SpaceEvent(space.id, space.version))
    await audit.record(tx, person.actor, "space.create", space.id)
    await call.use(Owners).begin_space(tx, space.id)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return _shared(space, Role.MANAGER, 1)


async def list_spaces(tx: Tx, call: Call[None, PageQuery]) -> Answer:
    """List the spaces that the token reaches: one's own, the Library, then the shared ones, oldest first.

    Those in the trash are shown to their managers.
    """
    reach, page = call.caller.reach, Page(call, "spaces", call.caller.token_id)
    trashed = {space.id: space for space in await space_store.find_in_trash(tx, call.access)}
    places = sorted(_place(owner) for owner in {*reach.roles, *trashed})
    wanted = [place for place in places if page.after is None or place > page.after]
    shown = [owner for _, owner in wanted[: page.size]]
    spaces = await space_store.find_spaces(tx, shown) | trashed
    counts = await space_store.count_members(tx, shown)
    views = [
        _shared(spaces[owner], reach.roles.get(owner, Role.MANAGER), counts.get(owner, 0))
        if is_shared(owner)
        else _personal(owner)
        for owner in shown
        if not is_shared(owner) or owner in spaces
    ]
    return page.answer(views, wanted[page.size - 1] if len(wanted) > page.size else None)


async def get_space(tx: Tx, call: Call[None, None], space_id: str) -> SpaceView:
    """Read one space. Its managers read it in the trash too."""
    if space_id not in call.access.reach.roles and is_shared(space_id):
        return await show(tx, call, await space_store.get_in_trash(tx, call.access, space_id))
    owner = call.access.reach.find(space_id)
    if not is_shared(owner):
        return _personal(owner)
    return await show(tx, call, await space_store.get_space(tx, call.access, space_id))


async def update_space(tx: Tx, call: Call[SpacePatch, None], space_id: str) -> SpaceView:
    """Rename a space, or give everybody who can sign in a role in it."""
    space, body = await space_store.lock_space(tx, call.access, space_id), call.body
    everyone = space.everyone if body.everyone is UNSET else body.everyone
    if everyone is Role.MANAGER:
        raise Conflict("everyone: a manager is a member. Choose viewer, commenter or editor.")
    if space.everyone is None and everyone is not None and not call.caller.admin:
        raise AdminRequired("Only an admin opens a space to everybody.")
    name = space.name if body.name is UNSET else checked_line("name", body.name)
    if (name, everyone) != (space.name, space.everyone):
        actor, was = actor_of(call.caller), space.everyone
        space = await keep(tx, actor, space, kinds.SPACE_UPDATED, "space.change", name=name, everyone=everyone)
        if was is not None and (everyone is None or not everyone.includes(was)):
            await end_role(tx, call.use(Owners), space.id, everyone, None)
        tx.after_commit(call.use(TokenAuthenticator).forget)
    return await show(tx, call, space)


async def trash_space(tx: Tx, call: Call[None, None], space_id: str) -> TrashedSpaceView:
    """Put a space in the trash: nobody reaches anything in it. Its managers still see it, to restore it.

    Tokens of the space, invitations, webhooks, calendars, open uploads and signed URLs end, and `ended` names them.
    Members make them again after the restore.
    """
    if space_id not in call.access.reach.roles and is_shared(space_id):
        space = await space_store.lock_in_trash(tx, call.access, space_id)
        return TrashedSpaceView(**msgspec.structs.asdict(await show(tx, call, space)), ended={})
    space = await space_store.lock_space(tx, call.access, space_id)
    check_shared(space)
    space, ended = await trash(tx, actor_of(call.caller), call.use(Owners), space)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return TrashedSpaceView(**msgspec.structs.asdict(await show(tx, call, space)), ended=ended)


async def restore_space(tx: Tx, call: Call[None, None], space_id: str) -> SpaceView:
    """Take a space out of the trash, with all that is in it. One that is not there stays as it is."""
    if space_id in call.access.reach.roles or not is_shared(space_id):
        return await show(tx, call, await space_store.lock_space(tx, call.access, space_id))
    space = await space_store.lock_in_trash(tx, call.access, space_id)
    space = await keep(tx, actor_of(call.caller), space, kinds.SPACE_RESTORED, "space.restore", trashed_at=None)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return await show(tx, call, space)


async def delete_space(tx: Tx, call: Call[None, None], space_id: str) -> Deleted:
    """Delete a space that is in the trash for good, with all that is in it."""
    if space_id in call.access.reach.roles or space_id == space_id_of(call.access.reach.own):
        call.access.check(call.access.reach.find(space_id))
        raise Conflict("Put the space in the trash first: POST /spaces/{id}/trash. Your own, and the Library, stay.")
    space = await space_store.lock_in_trash(tx, call.access, space_id)
    await end(tx, call.use(Owners), EndingWay.SPACE_DELETION, MadeThings(space=space.id))
    await space_store.remove(tx, space.id)
    await empty_later(tx, space.id)
    await emit(tx, kinds.SPACE_DELETED, space.id, space.id, SpaceEvent(space.id, space.version + 1))
    await audit.record(tx, actor_of(call.caller), "space.delete", space.id, data={"name": space.name})
    return Deleted(space.id)


async def show(tx: Tx, call: AnyCall, space: Space) -> SpaceView:
    return await show_to(tx, space, call.caller.reach.roles.get(space.id, Role.MANAGER))


async def show_to(tx: Tx, space: Space, role: Role) -> SpaceView:
    """The space as somebody with this role sees it."""
    counts = await space_store.count_members(tx, [space.id])
    return _shared(space, role, counts.get(space.id, 0))


def _shared(space: Space, role: Role, members: int) -> SpaceView:
    return SpaceView(
        id=space.id, kind="shared", name=space.name, role=role, everyone=space.everyone, members=members,
        created_at=space.created_at, updated_at=space.updated_at, version=space.version, trashed_at=space.trashed_at,
    )  # fmt: skip


def _personal(owner: str) -> SpaceView:
    return SpaceView(
        id=space_id_of(owner), kind="personal", name=owner, role=Role.MANAGER, everyone=None, members=1,
        created_at=None, updated_at=None, version=1, trashed_at=None,
    )  # fmt: skip


def _place(owner: str) -> tuple[int, str]:
    """The place of a space in the list."""
    return (2 if is_shared(owner) and owner != LIBRARY else 1 if owner == LIBRARY else 0), owner


SPACE_ID = "spc_01kbr2x4q8e9w6y3t7n5m1c0vz"
EXAMPLE = {
    "id": SPACE_ID, "kind": "shared", "name": "Home", "role": "manager", "everyone": None, "members": 2,
    "createdAt": 1794700000000, "updatedAt": 1794700000000, "version": 1, "trashedAt": None,
}  # fmt: skip
_ONE = "/spaces/{space_id}"

ENDPOINTS = [
    Endpoint(
        "POST", "/spaces", create_space, SpaceView, scope=MANAGE_SPACES, role=Role.VIEWER, body=SpaceBody, status=201,
        errors=[AccountRequired, TooManyItems], example_body={"name": "Home"}, example=EXAMPLE,
    ),
    Endpoint(
        "GET", "/spaces", list_spaces, list[SpaceView], query=PageQuery, meta=PageMeta, role=Role.VIEWER,
        example=[EXAMPLE],
    ),
    Endpoint("GET", _ONE, get_space, SpaceView, role=Role.VIEWER, example=EXAMPLE),
    Endpoint(
        "PATCH", _ONE, update_space, SpaceView, scope=MANAGE_SPACES, body=SpacePatch,
        errors=[AdminRequired, Conflict], example_body={"name": "Home and garden"}, example=EXAMPLE,
    ),
    Endpoint(
        "POST", f"{_ONE}/trash", trash_space, TrashedSpaceView, scope=MANAGE_SPACES, errors=[NotShared],
        example={**EXAMPLE, "trashedAt": 1794800000000, "ended": {"tokens": 1, "webhooks": 1}},
    ),
    Endpoint(
        "POST", f"{_ONE}/restore", restore_space, SpaceView, scope=MANAGE_SPACES, errors=[NotShared], example=EXAMPLE,
    ),
    Endpoint(
        "DELETE", _ONE, delete_space, Deleted, scope=MANAGE_SPACES, also_scopes=("tasks:delete", "media:delete"),
        errors=[Conflict], example={"id": SPACE_ID, "deleted": True},
    ),
]  # fmt: skip
