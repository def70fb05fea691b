"""A provider, and a server of each stack whose people sign in there."""

from collections.abc import Iterator

import pytest

from support.clients.people import Browser, fresh_name, invited
from support.servers.stacks import FolderServer, Stack
from support.servers.stowboard import Server
from support.upstream.scripted_provider import ScriptedProvider

_set_up: set[Server] = set()


@pytest.fixture(scope="session")
def running_provider() -> Iterator[ScriptedProvider]:
    with ScriptedProvider() as provider:
        yield provider


@pytest.fixture
def provider(running_provider: ScriptedProvider) -> ScriptedProvider:
    """One that speaks the truth until the test says otherwise."""
    running_provider.reset()
    return running_provider


@pytest.fixture
def server(stack: Stack, folder_server: FolderServer, running_provider: ScriptedProvider) -> Server:
    """Everybody whom the provider knows may come, and it says who is an admin."""
    rules = {"STOWBOARD_OIDC_SIGN_UP": "open", "STOWBOARD_OIDC_ADMIN": "groups=stow-admins"}
    server = folder_server(stack, running_provider.settings | rules)
    if server not in _set_up:
        invited(server, "first", role="admin")
        _set_up.add(server)
    return server


@pytest.fixture
def browser(server: Server) -> Browser:
    return Browser(server.origin)


@pytest.fixture
def name() -> str:
    return fresh_name("ida")
