"""Any sequence of what people do in spaces: everybody sees what is in their spaces, by every way, and nothing else.

A model knows who is in which space, and where each task, board and asset is. It says how each request is answered, and
what a token sees by get, list, search, tags, counts, usage, calendar and events.
"""

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from stowboard.core.reach import Role
from support.api.answers import data_of
from support.clients.people import ticket_in
from support.clients.space_world import SpaceWorld, Thing
from support.servers.stowboard import Server

TASKS, BOARDS, ASSETS = "/taskapp/tasks", "/taskapp/boards", "/media/assets"
ROLES = st.sampled_from(["viewer", "commenter", "editor", "manager"])
CHOICES = st.integers(0, 1000)
#: A person, and a space: two shared ones, and the person's own.
PEOPLE, SPACES = st.integers(0, 2), st.integers(0, 2)
TAGS = st.lists(st.sampled_from(["home", "garden"]), unique=True)
BOUNDED = settings(
    max_examples=2,
    stateful_step_count=30,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],  # to shrink takes minutes, and a failure tells its steps
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


def test_everybody_sees_what_is_in_their_spaces_whatever_happens(server: Server) -> None:
    run_model(server, BOUNDED)


@pytest.mark.soak
def test_everybody_sees_what_is_in_their_spaces_for_a_long_time(server: Server) -> None:
    run_model(server, settings(BOUNDED, max_examples=25, stateful_step_count=80, derandomize=False))


def run_model(server: Server, bounds: settings) -> None:
    run_state_machine_as_test(lambda: SharedLife(server), settings=bounds)  # type: ignore[arg-type]


