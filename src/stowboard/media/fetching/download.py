"""Reading a file from a URL that somebody gave us, through the guard for outgoing requests.

Redirects are followed a few times; each address is checked as the first one was. Four bounds hold: the size, the time
as a whole, the time in which nothing comes, and a least rate. So an address that drips is given up.
"""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing
from time import monotonic
from typing import TypeVar
from urllib.parse import urljoin, urlsplit

import msgspec

from stowboard import __version__
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.store import BlobStore, WrittenBlob
from stowboard.core.errors import InsufficientStorage, PayloadTooLarge
from stowboard.http.outgoing.client import Outgoing, OutgoingReply
from stowboard.http.outgoing.failure import OutgoingFailed, OutgoingReason

T = TypeVar("T")

FETCH_FAILED = "fetch_failed"
_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
#: Refusals that may be over at the next attempt.
_PASSING = (408, 425, 429)
_SILENCE_S = 60.0
#: Time to wait for the other side, in addition to what the least rate gives.
_GRACE_S = 30.0
_LEAST_RATE = 16 * 1024
_LONGEST_TYPE = 255
_HEADERS = [("accept", "*/*"), ("user-agent", f"Stowboard/{__version__} (uploads by URL)")]

#: Called for each chunk with the bytes so far, and with the announced length if there is one.
OnBytes = Callable[[int, int | None], Awaitable[None]]


class FetchFailed(Exception):
    """The file could not be fetched. `message` is for the caller; `final` if another attempt would end the same."""

    def __init__(self, message: str, *, final: bool, code: str = FETCH_FAILED) -> None:
        self.message, self.final, self.code = message, final, code
        super().__init__(message)


class DownloadedFile(msgspec.Struct, frozen=True):
    written: WrittenBlob
    #: The type that the other side declared.
    mime_type: str | None


class DownloadBounds(msgspec.Struct, frozen=True):
    """How large a file may be, and how long it may take."""

    #: The largest file that the server takes.
    most: int
    #: The bytes that the storage has room for; None if nothing bounds it.
    room: int | None
    seconds: float
    grace_s: float = _GRACE_S
    #: The person who gave the address.
    owner: str = ""

    def check(self, size: int) -> None:
        """Raises FetchFailed, InsufficientStorage."""
        if size > self.most:
            message = f"The file has more than the {self.most} bytes that are taken on this server."
            raise FetchFailed(message, final=True, code=PayloadTooLarge.code)
        if self.room is not None and size > self.room:
            raise InsufficientStorage(f"There is room for {self.room} bytes, and the file has more.")


async def download(
    outgoing: Outgoing, blobs: BlobStore, key: BlobKey, url: str, bounds: DownloadBounds, on_bytes: OnBytes
) -> DownloadedFile:
    """Put the file into the store. Raises FetchFailed, what `on_bytes` raises, and what the store raises."""
    until, pace = monotonic() + bounds.seconds, _Pace(bounds.grace_s)
    try:
        for _ in range(_MOST_REDIRECTS + 1):
            async with AsyncExitStack() as stack:
                asked = outgoing.open("GET", url, _HEADERS, seconds=max(0.001, until - monotonic()), owner=bounds.owner)
                reply = await pace.wait_for(stack.enter_async_context(asked))
                if reply.status in _REDIRECTS and "location" in reply.headers:
                    url = _followed(url, reply.headers["location"])
                    continue
                _require_content(reply, url)
                return await _keep(blobs, key, reply, bounds, pace, on_bytes)
    except OutgoingFailed as failure:
        final = failure.reason in (OutgoingReason.FORBIDDEN, OutgoingReason.TIMEOUT)
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
    blobs: BlobStore, key: BlobKey, reply: OutgoingReply, bounds: DownloadBounds, pace: "_Pace", on_bytes: OnBytes
) -> DownloadedFile:
    told = reply.headers.get("content-length", "")
    length = int(told) if told.isdecimal() and len(told) < 19 else None
    bounds.check(length or 0)
    async with aclosing(_counted(reply.chunks, length, bounds, pace, on_bytes)) as chunks:
        written = await blobs.put(key, chunks)
    mime_type = reply.headers.get("content-type", "").partition(";")[0].strip().lower()
    return DownloadedFile(written, mime_type[:_LONGEST_TYPE] or None)


async def _counted(
    chunks: AsyncIterator[bytes], length: int | None, bounds: DownloadBounds, pace: "_Pace", on_bytes: OnBytes
) -> AsyncGenerator[bytes]:
    coming = aiter(chunks)
    while (chunk := await pace.wait_for(anext(coming, None))) is not None:
        pace.received += len(chunk)
        bounds.check(pace.received)
        await on_bytes(pace.received, length)
        yield chunk


class _Pace:
    """The time limit of the other side: only waiting for it counts, not writing to the store."""

    def __init__(self, grace_s: float) -> None:
        self.received = 0
        self._grace_s, self._waited = grace_s, 0.0

    async def wait_for(self, bytes_or_reply: Awaitable[T]) -> T:
        """Raises FetchFailed. After a silence another attempt may succeed; a slow address would be as slow again."""
        left = self._grace_s + self.received / _LEAST_RATE - self._waited
        before = monotonic()
        try:
            async with asyncio.timeout(min(left, _SILENCE_S)) as limit:
                return await bytes_or_reply
        except TimeoutError:
            if not limit.expired():
                raise
            if left > _SILENCE_S:
                raise FetchFailed(f"Nothing came for {_SILENCE_S:g} seconds.", final=False) from None
            rate = f"{_LEAST_RATE // 1024} KiB a second"
            raise FetchFailed(f"The file came too slowly: less than {rate}.", final=True) from None
        finally:
            self._waited += monotonic() - before
