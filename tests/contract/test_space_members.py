"""The members of a space on the database: what is remembered of a caller does not outlive a removal."""

import asyncio
import secrets

import pytest

from stowboard.access.base import account_store
from stowboard.access.base.account import NewAccount
from stowboard.access.spaces import members, space_store
from stowboard.access.spaces.space import MOST_SPACES, LastManager, Space, SpaceMember
from stowboard.core import clock
from stowboard.core.caller import Access, Caller, TokenId, TokenKind
from stowboard.core.errors import InsufficientRole, SpaceNotFound
from stowboard.core.ids import new_id
from stowboard.core.reach import Reach, Role
from stowboard.db.database import Database, Tx
from stowboard.events.audit import Actor
from stowboard.ports import TaskOwners

ACTOR, OWNERS = Actor("tests"), TaskOwners()


class Scene:
    """A space with two managers."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self.names = [f"{word}-{secrets.token_hex(4)}" for word in ("alice", "bob")]
        now = clock.now_ms()
        self.space = Space(new_id("spc"), "Home", None, self.names[0], now, now, 1, None)

    async def make(self, tx: Tx) -> None:
        await space_store.SPACES.insert(tx, self.space)
        for name in self.names:
            await account_store.insert(tx, NewAccount(name))
            await space_store.MEMBERS.insert(tx, SpaceMember(self.space.id, name, Role.MANAGER, name, clock.now_ms()))

    def access(self, name: str) -> Access:
        """As it was remembered while both were managers."""
        reach = Reach.over({name: Role.MANAGER, self.space.id: Role.MANAGER}, ["all"])
        return Access(Caller(TokenId("tok"), name, frozenset(), None, TokenKind.INTERACTIVE, reach), Role.MANAGER)

    async def remove(self, by: str, name: str) -> None:
        await self.db.transact(self._remove, by, name)

    async def _remove(self, tx: Tx, by: str, name: str) -> None:
        space = await space_store.lock_space(tx, self.access(by), self.space.id)
        await members.remove_member(tx, ACTOR, OWNERS, space, name)

    async def demote(self, by: str, name: str) -> None:
        await self.db.transact(self._demote, by, name)

    async def _demote(self, tx: Tx, by: str, name: str) -> None:
        space = await space_store.lock_space(tx, self.access(by), self.space.id)
        await members.change_member(tx, ACTOR, OWNERS, space, name, Role.VIEWER)

    async def managers(self) -> list[str]:
        found = await self.db.read(space_store.find_oldest_members, self.space.id, 10)
        return [each.member for each in found if each.role is Role.MANAGER]


@pytest.fixture
async def scene(database: Database) -> Scene:
    scene = Scene(database)
    await database.transact(scene.make)
    return scene


async def test_a_removed_manager_manages_nothing_although_a_process_remembers_them(scene: Scene) -> None:
    alice, bob = scene.names
    await scene.remove(alice, bob)
    with pytest.raises(SpaceNotFound):
        await scene.remove(bob, alice)
    assert await scene.managers() == [alice]


async def test_a_demoted_manager_manages_nothing_although_a_process_remembers_them(scene: Scene) -> None:
    alice, bob = scene.names
    await scene.demote(alice, bob)
    with pytest.raises(InsufficientRole):
        await scene.remove(bob, alice)


async def test_two_managers_who_remove_each_other_at_one_time_leave_one_manager(scene: Scene) -> None:
    alice, bob = scene.names
    outcomes = await asyncio.gather(scene.remove(alice, bob), scene.remove(bob, alice), return_exceptions=True)
    refused = [outcome for outcome in outcomes if outcome is not None]
    assert len(refused) == 1
    assert isinstance(refused[0], SpaceNotFound)
    assert len(await scene.managers()) == 1


async def test_two_spaces_that_take_one_person_at_one_time_do_not_pass_the_bound(scene: Scene) -> None:
    async def fill(tx: Tx) -> None:
        await account_store.insert(tx, NewAccount(carol))
        for _ in range(MOST_SPACES - 1):
            await space_of(tx, carol)

    async def space_of(tx: Tx, member: str) -> Space:
        now = clock.now_ms()
        space = Space(new_id("spc"), "Home", None, member, now, now, 1, None)
        await space_store.SPACES.insert(tx, space)
        await space_store.MEMBERS.insert(tx, SpaceMember(space.id, member, Role.MANAGER, member, now))
        return space

    carol, alice = f"carol-{secrets.token_hex(4)}", scene.names[0]
    await scene.db.transact(fill)
    spaces = [await scene.db.transact(space_of, alice) for _ in range(4)]
    adding = [scene.db.transact(members.add_member, ACTOR, space, carol, Role.VIEWER) for space in spaces]
    outcomes = await asyncio.gather(*adding, return_exceptions=True)
    assert sorted(type(each).__name__ for each in outcomes) == ["SpaceMember"] + ["TooManyItems"] * 3
    assert await scene.db.read(space_store.count_spaces_of, carol) == MOST_SPACES


async def test_two_managers_who_leave_at_one_time_leave_one_manager(scene: Scene) -> None:
    alice, bob = scene.names
    outcomes = await asyncio.gather(scene.remove(alice, alice), scene.remove(bob, bob), return_exceptions=True)
    refused = [outcome for outcome in outcomes if outcome is not None]
    assert [type(each) for each in refused] == [LastManager]
    assert len(await scene.managers()) == 1
