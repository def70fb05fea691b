"""Notifications in the terminal."""

from pathlib import Path

import pytest

from support.api.answers import data_of
from support.clients.space_people import people
from support.clients.terminal import Terminal
from support.servers.stowboard import Server
from support.waiting import wait_until

pytestmark = pytest.mark.cluster_in_soak


def test_what_a_person_was_told_is_listed_and_marked_as_read(server: Server, tmp_path: Path) -> None:
    with people(server, "alice", "bob") as (alice, bob):
        stow = Terminal(server, tmp_path, bob.browser.token())
        assert stow("notifications").lines == []
        assert "0 notifications" in stow("notifications", "--read").err
        for name in ("One", "Two", "Three"):
            alice.add(alice.make_space(name), bob)
        wait_until(lambda: len(data_of(bob.api.get("/notifications"))) == 3)
        told = stow("notifications").lines
        assert [(each["kind"], each["actor"], each["title"]) for each in told] == [
            ("shared", alice.name, name) for name in ("Three", "Two", "One")
        ]
        assert "1 notification marked" in stow("notifications", "--read", told[1]["id"]).err
        assert [each["title"] for each in stow("notifications", "--limit", "1").lines] == ["Three"]
        assert "2 notifications marked" in stow("notifications", "--read").err
        assert stow("notifications").lines == []
        assert len(stow("notifications", "--all").lines) == 3
