"""The members of a space over HTTP, its invitations, and joining by one."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta

from stowboard.access.accounts.letters import Letters
from stowboard.access.accounts.person import get_person
from stowboard.access.authentication import TokenAuthenticator
from stowboard.access.base.errors import AccountRequired, InvalidTicket
from stowboard.access.base.wire import Username
from stowboard.access.owners import Owners
from stowboard.access.space_routes import EXAMPLE, SpaceView, show_to
from stowboard.access.spaces import members, space_store
from stowboard.access.spaces.space import LastManager, NotShared, SpaceInvitation, SpaceMember
from stowboard.access.tokens import make_secret
from stowboard.api.endpoint import Answer, Call, Deleted, DeletedWithEnded, Ended, Endpoint, PageMeta, view_of
from stowboard.api.paging import Page, PageQuery
from stowboard.core import clock
from stowboard.core.errors import Conflict, TooManyItems, ValidationFailed
from stowboard.core.ids import checked_id, new_id
from stowboard.core.reach import Role
from stowboard.core.scopes import MANAGE_SPACES
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.events import audit
from stowboard.events.audit import actor_of
from stowboard.events.mail.address import MailAddress

_DAY = 24 * 3600
MOST_USES = 50
LONGEST_SECONDS = 30 * _DAY


class MemberBody(msgspec.Struct, frozen=True):
    """Somebody who has an account here, and their role."""

    username: Username
    role: Role


class MemberPatch(msgspec.Struct, frozen=True):
    """Another role."""

    role: Role


class MemberView(msgspec.Struct, frozen=True, rename="camel"):
    """A member of a space, or somebody who was asked to become one and counts for nothing until they say yes."""

    username: str
    display_name: str
    role: Role
    status: Literal["member", "invited"]
    added_by: str | None
    created_at: int


class ChangedMemberView(MemberView, frozen=True, kw_only=True):
    """A member with another role, and what ended with the old one."""

    ended: Ended


class SpaceInvitationBody(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An invitation: the role that it gives, to how many, and until when."""

    role: Role
    email: Annotated[MailAddress, Meta(description="The link is mailed there, if mail is set up.")] | None = None
    uses: Annotated[int, Meta(ge=1, le=MOST_USES, description="How many may join by it; default: 1.")] | None = None
    expires_in: Annotated[int, Meta(ge=60, le=LONGEST_SECONDS, description="Seconds; default: 7 days.")] | None = None


class SpaceInvitationView(msgspec.Struct, frozen=True, rename="camel", kw_only=True):
    """An invitation that can still be used."""

    id: str
    role: Role
    email: str | None
    username: Annotated[str | None, Meta(description="The one person who can accept it; null for a link.")]
    uses_left: int
    created_by: str
    created_at: int
    expires_at: int


class SpaceInvitationWithLink(SpaceInvitationView, frozen=True, rename="camel", kw_only=True):
    """A new invitation with its link, which is shown this once."""

    link: str


class JoinBody(msgspec.Struct, frozen=True, rename="camel"):
    """The secret of an invitation, or the space that asks you by name."""

    EITHER: ClassVar = ("ticket", "spaceId")

    ticket: (
        Annotated[str, Meta(min_length=1, max_length=200, description="What stands behind `#ticket=` in the link.")]
        | None
    ) = None
    space_id: Annotated[str, Meta(min_length=1, max_length=64, description="As your inbox names it.")] | None = None


async def list_members(tx: Tx, call: Call[None, PageQuery], space_id: str) -> Answer:
    """List the members of a space by their usernames."""
    space = await space_store.get_space(tx, call.access, space_id)
    page = Page(call, "members", space.id)
    listed = await space_store.list_members(tx, space.id, page.after, page.size)
    names = await space_store.display_names(tx, [each.member for each in listed.items])
    return page.answer([_view(each, names.get(each.member, each.member)) for each in listed.items], listed.end)


async def add_member(tx: Tx, call: Call[MemberBody, None], space_id: str) -> Answer:
    """Ask somebody who has an account to become a member. It is a line in their inbox, for 30 days.

    Until they accept with `POST /spaces/join` they see nothing of the space, and count for nothing. Whoever waits to be
    asked already is answered with 200.
    """
    space, body, caller = await space_store.lock_space(tx, call.access, space_id), call.body, call.caller
    invited, is_new = await members.invite_member(
        tx, call.use(DigestKey), actor_of(caller), caller.through, space, body.username, body.role
    )
    username = invited.username or ""
    names = await space_store.display_names(tx, [username])
    view = MemberView(
        username, names.get(username, username), invited.role, "invited", invited.created_by, invited.created_at
    )
    return Answer(view, status=None if is_new else 200)


