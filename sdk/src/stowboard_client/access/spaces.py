"""Spaces, their members, invitations and tokens."""

from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeVar

from msgspec import UNSET

from stowboard_client.access.tokens import IssuedToken, Token
from stowboard_client.transport.call import Call, Deleted, Maybe, Model, data, members, path, whole
from stowboard_client.transport.paging import Listing, Page
from stowboard_client.transport.resource import D, Operation, Resource

Role: TypeAlias = Literal["viewer", "commenter", "editor", "manager"]
T = TypeVar("T")
_ONE, _MEMBERS, _MEMBER = "/spaces/{}", "/spaces/{}/members", "/spaces/{}/members/{}"
_INVITATIONS, _TOKENS = "/spaces/{}/invitations", "/spaces/{}/tokens"


class Space(Model, frozen=True, kw_only=True):
    """A space, and one's role in it. One's own is `~username`; the Library is `spc_library`."""

    id: str
    kind: str
    name: str
    role: str
    members: int
    version: int
    everyone: str | None = None
    created_at: int | None = None
    updated_at: int | None = None
    trashed_at: int | None = None


class Member(Model, frozen=True, kw_only=True):
    username: str
    display_name: str
    role: str
    #: `member`, or `invited` until they say yes.
    status: str
    created_at: int
    added_by: str | None = None


class SpaceInvitation(Model, frozen=True, kw_only=True):
    id: str
    role: str
    uses_left: int
    created_by: str
    created_at: int
    expires_at: int
    email: str | None = None
    #: The one person whom it is for; None for a link.
    username: str | None = None


class IssuedInvitation(SpaceInvitation, frozen=True, kw_only=True):
    #: The service shows it this once.
    link: str


class SpaceSummary(Model, frozen=True, kw_only=True):
    """A shared space, as admins see it."""

    id: str
    name: str
    members: int
    created_at: int
    orphaned: bool
    trashed_at: int | None = None


def create_space(name: str, *, idempotency_key: str | None = None) -> Call[Space]:
    """Make a shared space; you are its manager."""
    return Call("POST", "/spaces", data(Space), body={"name": name}, idempotency_key=idempotency_key)


def list_spaces(*, limit: int | None = None) -> Call[Page[Space]]:
    """The spaces that the token reaches: one's own, the Library, then the shared ones."""
    return _page(Page[Space], "/spaces", limit)


def get_space(space_id: str) -> Call[Space]:
    return Call("GET", path(_ONE, space_id), data(Space))


def update_space(space_id: str, *, name: Maybe[str] = UNSET, everyone: Maybe[Role | None] = UNSET) -> Call[Space]:
    """Rename a space, or give everybody who is not a member a role in it."""
    return Call("PATCH", path(_ONE, space_id), data(Space), body=members(name=name, everyone=everyone))


def trash_space(space_id: str) -> Call[Space]:
    """Put a space in the trash, with all that is in it."""
    return Call("POST", path("/spaces/{}/trash", space_id), data(Space))


def restore_space(space_id: str) -> Call[Space]:
    return Call("POST", path("/spaces/{}/restore", space_id), data(Space))


def delete_space(space_id: str) -> Call[Deleted]:
    """Delete a space that is in the trash for good."""
    return Call("DELETE", path(_ONE, space_id), data(Deleted))


def list_members(space_id: str, *, limit: int | None = None) -> Call[Page[Member]]:
    return _page(Page[Member], path(_MEMBERS, space_id), limit)


def add_member(space_id: str, username: str, role: Role) -> Call[Member]:
    """Ask somebody to become a member. They accept with `join(space=…)`, or decline by taking themselves out."""
    return Call("POST", path(_MEMBERS, space_id), data(Member), body={"username": username, "role": role})


def update_member(space_id: str, username: str, role: Role) -> Call[Member]:
    return Call("PATCH", path(_MEMBER, space_id, username), data(Member), body={"role": role})


