"""A server whose jobs wait until a test starts a worker, and a way to tell one test's media from all others."""

import secrets
from collections.abc import Iterator

import pytest

from stowboard_client import Client
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.servers.worker import NO_JOBS


@pytest.fixture(scope="session")
def idle_servers() -> dict[Stack, Server]:
    """By stack; a fixture with the stack's own parameter would be made again at each change of it."""
    return {}


@pytest.fixture
def idle_server(stack: Stack, make_lasting_server: MakeServer, idle_servers: dict[Stack, Server]) -> Server:
    """Nothing is processed on it; see `support.servers.worker.working`."""
    if stack not in idle_servers:
        idle_servers[stack] = make_lasting_server(stack() | UNLIMITED | NO_JOBS)
    return idle_servers[stack]


@pytest.fixture
def idle(idle_server: Server) -> Iterator[Client]:
    with Client(idle_server.origin, idle_server.admin_token) as client:
        yield client


@pytest.fixture
def tag() -> str:
    """A tag that nothing else has; the library is one for all tests of a server."""
    return "t" + secrets.token_hex(6)
