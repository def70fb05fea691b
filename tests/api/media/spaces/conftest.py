"""A space with a member of each role, and somebody who is in none."""

from collections.abc import Iterator

import pytest

from support.clients.spaces import Member, SharedSpace
from support.servers.stowboard import Server


@pytest.fixture
def people(server: Server) -> Iterator[dict[str, Member]]:
    everybody = {role: Member(server) for role in ("manager", "editor", "commenter", "viewer", "stranger")}
    yield everybody
    for one in everybody.values():
        one.http.close()


@pytest.fixture
def space(server: Server, people: dict[str, Member]) -> SharedSpace:
    return SharedSpace(server, {role: one for role, one in people.items() if role != "stranger"})