async def update_member(tx: Tx, call: Call[MemberPatch, None], space_id: str, username: str) -> ChangedMemberView:
    """Give a member another role. What they made that a lower role does not allow ends, and `ended` names it."""
    space = await space_store.lock_space(tx, call.access, space_id)
    actor, owners = actor_of(call.caller), call.use(Owners)
    member, ended = await members.change_member(tx, actor, owners, space, username, call.body.role)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    shown = msgspec.structs.asdict(await show_member(tx, member))
    return ChangedMemberView(**shown, ended=ended)


async def remove_member(tx: Tx, call: Call[None, None], space_id: str, username: str) -> DeletedWithEnded:
    """Take a member out of a space, or leave it oneself. For somebody who was asked: withdraw that, or decline.

    The things that they made stay. What acts for them ends within a second: tokens of the space, invitations, webhooks,
    calendars, open uploads and signed URLs. `ended` names it.
    """
    # Anybody may take themselves out, and decline what they are asked.
    if username == call.caller.owner and await space_store.delete_invited(tx, space_id, username):
        await audit.record(tx, actor_of(call.caller), "member.decline", space_id, data={"username": username})
        return DeletedWithEnded(username, ended={})
    access = call.access.needing(Role.VIEWER if username == call.caller.owner else Role.MANAGER)
    space = await space_store.lock_space(tx, access, space_id)
    if await space_store.delete_invited(tx, space.id, username):
        await audit.record(tx, actor_of(call.caller), "invitation.delete", space.id, data={"username": username})
        return DeletedWithEnded(username, ended={})
    ended = await members.remove_member(tx, actor_of(call.caller), call.use(Owners), space, username)
    tx.after_commit(call.use(TokenAuthenticator).forget)
    return DeletedWithEnded(username, ended=ended)


async def create_space_invitation(
    tx: Tx, call: Call[SpaceInvitationBody, None], space_id: str
) -> SpaceInvitationWithLink:
    """Make a link by which people with an account join the space. It is shown this once."""
    space, body = await space_store.lock_space(tx, call.access, space_id), call.body
    members.check_shared(space)
    await members.require_room_for_invitation(tx, space)
    now, secret = clock.now_ms(), make_secret("stowt_")
    ends = now + (body.expires_in or 7 * _DAY) * 1000
    invitation = SpaceInvitation(
        new_id("siv"),
        space.id,
        body.role,
        body.email,
        None,
        body.uses or 1,
        call.caller.owner,
        call.caller.through,
        now,
        ends,
    )
    await space_store.INVITATIONS.insert(tx, invitation, digest=call.use(DigestKey).digest(secret))
    actor = actor_of(call.caller)
    await call.use(Letters).invite_to_space_later(tx, actor, body.email, space.name, secret)
    facts = {"role": body.role, "uses": invitation.uses_left}
    await audit.record(tx, actor, "invitation.create", space.id, data=facts)
    view = view_of(SpaceInvitationView, invitation)
    return SpaceInvitationWithLink(link=f"{call.origin}/join#ticket={secret}", **msgspec.structs.asdict(view))


async def list_space_invitations(tx: Tx, call: Call[None, PageQuery], space_id: str) -> Answer:
    """List the invitations that can still be used, newest first."""
    space = await space_store.get_space(tx, call.access, space_id)
    page = Page(call, "space invitations", space.id)
    conditions = "space_id = $1", "uses_left > 0", "expires_at > $2"
    listed = await space_store.INVITATIONS.page(
        tx, page.after, page.size, *conditions, arguments=[space.id, clock.now_ms()]
    )
    return page.answer([view_of(SpaceInvitationView, each) for each in listed.items], listed.end)


async def delete_space_invitation(tx: Tx, call: Call[None, None], space_id: str, invitation_id: str) -> Deleted:
    """Withdraw an invitation: its link stops working."""
    space = await space_store.lock_space(tx, call.access, space_id)
    await space_store.delete_invitation(tx, space.id, checked_id("siv", invitation_id))
    await audit.record(tx, actor_of(call.caller), "invitation.delete", space.id)
    return Deleted(invitation_id)


