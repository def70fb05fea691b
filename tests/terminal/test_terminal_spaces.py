"""Spaces in the terminal."""

import json
from pathlib import Path

import pytest

from stowboard.core.reach import LIBRARY
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
        asked = ours("space", "add", home, carol.name).one
        assert (asked["role"], asked["status"]) == ("editor", "invited")
        assert hers("space", "join", made["id"]).one["role"] == "editor"
        roles = {each["username"]: each["role"] for each in hers("space", "members", home.upper()).lines}
        assert roles == {alice.name: "manager", bob.name: "viewer", carol.name: "editor"}
        assert "You have left" in his("space", "leave", home, "--yes").err
        assert home not in [space["name"] for space in his("space", "ls").lines]
        assert bob.role_in(made["id"]) is None
        gone = his("space", "members", home)
        assert (gone.code, gone.err.partition(" '")[0]) == (4, "stow: There is no space")


def test_commands_act_in_the_space_that_is_named(server: Server, tmp_path: Path) -> None:
    with people(server, "alice", "bob") as (alice, bob):
        name = fresh_name("Home")
        home = alice.make_space(name)
        alice.add(home, bob)
        ours, his = (terminal(server, person, tmp_path) for person in (alice, bob))
        ours("task", "add", "Own")
        ours("board", "create", "Shopping", "--space", name.upper())
        assert ours("task", "add", "Milk @shopping", "--space", name).one["spaceId"] == home
        his("task", "add", "Bread", "--plain", "--space", home)
        assert titles(ours, name) == ["Bread", "Milk"]
        assert titles(ours, "own") == ["Own"]
        assert titles(ours, "all") == ["Bread", "Milk", "Own"]
        assert titles(his, f"~{bob.name}") == []
        assert [board["name"] for board in his("board", "ls", "--space", name).lines] == ["Shopping"]
        assert his("board", "ls").lines == []
        assert his("task", "done", "milk").code == 4
        assert his("task", "done", "milk", "--space", name).one["status"] == "done"
        assert his("task", "done", "bread", "--space", "all").one["updatedBy"] == bob.name
        told = his("events", "tail", "--from-start", "--types", "task.completed", "--space", name, "--limit", "2")
        assert {(event["spaceId"], event["actor"]["person"]) for event in told.lines} == {(home, bob.name)}
        table = ours("task", "ls", "--space", "all", "--table").out
        assert "spaceId" in table.splitlines()[0]
        assert home in table


def test_a_space_can_come_from_the_environment(server: Server, tmp_path: Path) -> None:
    with people(server, "alice") as (alice,):
        name = fresh_name("Work")
        work, ours = alice.make_space(name), terminal(server, alice, tmp_path)
        ours.environment["STOW_SPACE"] = name
        assert ours("board", "create", "Plan").one["spaceId"] == work
        assert ours("task", "add", "Ship", "--space", "own").one["spaceId"] == f"~{alice.name}"
        assert (titles(ours), titles(ours, "own")) == ([], ["Ship"])
        assert ours("space", "members", name).one["username"] == alice.name
        ours.environment["STOW_SPACE"] = "all"
        assert titles(ours) == ["Ship"]
        refused = ours("task", "add", "Ship")
        words = "stow: argument --space: all is for lists; name one space. See: stow task add --help\n"
        assert (refused.code, refused.err) == (2, words)


def test_a_space_that_is_not_there_ends_the_command(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("a")
    with people(server, "alice") as (alice,):
        ours = terminal(server, alice, tmp_path)
        for words in (["ls"], ["upload", str(file), "--again"], ["video", "upload", str(file)], ["export"]):
            for space in ("Nowhere", "spc_01kbr2x4q8e9w6y3t7n5m1c0vz"):
                ran = ours(*words, "--space", space)
                assert (ran.code, ran.out) == (4, "")
                assert "here is no s" in ran.err


def test_a_file_is_sent_once_to_each_space(server: Server, tmp_path: Path) -> None:
    with people(server, "alice", "bob") as (alice, bob):
        home, ours = alice.make_space(), terminal(server, alice, tmp_path)
        alice.add(home, bob, "viewer")
        file = tmp_path / "letter.txt"
        file.write_text(fresh_name("Dear all"))
        common = ours("upload", str(file)).one
        private = ours("upload", str(file), "--space", home).one
        assert [each["outcome"] for each in (common, private)] == ["uploaded", "uploaded"]
        assert [each["visibility"] for each in (common, private)] == ["public", "protected"]
        again = ours("upload", str(file), "--space", home).one
        assert (again["outcome"], again["id"]) == ("present", private["id"])
        assert [asset["id"] for asset in ours("ls", "--space", home).lines] == [private["id"]]
        theirs = terminal(server, bob, tmp_path)
        assert [asset["id"] for asset in theirs("ls", "--space", home).lines] == [private["id"]]
        refused = theirs("upload", str(file), "--again", "--space", home)
        assert (refused.code, "you are viewer there" in refused.err) == (3, True)


def test_a_space_is_written_out_and_a_board_of_another_program_is_brought_in(server: Server, tmp_path: Path) -> None:
    with people(server, "alice") as (alice,):
        home, ours = alice.make_space(), terminal(server, alice, tmp_path)
        board = {
            "id": fresh_name("b"), "name": "Trip", "lists": [{"id": "l1", "name": "To pack"}],
            "cards": [{"id": fresh_name("c"), "name": "Socks", "idList": "l1"}],
        }  # fmt: skip
        file = tmp_path / "trip.json"
        file.write_text(json.dumps(board))
        assert ours("import", str(file), "--yes", "--space", home).one["present"] == 0
        assert ours("import", str(file), "--yes", "--space", home).one["present"] == 1
        assert ours("import", str(file), "--yes").one["present"] == 0
        written = ours("export", "--space", home).lines
        assert [(each["kind"], each["spaceId"]) for each in written] == [("board", home), ("task", home)]
        everywhere = {each["spaceId"] for each in ours("export", "--space", "all").lines}
        assert everywhere - {LIBRARY} == {home, f"~{alice.name}"}  # others of this server may have tasks in the Library


def titles(stow: Terminal, space: str | None = None) -> list[str]:
    named = ("--space", space) if space else ()
    return sorted(task["title"] for task in stow("task", "ls", *named).lines)
