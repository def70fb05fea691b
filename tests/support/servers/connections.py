"""The connections of an event loop, all of which end before it does."""

import asyncio
import socket
import struct
from weakref import WeakSet

#: Of the loop, in which a connection that was just accepted gets its transport and its task.
_STEPS = 10
_RESET_ON_CLOSE = struct.pack("ii", 1, 0)


class Connections:
    def __init__(self) -> None:
        #: Not their writers: a transport lives on while somebody has not read what was written.
        self._transports: WeakSet[asyncio.WriteTransport] = WeakSet()

    def add(self, writer: asyncio.StreamWriter) -> None:
        self._transports.add(writer.transport)

    def reset_all(self) -> None:
        for transport in self._open():
            sock: socket.socket = transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_ON_CLOSE)
            transport.abort()

    async def end_all(self) -> None:
        """With their tasks. Nobody listens any more."""
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for transport in self._open():
            transport.abort()

    def _open(self) -> list[asyncio.WriteTransport]:
        """Those that have not closed their sockets yet."""
        return [each for each in self._transports if each.get_extra_info("socket").fileno() != -1]


async def close_listener(server: asyncio.Server) -> None:
    """A server that is closed would leave what it has just accepted open: that gets its handler first."""
    loop = asyncio.get_running_loop()
    for listener in server.sockets:
        loop.remove_reader(listener)
    for _ in range(_STEPS):
        await asyncio.sleep(0)
    server.close()
