"""A revocation holds in every process within a second."""

from collections.abc import Iterator

import httpx2
import pytest

from stowboard_client import Client
from support.clients.credentials import bearer, check_forgotten, statuses
from support.servers.stacks import MakeServer, Stack
from support.servers.stowboard import Server


@pytest.fixture(scope="module")
def two_processes(stack: Stack, make_server: MakeServer) -> Iterator[Server]:
    unlimited = {"STOWBOARD_RATE_LIMIT_PER_MINUTE": "6000000", "STOWBOARD_RATE_LIMIT_BURST": "10000"}
    server = make_server(stack() | unlimited, "--workers", "2")
    yield server
    server.kill()


def test_a_token_is_known_everywhere_at_once_and_forgotten_within_a_second(two_processes: Server) -> None:
    server = two_processes
    with Client(server.origin, server.admin_token) as client:
        token = client.tokens.create("alice")
        assert statuses(server, bearer(token), 20) == {200}
        client.tokens.revoke(token.id)
    check_forgotten(server, bearer(token))


def test_a_token_revoked_by_command_is_forgotten_within_a_second(two_processes: Server) -> None:
    server = two_processes
    with Client(server.origin, server.admin_token) as client:
        token = client.tokens.create("alice")
    assert statuses(server, bearer(token), 10) == {200}
    assert server.command("token", "revoke", token.id).returncode == 0
    check_forgotten(server, bearer(token))


def test_deleting_a_client_stops_its_tokens_everywhere_within_a_second(two_processes: Server) -> None:
    server = two_processes
    with Client(server.origin, server.admin_token) as client:
        app = client.clients.create("alice")
        form = {"grant_type": "client_credentials", "client_id": app.client_id, "client_secret": app.client_secret}
        token = httpx2.post(f"{server.origin}/oauth/token", data=form).json()["access_token"]
        assert statuses(server, bearer(token), 10) == {200}
        client.clients.delete(app.client_id)
    check_forgotten(server, bearer(token))
