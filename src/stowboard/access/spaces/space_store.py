"""Spaces, members and invitations in the database."""

from collections.abc import Sequence

from stowboard.access.spaces.space import (
    LONGEST_INVITATION_MS,
    MemberNotFound,
    NotShared,
    Space,
    SpaceInvitation,
    SpaceMember,
)
from stowboard.core import clock
from stowboard.core.caller import Access
from stowboard.core.cursor import Position
from stowboard.core.errors import NotFound, SpaceNotFound
from stowboard.core.reach import ALL, LIBRARY, Role, is_shared
from stowboard.db.database import Tx
from stowboard.db.scan import IndexRange, RowPage, Scan, ScanOrder, SqlArguments
from stowboard.db.table import Table, forget_old

SPACES = Table("space", Space)
MEMBERS = Table("space_member", SpaceMember)
INVITATIONS = Table("space_invitation", SpaceInvitation)
_IN_TRASH = (
    "trashed_at IS NOT NULL AND EXISTS (SELECT 1 FROM space_member m"
    " WHERE m.space_id = space.id AND m.member = $1 AND m.role = 'manager')"
)


async def get_space(tx: Tx, access: Access, space_id: str) -> Space:
    """A shared space in reach. Raises SpaceNotFound, NotShared for a person's own space, or InsufficientRole."""
    owner = access.reach.find(space_id)
    if not is_shared(owner):
        raise NotShared
    access.check(owner)
    return await _found(tx, "id = $1", owner)


async def lock_space(tx: Tx, access: Access, space_id: str) -> Space:
    """The same, locked, so that changes of its members follow one another.

    The role is looked up again: the one that came with the token may be older than the caller's removal, and what a
    manager makes here would outlive that removal.
    """
    await get_space(tx, access, space_id)
    space = await _found(tx, "id = $1 AND trashed_at IS NULL FOR UPDATE", space_id)
    if space.id != LIBRARY:
        member = await find_member(tx, space.id, access.caller.owner)
        role = member.role if member is not None else space.everyone
        if role is None:
            raise SpaceNotFound
        access.check_role(space.id, role)
    return space


async def get_in_trash(tx: Tx, access: Access, space_id: str, lock: str = "") -> Space:
    """A space in the trash, which its managers alone see. Raises SpaceNotFound."""
    if not {ALL, space_id} & set(access.reach.words):
        raise SpaceNotFound
    return await _found(tx, f"{_IN_TRASH} AND id = $2{lock}", access.caller.owner, space_id)


async def lock_in_trash(tx: Tx, access: Access, space_id: str) -> Space:
    """The same, locked."""
    return await get_in_trash(tx, access, space_id, " FOR UPDATE")


async def lock_any(tx: Tx, space_id: str) -> Space:
    """The space, locked, for the service and for admins. Raises SpaceNotFound."""
    return await _found(tx, "id = $1 FOR UPDATE", space_id)


async def _found(tx: Tx, condition: str, *arguments: str) -> Space:
    space = await SPACES.find(tx, condition, *arguments)
    if space is None:
        raise SpaceNotFound
    return space


async def find_spaces(tx: Tx, ids: Sequence[str]) -> dict[str, Space]:
    found = await SPACES.find_all(tx, f"id IN ({_numbers(ids)})", *ids) if ids else []
    return {space.id: space for space in found}


async def find_in_trash(tx: Tx, access: Access) -> list[Space]:
    """The spaces in the trash that the caller manages and its token reaches."""
    found, words = await SPACES.find_all(tx, _IN_TRASH, access.caller.owner), access.reach.words
    return [space for space in found if ALL in words or space.id in words]


async def update(tx: Tx, space: Space) -> None:
    await tx.run(
        "UPDATE space SET name = $2, everyone = $3, updated_at = $4, version = $5, trashed_at = $6 WHERE id = $1",
        space.id, space.name, space.everyone, space.updated_at, space.version, space.trashed_at,
    )  # fmt: skip


async def find_epochs(tx: Tx, ids: Sequence[str]) -> dict[str, int]:
    """The epochs of these owners' spaces, for a reach."""
    numbers = _numbers(ids)
    sql = f"SELECT id, epoch FROM space WHERE id IN ({numbers}) UNION ALL"
    rows = await tx.all(f"{sql} SELECT username, epoch FROM account WHERE username IN ({numbers})", *ids)
    return {row[0]: row[1] for row in rows}


async def count_members(tx: Tx, ids: Sequence[str]) -> dict[str, int]:
    sql = f"SELECT space_id, count(*) FROM space_member WHERE space_id IN ({_numbers(ids)}) GROUP BY space_id"
    return {row[0]: row[1] for row in await tx.all(sql, *ids)} if ids else {}


