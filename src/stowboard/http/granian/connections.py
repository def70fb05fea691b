"""A limit on the connections of one address.

Granian limits only all connections together, and a silent one counts until its head is overdue. So one address could
hold all of them. Granian offers no hook at a connection's start. So once a second we count the sockets of this process
by their peers. If an address has more than its limit, its newest ones are shut down, as if the peer had gone.

We only shut a socket down, through a second descriptor whose peer was read again: nothing is written to it, and a
number that meanwhile belongs to another file is left alone.
"""

import asyncio
import os
import socket
from collections import defaultdict
from contextlib import suppress

import msgspec

from stowboard.core.household import household
from stowboard.http.proxies import Proxies

LOOK_SECONDS = 1.0


class _Connection(msgspec.Struct, frozen=True):
    number: int
    #: Host and port.
    peer: tuple[str, int]


class ConnectionBound:
    def __init__(self, port: int, most: int, proxies: Proxies) -> None:
        """`most` is the limit for an address; trusted proxies have no limit, since they stand for many clients."""
        self._port, self._most, self._proxies = port, most, proxies
        #: The count in which each connection was first seen.
        self._seen: dict[tuple[str, int], int] = {}
        self._looks = 0

    async def keep(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await asyncio.to_thread(self._look)

    def _look(self) -> None:
        numbers = [int(name) for name in os.listdir("/proc/self/fd")]  # noqa: PTH208 - there may be thousands
        if len(numbers) <= self._most:
            self._seen.clear()
            return
        self._looks += 1
        of_address: dict[str, list[_Connection]] = defaultdict(list)
        for number in numbers:
            if (connection := self._connection(number)) is not None:
                of_address[household(connection.peer[0])].append(connection)
        alive = [connection.peer for connections in of_address.values() for connection in connections]
        self._seen = {peer: self._seen.get(peer, self._looks) for peer in alive}
        for connections in of_address.values():
            if len(connections) > self._most and not self._proxies.is_trusted(connections[0].peer[0]):
                connections.sort(key=lambda each: self._seen[each.peer])
                for connection in connections[self._most :]:
                    self._shut_down(connection)

    def _connection(self, number: int) -> _Connection | None:
        """None if the descriptor is not a connection to our port."""
        try:
            found = socket.socket(socket.AF_INET, socket.SOCK_STREAM, 0, fileno=number)
        except OSError:
            return None
        try:
            (host, peer_port), port = found.getpeername()[:2], found.getsockname()[1]
        except (OSError, ValueError, IndexError):  # not connected, or a socket without ports
            return None
        finally:
            found.detach()
        return _Connection(number, (host, peer_port)) if port == self._port else None

    def _shut_down(self, connection: _Connection) -> None:
        with suppress(OSError), socket.socket(fileno=os.dup(connection.number)) as second:
            if self._connection(second.fileno()) == msgspec.structs.replace(connection, number=second.fileno()):
                second.shutdown(socket.SHUT_RDWR)
