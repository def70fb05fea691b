"""Owners whom no other test knows, on the shared server."""

from collections.abc import Iterator

import pytest

from support.clients.task_owner import Owner
from support.servers.stowboard import Server


@pytest.fixture
def ann(server: Server) -> Iterator[Owner]:
    owner = Owner(server)
    yield owner
    owner.close()


@pytest.fixture
def ben(server: Server) -> Iterator[Owner]:
    """Somebody else."""
    owner = Owner(server)
    yield owner
    owner.close()
