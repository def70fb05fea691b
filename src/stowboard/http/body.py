"""Reading a request's body: bounded in size before it is read, and in time while it arrives."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TypeVar

from stowboard.core.errors import InvalidJson, PayloadTooLarge, Problem, RequestTimeout
from stowboard.http.exchange import BODY_GRACE_SECONDS, Exchange, content_length, deadline
from stowboard.http.head import CLOSE

T = TypeVar("T")


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


async def drain_refused(exchange: Exchange, problem: Problem, limit: int) -> None:
    """Drain the body, unless the problem ends the connection. If the body does not end, the problem ends it too."""
    if CLOSE not in problem.headers and not await drain(exchange, limit):
        problem.headers += (CLOSE,)


async def drain(exchange: Exchange, limit: int, seconds: float = BODY_GRACE_SECONDS) -> bool:
    """Read and drop up to twice the limit of a refused body, so that the client reads the answer.

    True if no more of the body will come.
    """
    left = 2 * limit
    if content_length(exchange) == 0 or exchange.header("expect") is not None:  # the client waits for 100 Continue
        return True
    try:
        async with asyncio.timeout(seconds):
            async for chunk in exchange.chunks():
                left -= len(chunk)
                if left < 0:
                    return False
    except TimeoutError:
        return False
    return True


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
