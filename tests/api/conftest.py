"""Ways to speak to the shared server."""

from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from stowboard_client import Client, IssuedToken
from support.credentials import Issue
from support.server import Server


@pytest.fixture
def web(server: Server) -> Iterator[httpx2.Client]:
    """A client without a token."""
    with httpx2.Client(base_url=server.origin) as client:
        yield client


@pytest.fixture
def admin(server: Server) -> Iterator[httpx2.Client]:
    """A client with the admin token, whose answers can be looked at as they came."""
    with httpx2.Client(base_url=server.origin, headers=server.headers) as client:
        yield client


@pytest.fixture
def issue(client: Client) -> Issue:
    """Issues a token: `issue("alice", scopes=["tasks:read"])`."""

    def create(owner: str = "alice", **options: Any) -> IssuedToken:
        return client.tokens.create(owner, **options)

    return create

