"""A person who is signed in, and an application that wants to act for them."""

import pytest

from support.clients.applications import App, registered
from support.clients.people import Browser, fresh_name, invited
from support.servers.stowboard import Server


@pytest.fixture
def name() -> str:
    return fresh_name("alice")


@pytest.fixture
def browser(server: Server, name: str) -> Browser:
    return invited(server, name)


@pytest.fixture(scope="module")
def anybody(shared_server: Server) -> Browser:
    """Somebody who is signed in, for tests that leave them as they were."""
    return invited(shared_server, fresh_name("anybody"))


@pytest.fixture
def app(server: Server) -> App:
    return registered(server)
