"""Clients that ask for something large and never read the answer."""

import contextlib
import socket
from types import TracebackType
from typing import Self

from support.servers.stowboard import Server


class StalledReaders:
    """Connections from one address, each with a request and a small window. Closed at the end of the context."""

    def __init__(self, server: Server, path: str, address: str = "127.0.0.1") -> None:
        self._port, self._path, self._address = server.port, path, address
        self.sockets: list[socket.socket] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for connection in self.sockets:
            connection.close()

    def add(self, count: int) -> None:
        request = f"GET {self._path} HTTP/1.1\r\nhost: stowboard.test\r\n\r\n".encode()
        for _ in range(count):
            connection = socket.socket()
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.bind((self._address, 0))
            connection.settimeout(120)
            connection.connect(("127.0.0.1", self._port))
            with contextlib.suppress(ConnectionError):  # refused and closed already
                connection.sendall(request)
            self.sockets.append(connection)

    def statuses(self) -> list[int]:
        """The status that each was answered, without reading further; 0 for those that were cut off unread."""
        return [self._status(connection) for connection in self.sockets]

    def _status(self, connection: socket.socket) -> int:
        try:
            return int(connection.recv(12, socket.MSG_PEEK).split()[1] or b"0")
        except (OSError, IndexError):
            return 0
