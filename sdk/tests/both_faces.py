"""The blocking and the async client behind one interface, so that one test body runs on both.

Each test that takes `face` runs twice, on the one and on the other.
"""

import inspect
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2
import pytest
import pytest_asyncio
from scripted_server import ScriptedServer, serving

from stowboard_client import AsyncClient, Client, ClientCredentials, SignedIn

_TLS = httpx2.create_ssl_context()  # made once: reading the CA bundle costs more than a test


@dataclass
class Face:
    """A kind of client, and what is the same about using either. Its sleeps are written down, not slept."""

    kind: type[Client] | type[AsyncClient]
    url: str
    naps: list[float] = field(default_factory=list)
    opened: list[Any] = field(default_factory=list)

    def client(self, auth: str | ClientCredentials | SignedIn = "stow_test", url: str | None = None) -> Any:
        client: Client | AsyncClient
        if self.kind is Client:
            client = Client(url or self.url, auth, http=httpx2.Client(verify=_TLS), sleep=self._nap)
        else:
            client = AsyncClient(url or self.url, auth, http=httpx2.AsyncClient(verify=_TLS), sleep=self._nap_async)
        self.opened.append(client)
        return client

    def _nap(self, seconds: float) -> None:
        self.naps.append(seconds)

    async def _nap_async(self, seconds: float) -> None:
        self.naps.append(seconds)


async def settled(result: Any) -> Any:
    """The result of a call on either face."""
    return await result if inspect.isawaitable(result) else result


async def collected(items: Any) -> list[Any]:
    return [item async for item in items] if hasattr(items, "__aiter__") else list(items)


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