def remove_member(space_id: str, username: str) -> Call[Deleted]:
    """Take somebody out of a space. To leave a space, take yourself out."""
    return Call("DELETE", path(_MEMBER, space_id, username), data(Deleted))


def invite(
    space_id: str,
    role: Role,
    *,
    email: Maybe[str | None] = UNSET,
    uses: Maybe[int | None] = UNSET,
    expires_in: Maybe[int | None] = UNSET,
) -> Call[IssuedInvitation]:
    """Make a link by which people with an account join the space."""
    body = members(role=role, email=email, uses=uses, expires_in=expires_in)
    return Call("POST", path(_INVITATIONS, space_id), data(IssuedInvitation), body=body)


def list_invitations(space_id: str, *, limit: int | None = None) -> Call[Page[SpaceInvitation]]:
    return _page(Page[SpaceInvitation], path(_INVITATIONS, space_id), limit)


def delete_invitation(space_id: str, invitation_id: str) -> Call[Deleted]:
    return Call("DELETE", path(_INVITATIONS + "/{}", space_id, invitation_id), data(Deleted))


def join_space(ticket: Maybe[str] = UNSET, *, space: Maybe[str] = UNSET) -> Call[Space]:
    """Join a space by the ticket of a link, the text behind `#ticket=`; or accept what the `space` asks you."""
    return Call("POST", "/spaces/join", data(Space), body=members(ticket=ticket, space_id=space))


def create_space_token(
    space_id: str, name: str, *, scopes: Maybe[Sequence[str] | None] = UNSET, expires_in: Maybe[int | None] = UNSET
) -> Call[IssuedToken]:
    """Make a token whose owner is the space."""
    body = members(name=name, scopes=scopes, expires_in=expires_in)
    return Call("POST", path(_TOKENS, space_id), data(IssuedToken), body=body)


def list_space_tokens(space_id: str, *, limit: int | None = None) -> Call[Page[Token]]:
    return _page(Page[Token], path(_TOKENS, space_id), limit)


def revoke_space_token(space_id: str, token_id: str) -> Call[Deleted]:
    return Call("DELETE", path(_TOKENS + "/{}", space_id, token_id), data(Deleted))


def list_all_spaces(*, limit: int | None = None) -> Call[Page[SpaceSummary]]:
    """Every shared space, for admins."""
    return _page(Page[SpaceSummary], "/access/spaces", limit)


def adopt_space(space_id: str, username: str) -> Call[Member]:
    """Make somebody the manager of a space where no manager can sign in; for admins."""
    return Call("POST", path("/access/spaces/{}/manager", space_id), data(Member), body={"username": username})


def _page(model: type[Page[T]], address: str, limit: int | None) -> Call[Page[T]]:
    return Call("GET", address, whole(model), query={"limit": limit})


class Spaces(Resource[D]):
    create = Operation("createSpace", create_space)
    list = Listing("listSpaces", list_spaces)
    get = Operation("getSpace", get_space)
    update = Operation("updateSpace", update_space)
    trash = Operation("trashSpace", trash_space)
    restore = Operation("restoreSpace", restore_space)
    delete = Operation("deleteSpace", delete_space)
    members = Listing("listMembers", list_members)
    add_member = Operation("addMember", add_member)
    update_member = Operation("updateMember", update_member)
    remove_member = Operation("removeMember", remove_member)
    invite = Operation("createSpaceInvitation", invite)
    invitations = Listing("listSpaceInvitations", list_invitations)
    delete_invitation = Operation("deleteSpaceInvitation", delete_invitation)
    join = Operation("joinSpace", join_space)
    create_token = Operation("createSpaceToken", create_space_token)
    tokens = Listing("listSpaceTokens", list_space_tokens)
    revoke_token = Operation("revokeSpaceToken", revoke_space_token)
    list_all = Listing("listAllSpaces", list_all_spaces)
    adopt = Operation("adoptSpace", adopt_space)
