"""People of a space for tests: each with a client of the API that reaches all of their spaces."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import httpx2

from support.api.answers import data_of
from support.clients.people import Browser, fresh_name, invited
from support.servers.stowboard import Server


class SpacePerson:
    """Somebody with an account, signed in."""

    def __init__(self, server: Server, word: str, role: str = "member") -> None:
        self.name = fresh_name(word)
        self.browser: Browser = invited(server, self.name, role)
        self.api = httpx2.Client(base_url=server.base_url, headers=self.browser.bearer())

    def make_space(self, name: str = "Home") -> str:
        space_id: str = data_of(self.api.post("/spaces", json={"name": name}), 201)["id"]
        return space_id

    def add(self, space_id: str, other: "SpacePerson", role: str = "editor") -> None:
        """Ask the other one, who says yes."""
        data_of(self.api.post(f"/spaces/{space_id}/members", json={"username": other.name, "role": role}), 201)
        data_of(other.api.post("/spaces/join", json={"spaceId": space_id}))

    def role_in(self, space_id: str) -> Any:
        answer = self.api.get(f"/spaces/{space_id}")
        return answer.json()["data"]["role"] if answer.status_code == 200 else None


@contextmanager
def people(server: Server, *words: str) -> Iterator[list[SpacePerson]]:
    with ExitStack() as stack:
        made = [SpacePerson(server, word) for word in words]
        for person in made:
            stack.enter_context(person.api)
        yield made