async def count_spaces_of(tx: Tx, member: str) -> int:
    row = await tx.one("SELECT count(*) FROM space_member WHERE member = $1", member)
    assert row is not None
    count: int = row[0]
    return count


async def find_member(tx: Tx, space_id: str, member: str) -> SpaceMember | None:
    return await MEMBERS.find(tx, "space_id = $1 AND member = $2", space_id, member)


async def may_edit(tx: Tx, space_id: str, person: str) -> bool:
    """True if the person is an editor of the space now, which is not in the trash."""
    space = await SPACES.find(tx, "id = $1 AND trashed_at IS NULL", space_id)
    member = await find_member(tx, space_id, person)
    if space is None:
        return False
    role = member.role if member is not None else space.everyone
    return role is not None and role.includes(Role.EDITOR)


async def get_member(tx: Tx, space_id: str, member: str) -> SpaceMember:
    """Raises MemberNotFound."""
    found = await find_member(tx, space_id, member)
    if found is None:
        raise MemberNotFound
    return found


async def list_members(tx: Tx, space_id: str, after: Position | None, size: int) -> RowPage[SpaceMember]:
    """By username."""
    by_name = ScanOrder(("member",), descending=False)
    scan = Scan(MEMBERS.fields, MEMBERS.read_all, (IndexRange("space_member", ("space_id = $1",)),), by_name)
    return await scan.page(tx, SqlArguments(space_id), after, size)


async def find_all_members(tx: Tx, ids: Sequence[str]) -> dict[str, list[str]]:
    """The usernames of all members, by space."""
    members: dict[str, list[str]] = {space_id: [] for space_id in ids}
    sql = f"SELECT space_id, member FROM space_member WHERE space_id IN ({_numbers(ids)})"
    for space_id, member in await tx.all(sql, *ids) if ids else []:
        members[space_id].append(member)
    return members


async def find_reaching(tx: Tx, people: Sequence[str], spaces: Sequence[str]) -> set[tuple[str, str]]:
    """Each pair of one of these people and one of these spaces where the person may sign in and reaches the space."""
    if not people or not spaces:
        return set()
    names, ids = _numbers(people), _numbers(spaces, 1 + len(people))
    rows = await tx.all(
        "SELECT a.username, s.id FROM account a JOIN space s ON s.trashed_at IS NULL AND (s.everyone IS NOT NULL"
        " OR EXISTS (SELECT 1 FROM space_member m WHERE m.space_id = s.id AND m.member = a.username))"
        f" WHERE a.username IN ({names}) AND s.id IN ({ids}) AND a.disabled_at IS NULL AND a.deleted_at IS NULL"
        " UNION ALL SELECT username, username FROM account"
        f" WHERE username IN ({names}) AND username IN ({ids}) AND disabled_at IS NULL AND deleted_at IS NULL",
        *people, *spaces,
    )  # fmt: skip
    return {(username, owner) for username, owner in rows}


async def find_oldest_members(tx: Tx, space_id: str, limit: int) -> list[SpaceMember]:
    """Managers first, then those with the highest role; of one role the oldest first."""
    rank = "CASE role WHEN 'manager' THEN 0 WHEN 'editor' THEN 1 ELSE 2 END"
    return await MEMBERS.find_all(tx, f"space_id = $1 ORDER BY {rank}, created_at, member LIMIT $2", space_id, limit)


async def spaces_of(tx: Tx, member: str) -> list[str]:
    return [space_id for (space_id,) in await tx.all("SELECT space_id FROM space_member WHERE member = $1", member)]


async def display_names(tx: Tx, usernames: Sequence[str]) -> dict[str, str]:
    sql = f"SELECT username, display_name FROM account WHERE username IN ({_numbers(usernames)}) AND deleted_at IS NULL"
    return {row[0]: row[1] for row in await tx.all(sql, *usernames)} if usernames else {}


async def find_managed(tx: Tx, ids: Sequence[str]) -> set[str]:
    """The spaces among these that have a manager who can sign in."""
    rows = await tx.all(
        "SELECT DISTINCT m.space_id FROM space_member m JOIN account a ON a.username = m.member"
        " AND a.disabled_at IS NULL AND a.deleted_at IS NULL"
        f" WHERE m.space_id IN ({_numbers(ids)}) AND m.role = 'manager'",
        *ids,
    )
    return {space_id for (space_id,) in rows}


async def members_among(tx: Tx, space_id: str, names: Sequence[str]) -> set[str]:
    """The names among these that are members; any account's name, if the space is open to everybody."""
    rows = await tx.all(
        f"SELECT username FROM account WHERE username IN ({_numbers(names, 2)}) AND deleted_at IS NULL"
        " AND (EXISTS (SELECT 1 FROM space_member m WHERE m.space_id = $1 AND m.member = account.username)"
        " OR EXISTS (SELECT 1 FROM space WHERE id = $1 AND everyone IS NOT NULL))",
        space_id, *names,
    )  # fmt: skip
    return {username for (username,) in rows}


