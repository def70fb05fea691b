"""Requests without a server, for what looks at their headers alone."""

from collections.abc import AsyncIterator

from stowboard.http.exchange import Headers


class Asking:
    """A GET with this bearer."""

    method, path, query, scheme, client = "GET", "/api/v1", "", "http", "127.0.0.1"

    def __init__(self, secret: str) -> None:
        self._headers = {"authorization": f"Bearer {secret}"}

    def header(self, name: str) -> str | None:
        return self._headers.get(name)

    def has_header(self, name: str) -> bool:
        return name in self._headers

    def header_count(self, name: str) -> int:
        return int(name in self._headers)

    async def chunks(self) -> AsyncIterator[bytes]:
        yield b""

    async def whole_body(self) -> bytes:
        return b""

    def respond(self, status: int, headers: Headers, body: bytes = b"") -> None:
        raise AssertionError("nobody answers")

    async def respond_stream(self, status: int, headers: Headers, chunks: AsyncIterator[bytes]) -> None:
        raise AssertionError("nobody answers")

    def respond_file(self, status: int, headers: Headers, path: str, start: int, end: int) -> None:
        raise AssertionError("nobody answers")
