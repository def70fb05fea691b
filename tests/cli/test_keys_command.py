"""`stowboard keys`: what was signed before a rotation stays good until the next one."""

from pathlib import Path

import httpx2
import pytest

from stowboard.core.signing import IN_USE_MS
from stowboard_client import Client
from support.servers.command import sentence, stowboard
from support.servers.stowboard import Server
from support.stored.rows import rows

pytestmark = pytest.mark.cluster_in_soak

MY_KEYS = {"STOWBOARD_SIGNING_KEYS": f"{'n' * 32},{'o' * 32}"}


def live_keys(server: Server) -> list[str]:
    return [line.split()[0] for line in server.command("keys", "list").stdout.splitlines()]


def cursor_of(server: Server) -> str:
    with Client(server.origin, server.admin_token) as client:
        for _ in range(2):
            client.tokens.create("alice")
        cursor = client.tokens.list(limit=1).page().meta.next_cursor
    assert cursor is not None
    return cursor


def status_with(server: Server, cursor: str) -> int:
    return httpx2.get(f"{server.base_url}/access/tokens", params={"cursor": cursor}, headers=server.headers).status_code


def let_time_pass(server: Server) -> None:
    """Until every process signs with the newest key."""
    rows(server, f"UPDATE signing_key SET created_at = created_at - {IN_USE_MS}")


def test_a_cursor_survives_one_rotation_and_not_two(own_server: Server) -> None:
    cursor = cursor_of(own_server)
    (first,) = live_keys(own_server)
    done = own_server.command("keys", "rotate")
    second = done.stdout.split()[0]
    assert (done.returncode, live_keys(own_server)) == (0, [second, first])
    assert status_with(own_server, cursor) == 200
    own_server.kill()
    assert status_with(own_server.start(), cursor) == 200
    let_time_pass(own_server)
    third = own_server.command("keys", "rotate").stdout.split()[0]
    assert live_keys(own_server) == [third, second]
    own_server.kill()
    assert status_with(own_server.start(), cursor) == 400


def test_rotations_in_quick_succession_remove_no_key_that_a_process_may_sign_with(own_server: Server) -> None:
    (first,) = live_keys(own_server)
    let_time_pass(own_server)
    rotated = [own_server.command("keys", "rotate").stdout.split()[0] for _ in range(3)]
    assert live_keys(own_server) == [*reversed(rotated), first]
    cursor = cursor_of(own_server)  # of a process that knows the first one alone
    own_server.kill()
    assert status_with(own_server.start(), cursor) == 200, "a process that knows them all takes it"
    let_time_pass(own_server)
    last = own_server.command("keys", "rotate").stdout.split()[0]
    assert live_keys(own_server) == [last, rotated[-1]], "the others are in nobody's use any more"


def test_a_digest_key_is_not_rotated_before_the_last_one_is_in_use(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    assert stowboard(tmp_path, "keys", "rotate", "--digest").returncode == 0
    assert "last two minutes" in sentence(stowboard(tmp_path, "keys", "rotate", "--digest"))


def test_no_command_shows_a_secret(tmp_path: Path) -> None:
    stowboard(tmp_path, "upgrade")
    listed = stowboard(tmp_path, "keys", "list", **MY_KEYS)
    assert len(listed.stdout.splitlines()) == 2
    assert "STOWBOARD_SIGNING_KEYS" in listed.stdout
    assert "n" * 8 not in listed.stdout


def test_keys_of_the_environment_are_rotated_there(tmp_path: Path) -> None:
    assert "put a new one in front there" in sentence(stowboard(tmp_path, "keys", "rotate", **MY_KEYS))