async def join_space(tx: Tx, call: Call[JoinBody, None]) -> SpaceView:
    """Join a space by the `ticket` of a link, or accept with `spaceId` what a manager has asked you.

    Somebody who is a member already keeps their role, and uses nothing up. An invitation readmits nobody whose
    membership ended or was lowered after it was made (410 `invalid_ticket`).
    """
    person, body = await get_person(tx, call.caller), call.body
    username, actor = person.account.username, person.actor
    if (body.ticket is None) == (body.space_id is None):
        raise ValidationFailed("Send either ticket or spaceId.")
    if body.ticket is not None:
        space_id = await members.join(tx, call.use(DigestKey), actor, username, body.ticket)
    else:
        space_id = await members.accept(tx, actor, username, body.space_id or "")
    tx.after_commit(call.use(TokenAuthenticator).forget)
    space = await space_store.lock_any(tx, space_id)
    member = await space_store.get_member(tx, space_id, username)
    return await show_to(tx, space, member.role)


async def show_member(tx: Tx, member: SpaceMember) -> MemberView:
    names = await space_store.display_names(tx, [member.member])
    return _view(member, names.get(member.member, member.member))


def _view(member: SpaceMember, display_name: str) -> MemberView:
    return MemberView(member.member, display_name, member.role, "member", member.added_by, member.created_at)


_MEMBER = {
    "username": "bob", "displayName": "Bob", "role": "editor", "status": "member", "addedBy": "alice",
    "createdAt": 1794700000000,
}  # fmt: skip
_INVITATION = {
    "id": "siv_01kbr2x4q8e9w6y3t7n5m1c0vz", "role": "editor", "email": None, "username": None, "usesLeft": 1,
    "createdBy": "alice",
    "createdAt": 1794700000000, "expiresAt": 1795304800000,
}  # fmt: skip
_MEMBERS, _INVITATIONS = "/spaces/{space_id}/members", "/spaces/{space_id}/invitations"

ENDPOINTS = [
    Endpoint(
        "POST", "/spaces/join", join_space, SpaceView, scope=MANAGE_SPACES, role=Role.VIEWER, body=JoinBody,
        secret=True,
        errors=[AccountRequired, InvalidTicket, TooManyItems], example_body={"ticket": "stowt_…"}, example=EXAMPLE,
    ),
    Endpoint(
        "GET", _MEMBERS, list_members, list[MemberView], role=Role.VIEWER, query=PageQuery, meta=PageMeta,
        errors=[NotShared],
        example=[_MEMBER],
    ),
    Endpoint(
        "POST", _MEMBERS, add_member, MemberView, scope=MANAGE_SPACES, body=MemberBody, status=201,
        errors=[NotShared, Conflict, TooManyItems], example_body={"username": "bob", "role": "editor"},
        example={**_MEMBER, "status": "invited"},
    ),
    Endpoint(
        "PATCH", f"{_MEMBERS}/{{username}}", update_member, ChangedMemberView, scope=MANAGE_SPACES, body=MemberPatch,
        errors=[LastManager], example_body={"role": "viewer"},
        example={**_MEMBER, "role": "viewer", "ended": {"uploads": 1}},
    ),
    Endpoint(
        "DELETE", f"{_MEMBERS}/{{username}}", remove_member, DeletedWithEnded, scope=MANAGE_SPACES, role=Role.VIEWER,
        errors=[LastManager],
        example={"id": "bob", "deleted": True, "ended": {"tokens": 2, "webhooks": 1}},
    ),
    Endpoint(
        "POST", _INVITATIONS, create_space_invitation, SpaceInvitationWithLink, scope=MANAGE_SPACES,
        body=SpaceInvitationBody, status=201, secret=True, errors=[NotShared, TooManyItems],
        example_body={"role": "editor"},
        example={**_INVITATION, "link": "https://stow.example.com/join#ticket=stowt_…"},
    ),
    Endpoint(
        "GET", _INVITATIONS, list_space_invitations, list[SpaceInvitationView], scope=MANAGE_SPACES, query=PageQuery,
        meta=PageMeta, errors=[NotShared], example=[_INVITATION],
    ),
    Endpoint(
        "DELETE", f"{_INVITATIONS}/{{invitation_id}}", delete_space_invitation, Deleted, scope=MANAGE_SPACES,
        errors=[NotShared],
        example={"id": _INVITATION["id"], "deleted": True},
    ),
]  # fmt: skip
