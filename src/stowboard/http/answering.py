"""An exchange that adds our common headers to every answer, and remembers what the log needs.

It knows the client behind proxies, and refuses large answers beyond the limits of `crowd.py`.
"""

from collections.abc import AsyncIterator

from stowboard.http.crowd import Crowd
from stowboard.http.exchange import Exchange, Headers, Sink
from stowboard.http.proxies import Proxies


class AnsweringExchange:
    __slots__ = ("_crowd", "_exchange", "_extra", "_proxies", "doing", "method", "path", "query", "status", "token_id")

    def __init__(self, exchange: Exchange, extra: Headers, proxies: Proxies, crowd: Crowd) -> None:
        self._exchange, self._extra, self._proxies, self._crowd = exchange, extra, proxies, crowd
        self.method, self.path, self.query = exchange.method, exchange.path, exchange.query
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

    def header(self, name: str) -> str | None:
        return self._exchange.header(name)

    def has_header(self, name: str) -> bool:
        return self._exchange.has_header(name)

    def header_count(self, name: str) -> int:
        return self._exchange.header_count(name)

    def header_list(self, name: str) -> list[str]:
        return self._exchange.header_list(name)

    def header_values(self) -> list[str]:
        return self._exchange.header_values()

    def chunks(self) -> AsyncIterator[bytes]:
        return self._exchange.chunks()

    async def whole_body(self) -> bytes:
        return await self._exchange.whole_body()

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
