"""The face for any ASGI server and for tools: an ASGI scope and its two callables as an `Exchange`."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any, TypeAlias

from stowboard.http.exchange import Exchange, Headers

Message: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Message]]
Send: TypeAlias = Callable[[Message], Awaitable[None]]
_FILE_CHUNK = 256 * 1024


class AsgiExchange:
    """ASGI sends by awaiting, so `finish` sends what `respond` was given, after the handler has returned."""

    def __init__(self, scope: Message, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._headers = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in scope["headers"]]
        self._answer: tuple[int, Headers, AsyncIterator[bytes]] | None = None
        self._sink: AsgiSink | None = None
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.query: str = scope["query_string"].decode("latin-1")
        self.scheme: str = scope.get("scheme", "http")
        self.version: str = scope.get("http_version", "1.1")
        host, port = scope.get("client") or ("", 0)
        self.client: str = host
        self.peer = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"

    def header(self, name: str) -> str | None:
        return next((value for key, value in self._headers if key == name), None)

    def has_header(self, name: str) -> bool:
        return self.header(name) is not None

    def header_count(self, name: str) -> int:
        return sum(1 for key, _ in self._headers if key == name)

    def header_list(self, name: str) -> list[str]:
        return [value for key, value in self._headers if key == name]

    def header_values(self) -> list[str]:
        return [value for _, value in self._headers]

    async def chunks(self) -> AsyncIterator[bytes]:
        more = True
        while more:
            message = await self._receive()
            more = message.get("more_body", False)
            yield message.get("body", b"")

    async def whole_body(self) -> bytes:
        return b"".join([chunk async for chunk in self.chunks()])

    async def read_on(self, most: int) -> None:
        """Does nothing: `finish` sends the answer, and the server below ends the connection in its way."""

    def expect_answer(self, size: int) -> None:
        """Does nothing: this face sends every answer."""

    def respond(self, status: int, headers: Headers, body: bytes = b"") -> None:
        known = status in (204, 304) or any(name == "content-length" for name, _ in headers)
        length = [] if known else [("content-length", str(len(body)))]
        self._answer = status, headers + length, _once(body)

    async def respond_stream(self, status: int, headers: Headers, chunks: AsyncIterator[bytes]) -> None:
        await self._send_all(status, headers, chunks)

    def open_stream(self, status: int, headers: Headers) -> "AsgiSink":
        self._sink = AsgiSink()
        self._answer = status, headers, self._sink.chunks()
        return self._sink

    async def respond_file(self, status: int, headers: Headers, path: str, start: int, end: int) -> None:
        self._answer = status, headers, _slice_of_file(path, start, end)

    async def finish(self) -> None:
        if self._answer is None:
            return
        watching = asyncio.create_task(self._close_when_gone(self._sink)) if self._sink is not None else None
        try:
            await self._send_all(*self._answer)
        finally:
            if watching is not None:
                watching.cancel()

    async def _close_when_gone(self, sink: "AsgiSink") -> None:
        while (await self._receive())["type"] != "http.disconnect":
            pass
        sink.close()

    async def _send_all(self, status: int, headers: Headers, chunks: AsyncIterator[bytes]) -> None:
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})
        if self.method != "HEAD":
            async for chunk in chunks:
                await self._send({"type": "http.response.body", "body": chunk, "more_body": True})
        await self._send({"type": "http.response.body", "body": b""})


class AsgiSink:
    """`finish` sends its chunks, and waits until it is closed."""

    def __init__(self) -> None:
        self._waiting: deque[bytes] = deque()
        self._more = asyncio.Event()
        self._open = True

    def send(self, data: bytes) -> bool:
        if self._open:
            self._waiting.append(data)
            self._more.set()
        return self._open

    def close(self) -> None:
        self._open = False
        self._more.set()

    async def chunks(self) -> AsyncIterator[bytes]:
        try:
            while self._open or self._waiting:
                while self._waiting:
                    yield self._waiting.popleft()
                self._more.clear()
                if self._open:
                    await self._more.wait()
        finally:
            self.close()


async def serve_asgi(
    handle: Callable[[Exchange], Awaitable[None]],
    start: Callable[[], Awaitable[None]],
    stop: Callable[[], Awaitable[None]],
    scope: Message,
    receive: Receive,
    send: Send,
) -> None:
    """One ASGI call: a request, or the life of the application."""
    if scope["type"] == "http":
        exchange = AsgiExchange(scope, receive, send)
        await handle(exchange)
        await exchange.finish()
    elif scope["type"] == "lifespan":
        await receive()
        await start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await stop()
        await send({"type": "lifespan.shutdown.complete"})


async def _once(body: bytes) -> AsyncIterator[bytes]:
    yield body


async def _slice_of_file(path: str, start: int, end: int) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(Path(path).open, "rb") as file:
        file.seek(start)
        while start < end and (chunk := await asyncio.to_thread(file.read, min(_FILE_CHUNK, end - start))):
            start += len(chunk)
            yield chunk
