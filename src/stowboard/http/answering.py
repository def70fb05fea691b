"""An exchange that adds our common headers to every answer, and remembers what the log needs.

It knows the client behind proxies, and refuses large answers beyond the limits of `crowd.py`.
"""

from collections.abc import AsyncIterator

from stowboard.http.crowd import Crowd
from stowboard.http.exchange import Exchange, Headers, Sink
from stowboard.http.proxies import Proxies


class AnsweringExchange:
    __slots__ = (
        "_crowd", "_exchange", "_extra", "_proxies", "chunks", "doing", "has_header", "header", "header_count",
        "header_list", "header_values", "method", "path", "query", "read_on", "status", "token_id", "whole_body",
    )  # fmt: skip

    def __init__(self, exchange: Exchange, extra: Headers, proxies: Proxies, crowd: Crowd) -> None:
        self._exchange, self._extra, self._proxies, self._crowd = exchange, extra, proxies, crowd
        self.method, self.path, self.query = exchange.method, exchange.path, exchange.query
        self.header, self.has_header, self.header_count = exchange.header, exchange.has_header, exchange.header_count
        self.header_list, self.header_values = exchange.header_list, exchange.header_values
        self.chunks, self.whole_body, self.read_on = exchange.chunks, exchange.whole_body, exchange.read_on
        #: 0 until it is answered.
        self.status = 0
        #: The token's id, and the name of the operation; empty unless the handler sets them.
        self.token_id = self.doing = ""

    def add(self, headers: Headers) -> None:
        """Add headers to the answer."""
        self._extra += headers

    @property
    def scheme(self) -> str:
        return self._exchange.scheme

    @property
    def version(self) -> str:
        return self._exchange.version

    @property
    def peer(self) -> str:
        return self._exchange.peer

    @property
    def client(self) -> str:
        return self._proxies.client_of(self._exchange)

    def expect_answer(self, size: int) -> None:
        self._crowd.begin_answer(self._exchange, size)

    def respond(self, status: int, headers: Headers, body: bytes = b"") -> None:
        self._crowd.begin_answer(self._exchange, len(body))
        self.status = status
        self._exchange.respond(status, headers + self._extra, body)

    async def respond_stream(self, status: int, headers: Headers, chunks: AsyncIterator[bytes]) -> None:
        self._crowd.begin_answer(self._exchange, None)
        self.status = status
        await self._exchange.respond_stream(status, headers + self._extra, chunks)

    def open_stream(self, status: int, headers: Headers) -> Sink:
        self.status = status
        return self._exchange.open_stream(status, headers + self._extra)

    async def respond_file(self, status: int, headers: Headers, path: str, start: int, end: int) -> None:
        self._crowd.begin_answer(self._exchange, end - start)
        await self._exchange.respond_file(status, headers + self._extra, path, start, end)
        self.status = status
