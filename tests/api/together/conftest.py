"""A space with people in every role."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from support.api.answers import data_of
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server
from support.stored.rows import rows

TASKS = "/taskapp/tasks"


class Team(NamedTuple):
    """Ann manages the space, Ben edits, Kim comments, Vic views; Eve is not in it."""

    server: Server
    space_id: str
    ann: SpacePerson
    ben: SpacePerson
    kim: SpacePerson
    vic: SpacePerson
    eve: SpacePerson

    def make(self, title: str = "t", **members: Any) -> Any:
        body = {"title": title, "spaceId": self.space_id, **members}
        return data_of(self.ann.api.post(TASKS, json=body), 201)

    def get(self, task: Any) -> Any:
        return data_of(self.ann.api.get(f"{TASKS}/{task['id']}"))

    def events(self, task: Any, kind: str) -> list[str]:
        """The data of the task's events of this kind, as JSON."""
        sql = f"SELECT data FROM event WHERE subject = '{task['id']}' AND type = '{kind}' ORDER BY id"
        return [bytes(data).decode() for (data,) in rows(self.server, sql)]


@pytest.fixture(scope="module")
def team(shared_server: Server) -> Iterator[Team]:
    with people(shared_server, "ann", "ben", "kim", "vic", "eve") as made:
        ann, ben, kim, vic, _ = made
        space_id = ann.make_space()
        for person, role in ((ben, "editor"), (kim, "commenter"), (vic, "viewer")):
            ann.add(space_id, person, role)
        yield Team(shared_server, space_id, *made)


@pytest.fixture
def url() -> Callable[..., str]:
    return lambda task, *parts: "/".join([TASKS, task["id"], *parts])
