"""Each test that takes `face` runs twice, on the blocking and on the async client, with one body."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio
from both_faces import Face, settled
from scripted_server import ScriptedServer, serving

from stowboard_client import AsyncClient, Client


@pytest.fixture
def server() -> Iterator[ScriptedServer]:
    with serving() as server:
        yield server


@pytest_asyncio.fixture(params=[Client, AsyncClient], ids=["sync", "async"])
async def face(request: pytest.FixtureRequest, server: ScriptedServer) -> AsyncIterator[Face]:
    face = Face(request.param, server.url)
    yield face
    for client in face.opened:
        await settled(client.close())
