"""A server that may ask this machine, and owners on it."""

from collections.abc import Iterator

import pytest

from support.clients.task_owner import Owner
from support.servers.stacks import UNLIMITED, MakeServer, Stack
from support.servers.stowboard import Server
from support.webhooks.receiver import ALLOWED, Receiver

_servers: dict[str, Server] = {}


@pytest.fixture
def hook_server(stack: Stack, make_lasting_server: MakeServer) -> Server:
    """One for each stack."""
    name = stack.name
    if name not in _servers:
        _servers[name] = make_lasting_server(stack() | UNLIMITED | ALLOWED)
    return _servers[name]


@pytest.fixture
def ann(hook_server: Server) -> Iterator[Owner]:
    owner = Owner(hook_server)
    yield owner
    owner.close()


@pytest.fixture
def ben(hook_server: Server) -> Iterator[Owner]:
    owner = Owner(hook_server)
    yield owner
    owner.close()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver
