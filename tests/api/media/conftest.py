"""A server whose jobs wait until a test starts a worker, and a way to tell one test's media from all others."""

import secrets
from collections.abc import Iterator

import pytest

from stowboard_client import Client
from support.servers.stacks import FolderServer, Stack
from support.servers.stowboard import Server
from support.servers.worker import NO_JOBS


@pytest.fixture
def idle_server(stack: Stack, folder_server: FolderServer) -> Server:
    """Nothing is processed on it; see `support.servers.worker.working`."""
    return folder_server(stack, NO_JOBS)


@pytest.fixture
def idle(idle_server: Server) -> Iterator[Client]:
    with Client(idle_server.origin, idle_server.admin_token) as client:
        yield client


@pytest.fixture
def tag() -> str:
    """A tag that nothing else has; the library is one for all tests of a server."""
    return "t" + secrets.token_hex(6)
