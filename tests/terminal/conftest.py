"""A terminal of somebody whom no other test knows, on the shared server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.clients.task_owner import Owner
from support.clients.terminal import Terminal
from support.servers.stowboard import Server


@pytest.fixture
def ann(server: Server) -> Iterator[Owner]:
    owner = Owner(server)
    yield owner
    owner.close()


@pytest.fixture
def stow(ann: Owner, tmp_path: Path) -> Terminal:
    return Terminal(ann.server, tmp_path / "stow", ann.token)
