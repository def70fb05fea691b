"""The face for Granian: its RSGI scope and protocol as an `Exchange`."""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any

from granian.rsgi import ProtocolClosed  # type: ignore[attr-defined]

from stowboard.http.exchange import Headers


class RsgiExchange:
    __slots__ = ("_chunks", "_headers", "_protocol", "_scope", "header", "method", "path", "query")

    def __init__(self, scope: Any, protocol: Any) -> None:
        self._scope = scope
        self._protocol = protocol
        self._headers = scope.headers
        # Granian's own method: a request reads at least four headers, and a method of ours would double the cost.
        self.header: Callable[[str], str | None] = self._headers.get
        self._chunks: AsyncIterator[bytes] | None = None
        self.method: str = scope.method
        self.path: str = scope.path
        self.query: str = scope.query_string

    @property
    def scheme(self) -> str:
        return str(self._scope.scheme)

    @property
    def version(self) -> str:
        return str(self._scope.http_version)

    @property
    def peer(self) -> str:
        return str(self._scope.client)

    @property
    def client(self) -> str:
        return self.peer.rpartition(":")[0]

    def has_header(self, name: str) -> bool:
        return name in self._headers

    def header_count(self, name: str) -> int:
        return len(self._headers.get_all(name))

    def header_list(self, name: str) -> list[str]:
        return list(self._headers.get_all(name))

    def header_values(self) -> list[str]:
        values: list[str] = self._headers.values()
        return values

    def chunks(self) -> AsyncIterator[bytes]:
        if self._chunks is None:  # Granian's protocol can be iterated once; a second reader gets the rest
            self._chunks = self._iterate()
        return self._chunks

    async def whole_body(self) -> bytes:
        self._chunks = _nothing()
        try:
            body: bytes = await self._protocol()
        except ProtocolClosed:
            return b""  # the client has gone; the length tells
        return body

    async def read_on(self, most: int) -> None:
        with suppress(ProtocolClosed):
            async for chunk in self.chunks():
                most -= len(chunk)
                if most < 0:
                    return

    def expect_answer(self, size: int) -> None:
        """Does nothing: this face sends every answer."""

    def respond(self, status: int, headers: Headers, body: bytes = b"") -> None:
        if body:
            self._protocol.response_bytes(status, headers, body)
        else:
            self._protocol.response_empty(status, headers)

    async def respond_stream(self, status: int, headers: Headers, chunks: AsyncIterator[bytes]) -> None:
        transport = self._protocol.response_stream(status, headers)
        with suppress(ProtocolClosed):
            async for chunk in chunks:
                await transport.send_bytes(chunk)

    def open_stream(self, status: int, headers: Headers) -> "RsgiSink":
        return RsgiSink(self._protocol.response_stream(status, headers))

    async def respond_file(self, status: int, headers: Headers, path: str, start: int, end: int) -> None:
        self._protocol.response_file_range(status, headers, path, start, end)

    async def _iterate(self) -> AsyncIterator[bytes]:
        async for chunk in self._protocol:
            yield chunk


async def _nothing() -> AsyncIterator[bytes]:
    for chunk in list[bytes]():
        yield chunk


class RsgiSink:
    """Granian's transport: the answer stays open while this object exists, even after the handler has returned."""

    __slots__ = ("_transport",)

    def __init__(self, transport: Any) -> None:
        self._transport = transport

    def send(self, data: bytes) -> bool:
        if self._transport is None:
            return False
        try:
            # Granian takes the data at once; the awaitable only tells whether the client was still there.
            self._transport.send_bytes(data).__await__().__next__()
        except StopIteration:
            return True
        except ProtocolClosed:
            return False
        raise AssertionError("Granian waits before it takes bytes, which it never did.")

    def close(self) -> None:
        self._transport = None
