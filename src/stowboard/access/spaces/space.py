"""A shared space, its members and its invitations."""

from typing import Literal

import msgspec

from stowboard.core.errors import Conflict, NotFound
from stowboard.core.reach import Role

#: The most spaces that one person is a member of, and the most members and open invitations of one space.
MOST_SPACES, MOST_MEMBERS, MOST_INVITATIONS = 200, 500, 200
LONGEST_NAME = 100
LONGEST_INVITATION_MS = 30 * 24 * 3600 * 1000


class Space(msgspec.Struct, frozen=True):
    id: str
    name: str
    #: The role of people who are not members; None if the space is closed to them.
    everyone: Role | None
    created_by: str | None
    created_at: int
    updated_at: int
    version: int
    trashed_at: int | None


class SpaceMember(msgspec.Struct, frozen=True):
    space_id: str
    #: The username.
    member: str
    role: Role
    added_by: str | None
    created_at: int


class SpaceInvitation(msgspec.Struct, frozen=True):
    id: str
    space_id: str
    role: Role
    email: str | None
    #: The one person whom it is for; None if it is a link.
    username: str | None
    uses_left: int
    created_by: str
    #: The grant, OAuth client or token that it was made with, and ends with.
    made_through: str
    created_at: int
    expires_at: int


SpaceKind = Literal["personal", "shared"]


class NotShared(Conflict):
    message = "Your own space, and the Library, cannot be changed in this way. Make a space for it: POST /spaces."


class LastManager(Conflict):
    message = "This is the space's only manager. Make another member a manager first."


class MemberNotFound(NotFound):
    message = "There is no such account, or it is no member of this space."
