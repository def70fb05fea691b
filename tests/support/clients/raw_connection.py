"""One connection and the bytes on it, for clients that dawdle, vanish or send what no library would."""

import select
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPResponse
from types import TracebackType
from typing import Self

WAIT_SECONDS = 120.0


@dataclass(frozen=True)
class RawAnswer:
    status: int
    headers: Mapping[str, str]
    body: bytes


class RawConnection:
    def __init__(self, port: int, wait: float = WAIT_SECONDS) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=wait)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def send(self, data: bytes) -> None:
        self._socket.sendall(data)

    def end_sending(self) -> None:
        """As a client that goes away; whether the server noticed can still be seen."""
        self._socket.shutdown(socket.SHUT_WR)

    def answer(self) -> RawAnswer:
        """The next answer. Raises OSError or HTTPException if none comes."""
        response = HTTPResponse(self._socket)
        response.begin()
        body = response.read()
        return RawAnswer(response.status, {name.lower(): value for name, value in response.getheaders()}, body)

    def has_answer(self) -> bool:
        """True if bytes have come, or the end."""
        return bool(select.select([self._socket], [], [], 0)[0])

    def wait_for_close(self) -> bytes:
        """The bytes that still came before the server closed. Raises TimeoutError if it does not close."""
        received = b""
        try:
            while piece := self._socket.recv(65536):
                received += piece
        except ConnectionError:
            pass
        return received

    def close(self) -> None:
        self._socket.close()


def head(method: str, path: str, token: str, *lines: str) -> bytes:
    """The head of a request, each of `lines` one more header."""
    text = [f"{method} {path} HTTP/1.1", "host: stowboard.test", f"authorization: Bearer {token}", *lines]
    return ("\r\n".join(text) + "\r\n\r\n").encode("latin-1")