async def find_joined(tx: Tx, member: str) -> list[Space]:
    """The shared spaces that somebody is a member of, by name."""
    joined = "id IN (SELECT space_id FROM space_member WHERE member = $1) AND trashed_at IS NULL ORDER BY name, id"
    return await SPACES.find_all(tx, joined, member)


async def find_reached(tx: Tx, person: str) -> list[str]:
    """The spaces that a person is in, and those that are open to everybody, without those in the trash.

    For a token of a space the person is the space itself.
    """
    rows = await tx.all(
        "SELECT id FROM space WHERE trashed_at IS NULL AND (everyone IS NOT NULL OR id = $1"
        " OR id IN (SELECT space_id FROM space_member WHERE member = $1)) ORDER BY id",
        person,
    )
    return [space_id for (space_id,) in rows]


async def set_role(tx: Tx, space_id: str, member: str, role: Role) -> None:
    await tx.run("UPDATE space_member SET role = $3 WHERE space_id = $1 AND member = $2", space_id, member, role)


async def remove_member(tx: Tx, space_id: str, member: str) -> None:
    await tx.run("DELETE FROM space_member WHERE space_id = $1 AND member = $2", space_id, member)


async def remove(tx: Tx, space_id: str) -> None:
    """Delete the space with its members."""
    await tx.run("DELETE FROM space WHERE id = $1", space_id)


async def note_departure(tx: Tx, space_id: str, member: str) -> None:
    """Note that a membership has ended or was lowered now."""
    await tx.run(
        "INSERT INTO space_departure (space_id, member, ended_at) VALUES ($1, $2, $3)"
        " ON CONFLICT (space_id, member) DO UPDATE SET ended_at = $3",
        space_id, member, clock.now_ms(),
    )  # fmt: skip


async def admits(tx: Tx, invitation: SpaceInvitation, username: str) -> bool:
    """False if the person's membership has ended, or was lowered, since the invitation was made."""
    sql = "SELECT 1 FROM space_departure WHERE space_id = $1 AND member = $2 AND ended_at >= $3"
    return await tx.one(sql, invitation.space_id, username, invitation.created_at) is None


async def count_invitations(tx: Tx, space_id: str) -> int:
    """The number of those that can still be used."""
    sql = "SELECT count(*) FROM space_invitation WHERE space_id = $1 AND uses_left > 0 AND expires_at > $2"
    row = await tx.one(sql, space_id, clock.now_ms())
    assert row is not None
    return int(row[0])


async def find_invited(tx: Tx, space_id: str, username: str) -> SpaceInvitation | None:
    """The invitation by name that waits for the person's yes."""
    waits = "space_id = $1 AND username = $2 AND uses_left > 0 AND expires_at > $3"
    return await INVITATIONS.find(tx, waits, space_id, username, clock.now_ms())


async def find_inviting(tx: Tx, username: str, ids: Sequence[str]) -> list[Space]:
    """The spaces among these that wait for the person's yes."""
    invited = (
        "EXISTS (SELECT 1 FROM space_invitation i WHERE i.space_id = space.id AND i.username = $1"
        f" AND i.uses_left > 0 AND i.expires_at > $2) AND trashed_at IS NULL AND id IN ({_numbers(ids, 3)})"
    )
    return await SPACES.find_all(tx, invited, username, clock.now_ms(), *ids) if ids else []


async def spend_invitation(tx: Tx, invitation: SpaceInvitation) -> bool:
    """Use the invitation once. False if somebody else was faster, and no use is left."""
    sql = "UPDATE space_invitation SET uses_left = uses_left - 1 WHERE id = $1 AND uses_left > 0 AND expires_at > $2"
    return await tx.run(sql, invitation.id, clock.now_ms()) == 1


async def delete_invited(tx: Tx, space_id: str, username: str) -> bool:
    """Forget an invitation by name: accepted, declined or withdrawn, or its time is over. A member has none."""
    sql = "DELETE FROM space_invitation WHERE space_id = $1 AND username = $2"
    return await tx.run(sql, space_id, username) == 1


async def delete_invitation(tx: Tx, space_id: str, invitation_id: str) -> None:
    """Raises NotFound."""
    sql = "DELETE FROM space_invitation WHERE id = $1 AND space_id = $2"
    if not await tx.run(sql, invitation_id, space_id):
        raise NotFound


forget_invitations = forget_old("space_invitation")
forget_departures = forget_old("space_departure", "space_id, member", "ended_at", LONGEST_INVITATION_MS)


def _numbers(values: Sequence[str], first: int = 1) -> str:
    """The parameters of a statement for these values, from `$first` on."""
    return ", ".join(f"${number}" for number in range(first, first + len(values)))
