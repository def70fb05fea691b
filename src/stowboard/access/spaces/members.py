"""Members of a space: add, change, remove, join, leave. A shared space always has a manager."""

import msgspec

from stowboard.access.base import account_store
from stowboard.access.base.errors import InvalidTicket
from stowboard.access.endings import EndingWay, end, end_role
from stowboard.access.owners import Owners
from stowboard.access.spaces import space_store
from stowboard.access.spaces.space import (
    LONGEST_INVITATION_MS,
    MOST_INVITATIONS,
    MOST_MEMBERS,
    MOST_SPACES,
    LastManager,
    MemberNotFound,
    NotShared,
    Space,
    SpaceInvitation,
    SpaceMember,
)
from stowboard.access.tokens import is_possible, make_secret
from stowboard.core import clock
from stowboard.core.errors import Conflict, SpaceNotFound, TooManyItems
from stowboard.core.ids import new_id
from stowboard.core.reach import LIBRARY, Role
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings
from stowboard.events import audit, kinds
from stowboard.events.audit import Actor
from stowboard.events.kinds import EventKind, SpaceEvent, SpaceMemberEvent
from stowboard.events.outbox import emit

_TOO_OLD = "Your membership of this space ended or was lowered after this invitation was made. Ask for another one."


async def add_member(tx: Tx, actor: Actor, space: Space, username: str, role: Role) -> SpaceMember:
    """Make somebody a member without their yes, as admins may.

    Raises MemberNotFound if there is no such account, Conflict, NotShared or TooManyItems.
    """
    name = await _find_stranger(tx, space, username)
    return await _insert(tx, actor, space, name, role, "member.add")


async def invite_member(
    tx: Tx, key: DigestKey, actor: Actor, made_through: str, space: Space, username: str, role: Role
) -> tuple[SpaceInvitation, bool]:
    """Ask somebody by name to become a member; False beside it if they were asked before.

    Raises MemberNotFound if there is no such account, Conflict, NotShared or TooManyItems.
    """
    name = await _find_stranger(tx, space, username)
    earlier = await space_store.find_invited(tx, space.id, name)
    if earlier is not None:
        return earlier, False
    await require_room_for_invitation(tx, space)
    now = clock.now_ms()
    invitation = SpaceInvitation(
        new_id("siv"), space.id, role, None, name, 1, actor.name, made_through, now, now + LONGEST_INVITATION_MS
    )
    await space_store.delete_invited(tx, space.id, name)  # one whose time is over
    await space_store.INVITATIONS.insert(tx, invitation, digest=key.digest(make_secret("stowt_")))
    await emit(tx, kinds.SPACE_INVITED, name, space.id, SpaceEvent(space.id, space.version))
    await audit.record(tx, actor, "member.invite", space.id, data={"username": name, "role": role})
    return invitation, True


async def require_room_for_invitation(tx: Tx, space: Space) -> None:
    """The space is locked. Raises TooManyItems."""
    if await space_store.count_invitations(tx, space.id) >= MOST_INVITATIONS:
        raise TooManyItems(f"A space has at most {MOST_INVITATIONS} open invitations. Withdraw some.")


async def _find_stranger(tx: Tx, space: Space, username: str) -> str:
    """The name of an account that is no member. Raises MemberNotFound, Conflict or NotShared."""
    check_shared(space)
    account = await account_store.find_by_username(tx, username)
    if account is None:
        raise MemberNotFound
    if await space_store.find_member(tx, space.id, account.username) is not None:
        raise Conflict(f"{account.username} is a member already. Change the role instead.")
    return account.username


async def change_member(
    tx: Tx, actor: Actor, owners: Owners, space: Space, username: str, role: Role
) -> tuple[SpaceMember, dict[str, int]]:
    """The member, and how many things ended. Raises MemberNotFound or LastManager."""
    member, ended = await space_store.get_member(tx, space.id, username), dict[str, int]()
    if member.role == role:
        return member, ended
    if role is not Role.MANAGER:
        await _check_not_last(tx, member)
    await space_store.set_role(tx, space.id, username, role)
    if not role.includes(member.role):
        await space_store.note_departure(tx, space.id, username)
        ended = await end_role(tx, owners, space.id, role, username)
    await _tell(tx, actor, kinds.SPACE_MEMBER_CHANGED, space.id, username, role, "member.role")
    return msgspec.structs.replace(member, role=role), ended


async def remove_member(tx: Tx, actor: Actor, owners: Owners, space: Space, username: str) -> dict[str, int]:
    """Returns how many things ended. Raises MemberNotFound or LastManager."""
    member = await space_store.get_member(tx, space.id, username)
    await _check_not_last(tx, member)
    return await _remove(tx, actor, owners, member)


async def join(tx: Tx, key: DigestKey, actor: Actor, username: str, secret: str) -> str:
    """Make a person a member by the link of an invitation; the id of the space. Raises InvalidTicket, TooManyItems.

    Somebody who is a member already keeps their role, and the invitation is not used up: to them it leads to the space
    even when nobody else can use it.
    """
    invitation = None
    if is_possible(secret):
        invitation = await space_store.INVITATIONS.find(tx, "digest IN ($1, $2)", *key.digests(secret))
    if invitation is None:
        raise InvalidTicket
    return await _accept(tx, actor, username, invitation)


