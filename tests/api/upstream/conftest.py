"""A provider, and a server of each stack whose people sign in there."""

from collections.abc import Iterator

import pytest

from support.clients.people import Browser, fresh_name, invited
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.upstream.scripted_provider import ScriptedProvider


@pytest.fixture(scope="session")
def running_provider() -> Iterator[ScriptedProvider]:
    with ScriptedProvider() as provider:
        yield provider


@pytest.fixture
def provider(running_provider: ScriptedProvider) -> ScriptedProvider:
    """One that speaks the truth until the test says otherwise."""
    running_provider.reset()
    return running_provider


@pytest.fixture(scope="session")
def servers_with_provider() -> dict[str, Server]:
    """By the name of the stack, as `shared_servers`."""
    return {}


@pytest.fixture
def server(
    stack: Stack,
    make_lasting_server: MakeServer,
    running_provider: ScriptedProvider,
    servers_with_provider: dict[str, Server],
) -> Server:
    """Everybody whom the provider knows may come, and it says who is an admin."""
    if stack.name not in servers_with_provider:
        rules = {"STOWBOARD_OIDC_SIGN_UP": "open", "STOWBOARD_OIDC_ADMIN": "groups=stow-admins"}
        started = make_lasting_server(stack() | UNLIMITED | running_provider.settings | rules)
        invited(started, "first", role="admin")
        servers_with_provider[stack.name] = started
    return servers_with_provider[stack.name]


@pytest.fixture
def browser(server: Server) -> Browser:
    return Browser(server.origin)


@pytest.fixture
def name() -> str:
    return fresh_name("ida")
