"""Open event streams, as many as a test wants, without a thread for each."""

import asyncio
import json
from typing import Any

from stowboard_client.events.event_stream import EventStream
from support.servers.stowboard import Server
from support.waiting import until


class Listener:
    """One stream and what came of it. HTTP/1.0, so that the body is as it was sent."""

    def __init__(self) -> None:
        self.status = 0
        self.raw = b""
        self.messages: list[tuple[str, Any]] = []
        self.ended = False
        self._parser = EventStream(None)
        self._task: asyncio.Task[None] | None = None
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    @classmethod
    async def open(
        cls, server: Server, token: str, query: str = "", *lines: str, reads: bool = True, port: int | None = None
    ) -> "Listener":
        """Once the answer has begun. One that does not read is a client that has stalled."""
        self = cls()
        reader, self._writer = await asyncio.open_connection("127.0.0.1", port or server.port)
        path = "/api/v1/events/stream" + (f"?{query}" if query else "")
        head = [f"GET {path} HTTP/1.0", "host: stowboard.test", f"authorization: Bearer {token}", *lines]
        self._writer.write(("\r\n".join(head) + "\r\n\r\n").encode())
        answer = await reader.readuntil(b"\r\n\r\n")
        self.status = int(answer.split()[1])
        self._reader = reader
        if reads:
            self.read()
            await until(lambda: bool(self.raw) or self.ended)
        return self

    def read(self) -> None:
        self._task = asyncio.create_task(self._read())

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.messages]

    @property
    def cursor(self) -> str | None:
        return self._parser.cursor

    @property
    def sequences(self) -> list[int]:
        return [data["sequence"] for _, data in self.messages]

    @property
    def retry(self) -> float:
        return self._parser.retry

    async def until_ended(self) -> None:
        await until(lambda: self.ended)

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
        assert self._writer is not None
        self._writer.transport.abort()

    async def _read(self) -> None:
        assert self._reader is not None
        try:
            while chunk := await self._reader.read(65536):
                self.raw += chunk
                for message in self._parser.feed(chunk):
                    self.messages.append((message.kind, json.loads(message.data)))
        except ConnectionError:
            pass
        assert self._writer is not None
        self._writer.transport.abort()
        self.ended = True