class SharedLife(RuleBasedStateMachine):
    def __init__(self, server: Server) -> None:
        super().__init__()
        self.world, self.steps = SpaceWorld(server), 0

    def teardown(self) -> None:
        try:
            for token in self.world.tokens:
                self.world.check(token)
                self.world.check_events(token)
        finally:
            self.world.close()  # else the next test of this process is told of connections left open

    @rule(space=st.integers(0, 1), who=PEOPLE, role=ROLES, by_link=st.booleans())
    def join(self, space: int, who: int, role: str, by_link: bool) -> None:
        world, home, person = self.world, self.world.shared[space], self.world.people[who]
        manager = world.manager_of(home)
        if home in world.trashed or world.role(person, home) is not None:
            return
        if by_link:
            made = data_of(manager.api.post(f"/spaces/{home}/invitations", json={"role": role}), 201)
            data_of(person.api.post("/spaces/join", json={"ticket": ticket_in(made["link"])}))
        else:
            manager.add(home, person, role)
        world.members[home][person.name] = role

    @rule(space=st.integers(0, 1), who=PEOPLE, role=ROLES, gone=st.booleans())
    def change_or_remove(self, space: int, who: int, role: str, gone: bool) -> None:
        world, home, person = self.world, self.world.shared[space], self.world.people[who]
        if home in world.trashed or world.role(person, home) is None:
            return
        path, api = f"/spaces/{home}/members/{person.name}", world.manager_of(home).api
        answer = api.delete(path) if gone else api.patch(path, json={"role": role})
        managers = [name for name, held in world.members[home].items() if held == "manager"]
        if managers == [person.name] and (gone or role != "manager"):
            assert answer.status_code == 409
        else:
            data_of(answer)
            world.members[home].pop(person.name)
            world.members[home] |= {} if gone else {person.name: role}

    @rule(space=st.integers(0, 1))
    def trash_or_restore(self, space: int) -> None:
        world, home = self.world, self.world.shared[space]
        act = "restore" if home in world.trashed else "trash"
        data_of(world.manager_of(home).api.post(f"/spaces/{home}/{act}"))
        world.trashed ^= {home}

    @rule(who=PEOPLE, space=SPACES)
    def make_board(self, who: int, space: int) -> None:
        person, owner = self.world.chosen(who, space)
        answer = person.api.post(BOARDS, json={"name": "b", "spaceId": owner})
        if self.world.expect(answer, person, owner, status=201):
            self.world.boards[answer.json()["data"]["id"]] = Thing(owner, [])

    @rule(who=PEOPLE, space=SPACES, tags=TAGS, board=CHOICES, asset=CHOICES, placed=st.booleans())
    def make_task(self, who: int, space: int, tags: list[str], board: int, asset: int, placed: bool) -> None:
        person, owner = self.world.chosen(who, space)
        near = [each for each, thing in self.world.boards.items() if thing.owner == owner and placed]
        attached = [each for each, thing in self.world.assets.items() if thing.owner == owner][:1]
        where = {"boardId": near[board % len(near)]} if near else {"spaceId": owner}
        body = {"title": self.world.word, "tags": tags, "attachments": attached, "dueAt": 4_000_000_000_000, **where}
        answer = person.api.post(TASKS, json=body)
        unseen = 400 if near and self.world.role(person, owner) is None else 404
        if self.world.expect(answer, person, owner, status=201, unseen=unseen):
            self.world.learn_task(answer.json()["data"])

    @rule(who=PEOPLE, space=SPACES, tags=TAGS)
    def upload(self, who: int, space: int, tags: list[str]) -> None:
        person, owner = self.world.chosen(who, space)
        body = {"filename": "a.txt", "data": "aGVsbG8=", "tags": tags, "title": self.world.word, "spaceId": owner}
        answer = person.api.post("/media/upload/file", json=body)
        if self.world.expect(answer, person, owner, status=201):
            self.world.assets[answer.json()["data"]["id"]] = Thing(owner, tags)

    @precondition(lambda self: self.world.tasks)
    @rule(who=PEOPLE, task=CHOICES, act=st.sampled_from(["archive", "restore", "complete", "delete", "tag", "move"]))
    def change_task(self, who: int, task: int, act: str) -> None:
        world, person = self.world, self.world.people[who]
        task_id, thing = world.pick(world.tasks, task)
        path = f"{TASKS}/{task_id}"
        if act == "delete":
            answer = person.api.delete(path)
        elif act == "tag":
            answer = person.api.patch(path, json={"tags": ["other"]})
        elif act == "move":
            answer = person.api.patch(f"{path}/move", json={"status": "todo", "position": 0})
        else:
            answer = person.api.post(f"{path}/{act}")
        if world.expect(answer, person, thing.owner):
            if act == "delete":
                world.tasks.pop(task_id)
            else:
                world.learn_task(data_of(person.api.get(path)))

    @precondition(lambda self: self.world.tasks)
    @rule(who=PEOPLE, task=CHOICES, space=SPACES)
    def transfer_task(self, who: int, task: int, space: int) -> None:
        world = self.world
        task_id, thing = world.pick(world.tasks, task)
        person, owner = world.chosen(who, space)
        answer = person.api.post(f"{TASKS}/{task_id}/transfer", json={"spaceId": owner})
        if world.expect_between(answer, person, (thing.owner, Role.EDITOR), (owner, Role.EDITOR)):
            world.learn_task(answer.json()["data"])

    @precondition(lambda self: self.world.boards)
    @rule(who=PEOPLE, board=CHOICES, space=SPACES)
    def transfer_board(self, who: int, board: int, space: int) -> None:
        world = self.world
        board_id, thing = world.pick(world.boards, board)
        person, owner = world.chosen(who, space)
        answer = person.api.post(f"{BOARDS}/{board_id}/transfer", json={"spaceId": owner})
        if world.expect_between(answer, person, (thing.owner, Role.EDITOR), (owner, Role.EDITOR)):
            world.boards[board_id] = Thing(owner, [])
            for task_id in [each for each, task in world.tasks.items() if task.board == board_id]:
                world.learn_task(data_of(person.api.get(f"{TASKS}/{task_id}")))

    @precondition(lambda self: self.world.assets)
    @rule(who=PEOPLE, asset=CHOICES, space=SPACES)
    def transfer_asset(self, who: int, asset: int, space: int) -> None:
        world = self.world
        asset_id, thing = world.pick(world.assets, asset)
        person, owner = world.chosen(who, space)
        answer = person.api.post(f"{ASSETS}/transfer", json={"ids": [asset_id], "spaceId": owner})
        used = any(asset_id in task.attached and task.owner != owner for task in world.tasks.values())
        if used and world.may(person, thing.owner) and world.may(person, owner):
            assert answer.status_code == 409
        elif world.expect_between(answer, person, (thing.owner, Role.EDITOR), (owner, Role.EDITOR)):
            world.assets[asset_id] = Thing(owner, thing.tags)

    @precondition(lambda self: self.world.assets)
    @rule(who=PEOPLE, asset=CHOICES, space=SPACES)
    def copy_asset(self, who: int, asset: int, space: int) -> None:
        world = self.world
        asset_id, thing = world.pick(world.assets, asset)
        person, owner = world.chosen(who, space)
        answer = person.api.post(f"{ASSETS}/{asset_id}/copy", json={"spaceId": owner})
        if world.expect_between(answer, person, (thing.owner, Role.VIEWER), (owner, Role.EDITOR)):
            world.assets[answer.json()["data"]["id"]] = Thing(owner, thing.tags)

    @invariant()
    def one_of_the_tokens_sees_what_the_model_says(self) -> None:
        self.steps += 1
        self.world.check(self.world.tokens[self.steps % len(self.world.tokens)])
