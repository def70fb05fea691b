"""Ann's client and her tasks."""

from collections.abc import Iterator

import pytest

from stowboard_client import Board, Client
from support.clients.task_owner import Owner


@pytest.fixture
def board(ann: Owner) -> Board:
    """A board of Ann's, with the first columns."""
    return ann.boards.create("House")


@pytest.fixture
def ann_herself(ann: Owner) -> Iterator[Client]:
    """Ann's own client, with an interactive token; `ann` is what automates for her."""
    with Client(ann.server.origin, ann.server.admin_token) as admin:
        token = admin.tokens.create(ann.name, kind="interactive")
    with Client(ann.server.origin, token.token) as client:
        yield client
