"""Spaces in the terminal."""

from pathlib import Path

import pytest

from support.clients.people import fresh_name
from support.clients.space_people import SpacePerson, people
from support.clients.terminal import Terminal
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak


def terminal(server: Server, person: SpacePerson, folder: Path) -> Terminal:
    return Terminal(server, folder / person.name, person.browser.token())


def test_a_space_is_made_filled_with_people_and_left(server: Server, tmp_path: Path) -> None:
    with people(server, "alice", "bob", "carol") as (alice, bob, carol):
        home = fresh_name("Home")
        ours, his, hers = (terminal(server, person, tmp_path) for person in (alice, bob, carol))
        made = ours("space", "create", home).one
        assert (made["name"], made["role"]) == (home, "manager")
        link = ours("space", "invite", home, "--role", "viewer").one["link"]
        assert his("space", "join", link).one["role"] == "viewer"
        assert ours("space", "add", home, carol.name).one["role"] == "editor"
        roles = {each["username"]: each["role"] for each in hers("space", "members", home.upper()).lines}
        assert roles == {alice.name: "manager", bob.name: "viewer", carol.name: "editor"}
        assert "You have left" in his("space", "leave", home, "--yes").err
        assert home not in [space["name"] for space in his("space", "ls").lines]
        assert bob.role_in(made["id"]) is None
        gone = his("space", "members", home)
        assert (gone.code, gone.err.partition(" '")[0]) == (4, "stow: There is no space")