async def accept(tx: Tx, actor: Actor, username: str, space_id: str) -> str:
    """Say yes to an invitation by name. Raises SpaceNotFound if there is none, TooManyItems."""
    invitation = await space_store.find_invited(tx, space_id, username)
    if invitation is None:
        if await space_store.find_member(tx, space_id, username) is None:
            raise SpaceNotFound
        return space_id
    return await _accept(tx, actor, username, invitation)


async def _accept(tx: Tx, actor: Actor, username: str, invitation: SpaceInvitation) -> str:
    space = await space_store.lock_any(tx, invitation.space_id)
    if space.trashed_at is not None:
        raise InvalidTicket
    if await space_store.find_member(tx, space.id, username) is None:
        if not await space_store.admits(tx, invitation, username):
            raise InvalidTicket(_TOO_OLD)
        if not await space_store.spend_invitation(tx, invitation):
            raise InvalidTicket
        await _insert(tx, actor, space, username, invitation.role, "member.join")
    return space.id


async def leave_all(tx: Tx, actor: Actor, owners: Owners, username: str) -> None:
    """Take a person whose account is deleted out of every space.

    Where no manager is left, the oldest member with the highest role becomes one. A space without members
    goes to the trash.
    """
    for space_id in await space_store.spaces_of(tx, username):
        space = await space_store.lock_any(tx, space_id)
        await _remove(tx, actor, owners, await space_store.get_member(tx, space_id, username))
        heirs = await space_store.find_oldest_members(tx, space_id, 1)
        if not heirs and space.trashed_at is None:
            await trash(tx, actor, owners, space)
        elif heirs and heirs[0].role is not Role.MANAGER:
            await change_member(tx, actor, owners, space, heirs[0].member, Role.MANAGER)


async def trash(tx: Tx, actor: Actor, owners: Owners, space: Space) -> tuple[Space, dict[str, int]]:
    """Put a space in the trash. Returns it, and how many things ended."""
    ended = await end(tx, owners, EndingWay.TRASH, MadeThings(space=space.id))
    after = await keep(tx, actor, space, kinds.SPACE_TRASHED, "space.trash", trashed_at=clock.now_ms())
    return after, ended


async def keep(
    tx: Tx, actor: Actor, space: Space, kind: EventKind[SpaceEvent], action: str, **changes: str | int | None
) -> Space:
    """Store a change of the space's own row."""
    now = clock.now_ms()
    after = msgspec.structs.replace(space, updated_at=now, version=space.version + 1, **changes)
    await space_store.update(tx, after)
    await emit(tx, kind, space.id, space.id, SpaceEvent(space.id, after.version))
    await audit.record(tx, actor, action, space.id)
    return after


async def require_room_in_spaces(tx: Tx, username: str) -> None:
    """Until the transaction ends, nobody else puts this person into a space. Raises TooManyItems."""
    await tx.lock(f"spaces of {username}")
    if await space_store.count_spaces_of(tx, username) >= MOST_SPACES:
        raise TooManyItems(
            f"One person is in at most {MOST_SPACES} spaces: {username} has to leave or delete one first."
        )


def check_shared(space: Space) -> None:
    """Raises NotShared for the Library, which is everybody's."""
    if space.id == LIBRARY:
        raise NotShared


async def _insert(tx: Tx, actor: Actor, space: Space, username: str, role: Role, action: str) -> SpaceMember:
    if (await space_store.count_members(tx, [space.id])).get(space.id, 0) >= MOST_MEMBERS:
        raise TooManyItems(f"A space has at most {MOST_MEMBERS} members.")
    await require_room_in_spaces(tx, username)
    member = SpaceMember(space.id, username, role, actor.name, clock.now_ms())
    await space_store.MEMBERS.insert(tx, member)
    await space_store.delete_invited(tx, space.id, username)
    await _tell(tx, actor, kinds.SPACE_MEMBER_ADDED, space.id, username, role, action)
    await emit(tx, kinds.SPACE_JOINED, username, space.id, SpaceEvent(space.id, space.version))
    return member


async def _remove(tx: Tx, actor: Actor, owners: Owners, member: SpaceMember) -> dict[str, int]:
    space_id, username = member.space_id, member.member
    way, action = EndingWay.REMOVAL, "member.remove"
    if actor.name == username:
        way, action = EndingWay.LEAVING, "member.leave"
    await space_store.remove_member(tx, space_id, username)
    await space_store.note_departure(tx, space_id, username)
    ended = await end(tx, owners, way, MadeThings(space=space_id, person=username))
    await _tell(tx, actor, kinds.SPACE_MEMBER_REMOVED, space_id, username, member.role, action)
    await emit(tx, kinds.SPACE_LEFT, username, space_id, SpaceEvent(space_id, 0))
    return ended


async def _check_not_last(tx: Tx, member: SpaceMember) -> None:
    first = await space_store.find_oldest_members(tx, member.space_id, 2)
    others = [each for each in first if each.member != member.member]
    if member.role is Role.MANAGER and not any(each.role is Role.MANAGER for each in others):
        could = f" {others[0].member} could become one." if others else " Nobody else is in it: put it in the trash."
        raise LastManager(LastManager.message + could)


async def _tell(
    tx: Tx, actor: Actor, kind: EventKind[SpaceMemberEvent], space_id: str, username: str, role: Role, action: str
) -> None:
    await emit(tx, kind, space_id, space_id, SpaceMemberEvent(space_id, username, role))
    await audit.record(tx, actor, action, space_id, data={"username": username, "role": role})
