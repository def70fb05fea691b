"""Members of a space: add, change, remove, join, leave. A shared space always has a manager."""

import msgspec

from stowboard.access.base import account_store
from stowboard.access.base.errors import InvalidTicket
from stowboard.access.endings import EndingWay, end, end_role
from stowboard.access.owners import Owners
from stowboard.access.spaces import space_store
from stowboard.access.spaces.space import (
    MOST_MEMBERS,
    MOST_SPACES,
    LastManager,
    MemberNotFound,
    NotShared,
    Space,
    SpaceInvitation,
    SpaceMember,
)
from stowboard.access.tokens import is_possible
from stowboard.core import clock
from stowboard.core.errors import Conflict, TooManyItems
from stowboard.core.reach import LIBRARY, Role
from stowboard.core.signing import DigestKey
from stowboard.db.database import Tx
from stowboard.db.made import MadeThings
from stowboard.events import audit, kinds
from stowboard.events.audit import Actor
from stowboard.events.kinds import EventKind, SpaceEvent, SpaceMemberEvent
from stowboard.events.outbox import emit


async def add_member(tx: Tx, actor: Actor, space: Space, username: str, role: Role) -> SpaceMember:
    """Raises MemberNotFound if there is no such account, Conflict, NotShared or TooManyItems."""
    check_shared(space)
    account = await account_store.find_by_username(tx, username)
    if account is None:
        raise MemberNotFound
    if await space_store.find_member(tx, space.id, account.username) is not None:
        raise Conflict(f"{account.username} is a member already. Change the role instead.")
    return await _insert(tx, actor, space, account.username, role, "member.add")


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
        ended = await end_role(tx, owners, space.id, role, username)
    await _tell(tx, actor, kinds.SPACE_MEMBER_CHANGED, space.id, username, role, "member.role")
    return msgspec.structs.replace(member, role=role), ended


async def remove_member(tx: Tx, actor: Actor, owners: Owners, space: Space, username: str) -> dict[str, int]:
    """Returns how many things ended. Raises MemberNotFound or LastManager."""
    member = await space_store.get_member(tx, space.id, username)
    await _check_not_last(tx, member)
    return await _remove(tx, actor, owners, member)


async def join(tx: Tx, key: DigestKey, actor: Actor, username: str, secret: str) -> str:
    """Make a person a member by an invitation; the id of the space. Raises InvalidTicket.

    Somebody who is a member already keeps their role, and the invitation is not used up.
    """
    invitation = await _find_invitation(tx, key, secret)
    space = await space_store.lock_any(tx, invitation.space_id)
    if space.trashed_at is not None:
        raise InvalidTicket
    if await space_store.find_member(tx, space.id, username) is None:
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
    await _tell(tx, actor, kinds.SPACE_MEMBER_ADDED, space.id, username, role, action)
    await emit(tx, kinds.SPACE_JOINED, username, space.id, SpaceEvent(space.id, space.version))
    return member


async def _remove(tx: Tx, actor: Actor, owners: Owners, member: SpaceMember) -> dict[str, int]:
    space_id, username = member.space_id, member.member
    way, action = EndingWay.REMOVAL, "member.remove"
    if actor.name == username:
        way, action = EndingWay.LEAVING, "member.leave"
    await space_store.remove_member(tx, space_id, username)
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


async def _find_invitation(tx: Tx, key: DigestKey, secret: str) -> SpaceInvitation:
    if is_possible(secret):
        condition = "digest IN ($1, $2) AND uses_left > 0 AND expires_at > $3"
        found = await space_store.INVITATIONS.find(tx, condition, *key.digests(secret), clock.now_ms())
        if found is not None:
            return found
    raise InvalidTicket


async def _tell(
    tx: Tx, actor: Actor, kind: EventKind[SpaceMemberEvent], space_id: str, username: str, role: Role, action: str
) -> None:
    await emit(tx, kind, space_id, space_id, SpaceMemberEvent(space_id, username, role))
    await audit.record(tx, actor, action, space_id, data={"username": username, "role": role})
