"""A server that speaks TLS with a certificate of a test's own authority, and answers as the test says."""

import asyncio
import functools
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias

import trustme

AUTHORITY = trustme.CA()
Handler: TypeAlias = Callable[[bytes, asyncio.StreamWriter], Awaitable[None]]


class Listener:
    """Counts who came, whether or not a handshake followed."""

    def __init__(self) -> None:
        self.port = 0
        self.connections = 0
        self.requests: list[bytes] = []


@functools.cache
def trust() -> ssl.SSLContext:
    """Made once: it reads the certificates of all authorities, which takes 40 ms."""
    context = ssl.create_default_context()
    AUTHORITY.configure_trust(context)
    return context


def certificate_of(*names: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    AUTHORITY.issue_cert(*names).configure_cert(context)
    return context


@asynccontextmanager
async def listening(answer: Handler, tls: ssl.SSLContext | None) -> AsyncIterator[Listener]:
    """`answer` is given each request whole, and the way back."""
    listener = Listener()

    async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        listener.connections += 1
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            length = next(
                (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0
            )
            request = head + await reader.readexactly(length)
            listener.requests.append(request)
            await answer(request, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(accepted, "127.0.0.1", 0, ssl=tls)
    listener.port = server.sockets[0].getsockname()[1]
    try:
        yield listener
    finally:
        server.close()
