"""A server that may ask this machine, and owners on it."""

from collections.abc import Iterator

import pytest

from support.clients.task_owner import Owner
from support.servers.stacks import FolderServer, Stack
from support.servers.stowboard import Server
from support.webhooks.receiver import ALLOWED, Receiver


@pytest.fixture
def hook_server(stack: Stack, folder_server: FolderServer) -> Server:
    return folder_server(stack, ALLOWED)


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
