"""Reading a request's body: bounded in size before it is read, and in time while it arrives."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import TypeVar

from stowboard.core.errors import InvalidJson, PayloadTooLarge, RequestTimeout
from stowboard.http.exchange import BODY_GRACE_SECONDS, Exchange, content_length, deadline
from stowboard.http.head import CLOSE

T = TypeVar("T")
READ_ON_SECONDS, MOST_BYTES_READ_ON, MOST_READ_ON = 10.0, 64 * 1024 * 1024, 256


async def read_body(exchange: Exchange, limit: int) -> bytes:
    """The whole body. Raises PayloadTooLarge above the limit, RequestTimeout if the body comes too slowly."""
    length = _checked_length(exchange, limit)
    if length == 0:
        return b""
    body = await _in_time(length or limit, exchange.whole_body() if length else _gather(exchange, limit))
    if length and len(body) != length:
        raise _cut_off()
    return body


async def read_chunks(exchange: Exchange, limit: int, read: Callable[[AsyncIterator[bytes]], Awaitable[T]]) -> T:
    """The body in chunks, as it arrives, with the same errors."""
    length = _checked_length(exchange, limit)
    return await _in_time(length or limit, read(_counted(exchange, length, limit)))


def body_bound(exchange: Exchange, limit: int) -> int:
    """The largest possible length of the body; 0 for one that is refused without reading it."""
    length = content_length(exchange)
    if length is None:
        return limit
    return length if length <= limit else 0


async def drain(exchange: Exchange, limit: int, seconds: float = BODY_GRACE_SECONDS) -> None:
    """Read and drop up to twice the limit of a body before it is answered."""
    left = 2 * limit
    if _sends_nothing(exchange):
        return
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            async for chunk in exchange.chunks():
                left -= len(chunk)
                if left < 0:
                    return


class ReadingOn:
    """Reads on after a refusal, since a connection that is closed with unread bytes in it is reset.

    The client, or the proxy in front of it, could then lose the answer (RFC 9112, 9.6). The time, the bytes and the
    number of such connections are bounded; beyond them the connection is closed.
    """

    def __init__(self) -> None:
        self._running = 0

    async def after(self, status: int, exchange: Exchange) -> None:
        """Read and drop what is left of the body of a request that was answered with this status."""
        if status < HTTPStatus.BAD_REQUEST or _sends_nothing(exchange) or self._running >= MOST_READ_ON:
            return
        self._running += 1
        try:
            async with asyncio.timeout(READ_ON_SECONDS):
                await exchange.read_on(MOST_BYTES_READ_ON)
        except TimeoutError:
            pass
        finally:
            self._running -= 1


def _sends_nothing(exchange: Exchange) -> bool:
    """True if there is no body, or the client waits for 100 Continue."""
    return content_length(exchange) == 0 or exchange.header("expect") is not None


def too_large(limit: int) -> PayloadTooLarge:
    return PayloadTooLarge(f"The body is larger than the {limit} bytes that this operation takes.")


def _checked_length(exchange: Exchange, limit: int) -> int | None:
    length = content_length(exchange)
    if length is not None and length > limit:
        raise too_large(limit)
    return length


async def _in_time(size: int, reading: Awaitable[T]) -> T:
    try:
        async with asyncio.timeout(deadline(size)):
            return await reading
    except TimeoutError:
        raise RequestTimeout(headers=(CLOSE,)) from None


async def _gather(exchange: Exchange, limit: int) -> bytes:
    return b"".join([chunk async for chunk in _counted(exchange, None, limit)])


async def _counted(exchange: Exchange, length: int | None, limit: int) -> AsyncIterator[bytes]:
    size = 0
    async for chunk in exchange.chunks():
        size += len(chunk)
        if size > limit:
            raise too_large(limit)
        yield chunk
    if length is not None and size < length:
        raise _cut_off()


def _cut_off() -> InvalidJson:
    return InvalidJson("The body ended before its Content-Length was reached.", (CLOSE,))
