"""Agents in shared spaces."""

import pytest

from support.api.answers import data_of
from support.clients.agents import Agent
from support.clients.people import fresh_name
from support.clients.space_people import SpacePerson, people
from support.servers.stowboard import Server

pytestmark = pytest.mark.cluster_in_soak


def agent_of(server: Server, person: SpacePerson, *spaces: str) -> Agent:
    made = person.api.post("/access/me/tokens", json={"name": "agent", "spaces": list(spaces)})
    return Agent(server.origin, data_of(made, 201)["token"])


def test_an_agent_works_in_a_space_that_is_named_and_sees_none_that_it_was_not_given(server: Server) -> None:
    with people(server, "alice", "bob") as (alice, bob):
        name = fresh_name("Home")
        home = alice.make_space(name)
        alice.add(home, bob, "viewer")
        agent = agent_of(server, alice, "all")
        agent.call("save_board", name="Shopping", space=name.upper())
        agent.call("save_task", title="Milk", board="Shopping")
        agent.call("save_task", title="Bread", space=home)
        agent.call("save_task", title="Own")
        assert sorted(task["title"] for task in agent.call("find_tasks", space=name)["tasks"]) == ["Bread", "Milk"]
        assert [task["title"] for task in agent.call("find_tasks")["tasks"]] == ["Own"]
        assert len(agent.call("find_tasks", space="all")["tasks"]) == 3
        others = agent_of(server, bob, "all")
        assert len(others.call("find_tasks", space=name)["tasks"]) == 2
        assert "you must be editor" in others.text("save_task", title="x", space=name)
        narrow = agent_of(server, bob, "own")
        assert "No space has this name" in narrow.text("find_tasks", space=name)
        assert "no such space" in narrow.text("find_tasks", space=home)
        assert narrow.call("show_board")["boards"] == []


def test_an_agent_adds_a_file_to_a_space_that_is_named_and_finds_it_there(server: Server) -> None:
    with people(server, "alice", "bob") as (alice, bob):
        name = fresh_name("Home")
        home = alice.make_space(name)
        alice.add(home, bob, "viewer")
        agent = agent_of(server, alice, "all")
        letter = agent.call("add_media", filename="letter.txt", text="Dear all", space=name)["media"]
        own = agent.call("add_media", filename="diary.txt", text="Dear me", space="own")["media"]
        coming = agent.call("add_media", filename="film.bin", size=9, space=home)["upload"]
        assert letter["visibility"] == own["visibility"] == "protected"
        assert data_of(alice.api.get(f"/media/assets/{coming['id']}"))["spaceId"] == home
        assert [file["id"] for file in agent.call("find_media", space=name)["media"]] == [letter["id"]]
        assert [file["id"] for file in agent.call("find_media", space="own")["media"]] == [own["id"]]
        everything = agent.call("find_media", space="all", limit=50)["media"]
        assert {letter["id"], own["id"]} <= {file["id"] for file in everything}
        assert agent.call("find_media", space=name, kind="video")["media"] == []
        others = agent_of(server, bob, "all")
        assert [file["id"] for file in others.call("find_media", space=name)["media"]] == [letter["id"]]
        assert "you must be editor" in others.text("add_media", filename="x.txt", text="x", space=name)
        assert "no such space" in agent_of(server, bob, "own").text("find_media", space=home)


@pytest.mark.parametrize("space", ["spc_01kbr2x4q8e9w6y3t7n5m1c0vz", "~nobody-of-this-name", "Nowhere"])
def test_an_unknown_space_is_told_as_a_space_by_every_tool(server: Server, space: str) -> None:
    with people(server, "alice") as (alice,):
        agent = agent_of(server, alice, "all")
        agent.call("save_board", name="Shopping")
        for tool, arguments in (
            ("find_tasks", {}),
            ("find_tasks", {"board": "Shopping"}),
            ("save_task", {"title": "x"}),
            ("save_task", {"title": "x", "board": "Shopping"}),
            ("show_board", {}),
            ("show_board", {"board": "Shopping"}),
            ("save_board", {"name": "x"}),
            ("find_media", {}),
            ("add_media", {"filename": "x.txt", "text": "x"}),
        ):
            said = agent.text(tool, space=space, **arguments).lower()
            assert "space" in said, tool
            assert "board" not in said, (tool, said)
