"""The least of an HTTP/1.1 client: keep-alive connections that send bytes made before and give back status and body.

The generator shares the processors with the server, so what it does for a request is what the server cannot have.
It knows answers with Content-Length and nothing else; any other ends the connection, which counts as an error.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import cast

from bench.soak.mix import Ask

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)\r\n", re.IGNORECASE)

#: Connection, what was asked, when it was due, status (0: the connection was lost) and body.
Answered = Callable[["Connection", Ask, float, int, bytes], None]


class Connection(asyncio.Protocol):
    """One request at a time."""

    def __init__(self, answered: Answered) -> None:
        self._answered = answered
        self._ask: Ask | None = None
        self._due = 0.0
        self._received = b""
        self._whole = 0
        self._body_at = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def send(self, ask: Ask, due: float) -> None:
        self._ask, self._due = ask, due
        if self._transport.is_closing():
            self._finish(0, b"the connection was closed while it waited")
        else:
            self._transport.write(ask.wire)

    def data_received(self, data: bytes) -> None:
        self._received = self._received + data if self._received else data
        if not self._whole and not self._read_head():
            return
        if len(self._received) >= self._whole:
            self._finish(int(self._received[9:12]), self._received[self._body_at : self._whole])

    def connection_lost(self, _: Exception | None) -> None:
        if self._ask is not None:
            self._finish(0, b"the connection was lost")

    def close(self) -> None:
        self._ask = None
        self._transport.abort()

    @property
    def is_open(self) -> bool:
        return not self._transport.is_closing()

    def _read_head(self) -> bool:
        end = self._received.find(b"\r\n\r\n")
        if end < 0:
            return False
        length = _LENGTH.search(self._received, 0, end + 2)
        if length is None:
            self._transport.abort()
            return False
        self._body_at = end + 4
        self._whole = self._body_at + int(length[1])
        return True

    def _finish(self, status: int, body: bytes) -> None:
        ask, due = self._ask, self._due
        self._ask, self._received, self._whole = None, b"", 0
        if ask is not None:
            self._answered(self, ask, due, status, body)
