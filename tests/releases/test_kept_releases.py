"""Data of every release is opened by all later ones: it answers the same, takes new data, and nothing is damaged.

`make keep-release` keeps what this version makes, in a folder with its name; do it once, when it is released.
"""

import os
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest

import stowboard
from support.releases.filled import fill, fits, look
from support.releases.kept import bring_back, keep, settings_to_keep
from support.servers.forked import launch
from support.servers.postgres import PostgresServer
from support.servers.seaweedfs import SeaweedFs
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server

KEPT = Path(__file__).parent
RELEASES = sorted(path.name for path in KEPT.iterdir() if path.is_dir() and path.name[0].isdecimal())
Opened = Callable[[Path], None]


@pytest.fixture
def opened(stack: Stack, postgres: PostgresServer, seaweedfs: SeaweedFs, tmp_path: Path) -> Opened:
    """Opens a kept installation of this stack with this release, and looks at it."""

    def check(folder: Path) -> None:
        settings = stack() | UNLIMITED | settings_to_keep()
        if stack.name == "cluster":
            settings["STOWBOARD_DATABASE_URL"] = postgres.create_database()
        server = Server(tmp_path / "opened", settings, launch=launch)
        kept = bring_back(folder / stack.name, server, postgres, seaweedfs)
        foreseen = server.command("upgrade", "--check")
        assert foreseen.returncode in (0, 1), foreseen.stderr
        server.start()
        try:
            now = look(server)
            assert [path for path in kept.answers if not fits(kept.answers[path], now.get(path))] == []
            made = httpx2.post(f"{server.base_url}/taskapp/tasks", json={"title": "new"}, headers=server.headers)
            assert made.status_code == 201
            again = {**server.headers, "idempotency-key": "kept-reply"}
            retried = httpx2.post(f"{server.base_url}/taskapp/tasks", json={"title": "kept reply"}, headers=again)
            assert retried.status_code == 201
        finally:
            server.stop()
        verified = server.command("verify")
        assert verified.returncode == 0, verified.stdout + verified.stderr

    return check


def test_data_of_this_release_is_kept_and_opened_again(
    stack: Stack,
    make_server: MakeServer,
    postgres: PostgresServer,
    seaweedfs: SeaweedFs,
    tmp_path: Path,
    opened: Opened,
) -> None:
    folder = KEPT / stowboard.__version__ if os.environ.get("KEEP_RELEASE") else tmp_path / "kept"
    server = make_server(stack() | UNLIMITED | settings_to_keep())
    server.admin_token = settings_to_keep()["STOWBOARD_BOOTSTRAP_TOKEN"]
    fill(server)
    answers = look(server)
    server.stop()
    keep(server, answers, folder / stack.name, postgres, seaweedfs)
    opened(folder)


@pytest.mark.parametrize("release", RELEASES)
def test_data_of_an_earlier_release_is_opened(release: str, opened: Opened) -> None:
    opened(KEPT / release)


def test_what_was_kept_has_to_be_there_and_more_may_be() -> None:
    assert fits({"a": [{"b": 1}]}, {"a": [{"b": 1, "c": 2}], "d": 3})
    assert not fits({"a": [{"b": 1}]}, {"a": [{"b": 2}]})
    assert not fits({"a": 1}, {})
    assert not fits([1], [1, 2])
