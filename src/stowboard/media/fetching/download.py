"""Reading a file from a URL that somebody gave us, through the guard for outgoing requests.

Redirects are followed a few times, each address checked as the first one was. What comes is bounded in size, in time
as a whole, and in the time in which nothing comes.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from time import monotonic
from urllib.parse import urljoin, urlsplit

import msgspec

from stowboard import __version__
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore, Written
from stowboard.core.errors import InsufficientStorage, PayloadTooLarge
from stowboard.http.outgoing.client import Outgoing, OutgoingReply
from stowboard.http.outgoing.failure import OutgoingFailed, Reason

FETCH_FAILED = "fetch_failed"
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
#: Of refusals, those that another time may not meet.
_PASSING = (408, 425, 429)
_SILENCE_S = 60.0
_LONGEST_TYPE = 255
_HEADERS = [("accept", "*/*"), ("user-agent", f"Stowboard/{__version__} (uploads by URL)")]

#: Hears how many bytes have come, and of how many if that was said, before each further one.
OnBytes = Callable[[int, int | None], Awaitable[None]]


class FetchFailed(Exception):
    """There are no bytes. `message` is for whoever gave the URL; `final` if another attempt would end the same."""

    def __init__(self, message: str, *, final: bool, code: str = FETCH_FAILED) -> None:
        self.message, self.final, self.code = message, final, code
        super().__init__(message)


class Downloaded(msgspec.Struct, frozen=True):
    written: Written
    #: As the other side called it.
    mime_type: str | None


class DownloadBounds(msgspec.Struct, frozen=True):
    """How large a file may be, and how long it may take."""

    #: The most that the server takes of any file.
    most: int
    #: What the storage has room for; None if nothing bounds it.
    room: int | None
    seconds: float

    def check(self, size: int) -> None:
        """Raises FetchFailed, InsufficientStorage."""
        if size > self.most:
            message = f"The file has more than the {self.most} bytes that are taken on this server."
            raise FetchFailed(message, final=True, code=PayloadTooLarge.code)
        if self.room is not None and size > self.room:
            raise InsufficientStorage(f"There is room for {self.room} bytes, and the file has more.")


async def download(
    outgoing: Outgoing, blobs: BlobStore, key: BlobKey, url: str, bounds: DownloadBounds, on_bytes: OnBytes
) -> Downloaded:
    """The bytes, in the store. Raises FetchFailed, what `on_bytes` raises, and what the store does."""
    until = monotonic() + bounds.seconds
    try:
        for _ in range(_MOST_REDIRECTS + 1):
            async with outgoing.open("GET", url, _HEADERS, seconds=max(0.001, until - monotonic())) as reply:
                if reply.status in _REDIRECTS and "location" in reply.headers:
                    url = _followed(url, reply.headers["location"])
                    continue
                _require_content(reply, url)
                return await _keep(blobs, key, reply, bounds, on_bytes)
    except OutgoingFailed as failure:
        final = failure.reason in (Reason.FORBIDDEN, Reason.TIMEOUT)
        raise FetchFailed(f"The file could not be fetched. {failure}", final=final) from None
    raise FetchFailed("The file could not be fetched: it is redirected again and again.", final=True)


def _followed(url: str, location: str) -> str:
    try:
        return urljoin(url, location)
    except ValueError:
        raise FetchFailed("The file could not be fetched: it is redirected to no address.", final=True) from None


def _require_content(reply: OutgoingReply, url: str) -> None:
    if reply.status != 200:
        final = reply.status < 500 and reply.status not in _PASSING
        raise FetchFailed(f"{urlsplit(url).hostname} answered {reply.status} instead of the file.", final=final)
    if reply.headers.get("content-encoding", "identity") != "identity":
        raise FetchFailed("The file came compressed, which was not asked for.", final=True)


async def _keep(
    blobs: BlobStore, key: BlobKey, reply: OutgoingReply, bounds: DownloadBounds, on_bytes: OnBytes
) -> Downloaded:
    told = reply.headers.get("content-length", "")
    length = int(told) if told.isdecimal() and len(told) < 19 else None
    bounds.check(length or 0)
    async with aclosing(_counted(reply.chunks, length, bounds, on_bytes)) as chunks:
        written = await blobs.put(key, chunks)
    mime_type = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Downloaded(written, mime_type[:_LONGEST_TYPE] or None)


async def _counted(
    chunks: AsyncIterator[bytes], length: int | None, bounds: DownloadBounds, on_bytes: OnBytes
) -> AsyncGenerator[bytes]:
    received, coming = 0, aiter(chunks)
    while (chunk := await _next(coming)) is not None:
        received += len(chunk)
        bounds.check(received)
        await on_bytes(received, length)
        yield chunk


async def _next(chunks: AsyncIterator[bytes]) -> bytes | None:
    try:
        async with asyncio.timeout(_SILENCE_S) as silence:
            return await anext(chunks, None)
    except TimeoutError:
        if silence.expired():
            raise FetchFailed(f"Nothing came for {_SILENCE_S:g} seconds.", final=False) from None
        raise
