"""A load balancer: connections go in turn to the nodes whose /readyz says 200, each node asked five times a second.

It knows bytes and no requests: a client that keeps its connection stays with its node, until that one closes it.
"""

import asyncio
import itertools
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import Self

import httpx2

from support.servers.connections import Connections, close_listener
from support.servers.stowboard import Server
from support.waiting import PATIENCE_SECONDS, wait_until

_LOOK_SECONDS = 0.2
_PIECE = 65536


class Balancer:
    def __init__(self, nodes: Sequence[Server]) -> None:
        self._nodes = nodes
        self._turns = itertools.count()
        self._ready: set[int] = set()
        self._connections = Connections()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="balancer")
        self.port = 0

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._open(), self._loop).result(PATIENCE_SECONDS)
        try:
            for node in self._nodes:
                self.wait_until(node, ready=True)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(PATIENCE_SECONDS)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def http(self) -> httpx2.Client:
        return httpx2.Client(base_url=self.origin, timeout=PATIENCE_SECONDS)

    def wait_until(self, node: Server, *, ready: bool) -> None:
        """Until new connections go to the node, or no longer."""
        wait_until(lambda: (node.port in self._ready) is ready)

    async def _open(self) -> None:
        self._server = await asyncio.start_server(self._link, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]
        self._looking = asyncio.create_task(self._look())

    async def _look(self) -> None:
        async with httpx2.AsyncClient(timeout=PATIENCE_SECONDS) as http:
            while True:
                for node in self._nodes:
                    await self._look_at(http, node)
                await asyncio.sleep(_LOOK_SECONDS)

    async def _look_at(self, http: httpx2.AsyncClient, node: Server) -> None:
        try:
            ready = (await http.get(f"{node.origin}/readyz", headers={"connection": "close"})).status_code == 200
        except httpx2.TransportError:
            ready = False
        (self._ready.add if ready else self._ready.discard)(node.port)

    async def _link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections.add(writer)
        try:
            with suppress(OSError, asyncio.CancelledError):
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", await self._next_port())
                self._connections.add(far_writer)
                await asyncio.gather(_forward(reader, far_writer), _forward(far_reader, writer))
        finally:
            writer.close()

    async def _next_port(self) -> int:
        """The port of a node that is ready; a connection that comes while none is waits for the first."""
        while not (ports := sorted(self._ready)):
            await asyncio.sleep(_LOOK_SECONDS)
        return ports[next(self._turns) % len(ports)]

    async def _end(self) -> None:
        await close_listener(self._server)
        await self._connections.end_all()


async def _forward(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Until one side has no more to say; the other one is told."""
    try:
        with suppress(OSError):
            while piece := await reader.read(_PIECE):
                writer.write(piece)
                await writer.drain()
    finally:
        writer.close()
