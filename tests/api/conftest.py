"""Ways to speak to the shared server. Clients are made once, since each one reads the certificates of the machine."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest

from stowboard_client import Client, IssuedToken
from support.clients.credentials import Issue
from support.clients.task_owner import Owner
from support.servers.stowboard import Server

# Some tests leave their connection in a bad state, so none is used twice.
FRESH = httpx2.Limits(max_keepalive_connections=0)


@pytest.fixture(scope="session")
def web(shared_server: Server) -> Iterator[httpx2.Client]:
    """A client without a token."""
    with httpx2.Client(base_url=shared_server.origin, limits=FRESH) as client:
        yield client


@pytest.fixture(scope="session")
def admin(shared_server: Server) -> Iterator[httpx2.Client]:
    """A client with the admin token, whose answers can be looked at as they came."""
    with httpx2.Client(base_url=shared_server.origin, headers=shared_server.headers, limits=FRESH) as client:
        yield client


@pytest.fixture(scope="session")
def issuer(shared_server: Server) -> Iterator[Client]:
    with Client(shared_server.origin, shared_server.admin_token) as client:
        yield client


@pytest.fixture
def issue(issuer: Client) -> Issue:
    """Issues a token: `issue("alice", scopes=["tasks:read"])`."""

    def create(owner: str = "alice", **options: Any) -> IssuedToken:
        return issuer.tokens.create(owner, **options)

    return create


@pytest.fixture
def ann(server: Server) -> Iterator[Owner]:
    """An owner whom no other test knows."""
    owner = Owner(server)
    yield owner
    owner.close()


@pytest.fixture
def ben(server: Server) -> Iterator[Owner]:
    """Somebody else."""
    owner = Owner(server)
    yield owner
    owner.close()
