"""Answer with a blob: conditionally, in ranges, and past Python if the store has it as a file.

A proxy that sends files itself is told which one. A blob in a bucket is read in blocks, at the pace of the client, or
the client is redirected to a link of the bucket. A blob that is gone before the first byte is 404. An answer that has
begun ends whole: an open file is read to its end, and a bucket keeps deleted objects for as long as an answer may take
(media.base.discard). An answer that takes longer ends early; the client sees it by Content-Length.
"""

import asyncio
import logging
import os
import secrets
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from email.utils import formatdate, parsedate_to_datetime
from pathlib import Path

from stowboard.blobs.keys import BlobKey
from stowboard.blobs.recent import LONGEST, RecentBlobs
from stowboard.blobs.store import BlobNotFound, BlobStore, BlobStoreUnavailable, LocalFiles, SignedLinks
from stowboard.core.errors import NotFound, PreconditionFailed
from stowboard.http.conditions import allows_it, names_it
from stowboard.http.exchange import Exchange, Headers
from stowboard.http.handing_over import FileHandover
from stowboard.http.ranges import ByteSpan, wanted_spans
from stowboard.media.base.errors import RangeNotSatisfiable
from stowboard.media.delivery.first_look import FirstLook
from stowboard.media.delivery.store_links import StoreLink

log = logging.getLogger("stowboard.media")
#: A block is the memory for one client: for a fast one, as much as it has taken so far. A blob that fits the largest
#: block needs no pipe, which saves two thirds of the processor time.
_SMALLEST_BLOCK, _FIRST_BLOCK, _LARGEST_BLOCK = 64 * 1024, 256 * 1024, 1 << 20
_SLOW_SECONDS = 1.0
#: The head before one of several ranges is shorter.
_LONGEST_HEAD = 1024


class BlobServing:
    """Answers with blobs of one store. Short blobs that were served lately stay in memory."""

    def __init__(self, blobs: BlobStore, handing_over: FileHandover, first_look: FirstLook, longest_s: int = 0) -> None:
        """`longest_s` bounds the time of an answer that is read piece by piece from the store; 0 is no bound."""
        self._blobs, self._handing_over, self._longest_s = blobs, handing_over, longest_s or None
        self._first_look = first_look
        # Asked once: it takes as long as reading a short file.
        self._files = blobs if isinstance(blobs, LocalFiles) else None
        self._recent = RecentBlobs()

    async def serve(
        self,
        exchange: Exchange,
        key: BlobKey,
        size: int,
        content_type: str,
        etag: str,
        headers: Headers,
        *,
        sha256: str | None,
        modified_ms: int | None = None,
        link: StoreLink | None = None,
    ) -> None:
        """Answer a GET or HEAD. `etag` is strong, in its quotes; `headers` go with every answer, 304 included.

        `sha256` is None if nobody has read the bytes yet. With `link` the client is redirected to the store, if it has
        links. Raises NotFound, RangeNotSatisfiable and ContentDamaged.
        """
        headers = [*headers, ("etag", etag), ("accept-ranges", "bytes")]
        if modified_ms is not None:
            headers.append(("last-modified", http_date(modified_ms)))
        _check_conditions(exchange, etag, modified_ms)
        if _has_it(exchange, etag, modified_ms):
            exchange.respond(304, headers)
            return
        if exchange.method == "GET" and link is not None and isinstance(self._blobs, SignedLinks):
            await self._first_look.require_whole(key, size, sha256)
            _send_away(exchange, self._blobs, key, content_type, headers, link)
            return
        spans = _spans(exchange, size, etag, modified_ms)
        await self._first_look.require_whole(key, size, sha256)
        if self._is_handed_over(exchange, size):
            await self._require(key)
            self._handing_over.hand_over(exchange, [*headers, ("content-type", content_type)], key)
            return
        if spans is not None and len(spans) > 1:
            await self._serve_pieces(exchange, key, size, content_type, headers, spans)
            return
        status, span = 200, ByteSpan(0, size)
        if spans is not None:
            status, [span] = 206, spans
            headers.append(("content-range", span.content_range(size)))
        headers += [("content-type", content_type), ("content-length", str(span.end - span.start))]
        await self._serve_span(exchange, key, size, status, headers, span)

    async def _serve_span(
        self, exchange: Exchange, key: BlobKey, size: int, status: int, headers: Headers, span: ByteSpan
    ) -> None:
        if exchange.method == "HEAD" or span.start == span.end:
            await self._require(key)
            exchange.respond(status, headers)
        elif (data := await self._in_memory(key, size)) is not None:
            exchange.respond(status, headers, data[span.start : span.end])
        elif self._files is not None:
            await self._require(key)  # Granian's own answer would have no envelope
            try:
                await exchange.respond_file(status, headers, str(self._files.local_path(key)), span.start, span.end)
            except FileNotFoundError:  # removed meanwhile
                raise NotFound from None
        else:
            exchange.expect_answer(span.end - span.start)
            await self._stream(exchange, status, headers, self._read(key, span), span.end - span.start)

    def _is_handed_over(self, exchange: Exchange, size: int) -> bool:
        """False for short blobs: sending them from memory is faster."""
        on_disk = self._files is not None and size > LONGEST and exchange.method == "GET"
        return on_disk and self._handing_over.is_taken(exchange)

    async def _require(self, key: BlobKey) -> None:
        # On the loop: a stat takes microseconds, and handing it to a thread many more.
        files = self._files
        there = files.local_path(key).is_file() if files is not None else await self._blobs.find(key) is not None
        if not there:
            raise NotFound

    async def _in_memory(self, key: BlobKey, size: int) -> bytes | None:
        """All of a short blob: this takes a third of Granian's time for a file, and no second request to a bucket."""
        if size > LONGEST:
            return None
        data = self._recent.find(key)
        if data is None:
            files = self._files
            try:
                data = _at_hand(files.local_path(key), size) if files else await _whole(self._blobs, key, size)
            except (FileNotFoundError, BlobNotFound):
                raise NotFound from None
            if data is not None:
                self._recent.keep(key, data)
        return data

    async def _serve_pieces(
        self,
        exchange: Exchange,
        key: BlobKey,
        size: int,
        content_type: str,
        headers: Headers,
        spans: Sequence[ByteSpan],
    ) -> None:
        """multipart/byteranges (RFC 9110, 14.6)."""
        boundary = secrets.token_hex(16)
        begin = f"\r\n--{boundary}\r\ncontent-type: {content_type}\r\ncontent-range: "
        heads = [f"{begin}{span.content_range(size)}\r\n\r\n" for span in spans]
        end = f"\r\n--{boundary}--\r\n"
        length = sum(map(len, heads)) + sum(span.end - span.start for span in spans) + len(end)
        headers += [("content-type", f"multipart/byteranges; boundary={boundary}"), ("content-length", str(length))]

        exchange.expect_answer(length)

        async def pieces() -> AsyncGenerator[bytes]:
            for head, span in zip(heads, spans, strict=True):
                yield head.encode()
                async with aclosing(self._read(key, span)) as blocks:
                    async for block in blocks:
                        yield block
            yield end.encode()

        await self._stream(exchange, 206, headers, pieces(), length)

    async def _read(self, key: BlobKey, span: ByteSpan) -> AsyncGenerator[bytes]:
        # A file stays open to the end. A bucket would send ahead, so each block is a request of its own.
        length = span.end - span.start
        start, most = span.start, length if self._files is not None else _LARGEST_BLOCK
        first, slow = length if length <= most else _FIRST_BLOCK, False
        while start < span.end:
            taken = start - span.start if self._files is None else most
            end = min(start + (_SMALLEST_BLOCK if slow else max(first, min(most, taken))), span.end)
            read_at = time.monotonic()
            async with aclosing(self._blobs.read(key, start, end)) as chunks:
                async for chunk in chunks:
                    yield chunk
            start, slow = end, time.monotonic() - read_at > _SLOW_SECONDS

    async def _stream(
        self, exchange: Exchange, status: int, headers: Headers, chunks: AsyncGenerator[bytes], length: int
    ) -> None:
        """The answer begins with the first bytes of the blob, so that a missing blob can still be 404."""
        async with aclosing(chunks):
            begun = await _beginning(chunks)
            if len(begun[0]) >= length:
                exchange.respond(status, headers, begun[0])
                return
            try:
                async with asyncio.timeout(self._longest_s):
                    await exchange.respond_stream(status, headers, _after(begun, chunks))
            except TimeoutError:
                log.info("an answer took longer than a bucket keeps what was deleted; it was ended")
            except BlobNotFound as gone:
                log.info("a blob was deleted while it was served", extra={"key": gone.key})
            except BlobStoreUnavailable as away:
                log.warning("the store went away while a blob was served", extra={"reason": away.reason})


def http_date(ms: int) -> str:
    return formatdate(ms // 1000, usegmt=True)


def _check_conditions(exchange: Exchange, etag: str, modified_ms: int | None) -> None:
    """RFC 9110, 13.1: If-Unmodified-Since counts only where there is no If-Match. Raises PreconditionFailed."""
    if exchange.has_header("if-match"):
        if not allows_it(exchange.header("if-match") or "", etag):
            raise PreconditionFailed("If-Match names other bytes than these.")
        return
    since = _time(exchange.header("if-unmodified-since"))
    if since is not None and modified_ms is not None and modified_ms // 1000 > since:
        raise PreconditionFailed("The bytes have changed since the time in If-Unmodified-Since.")


def _has_it(exchange: Exchange, etag: str, modified_ms: int | None) -> bool:
    """RFC 9110, 13.1: If-Modified-Since counts only where there is no If-None-Match."""
    tags = exchange.header("if-none-match")
    if tags is not None:
        return names_it(tags, etag)
    since = _time(exchange.header("if-modified-since"))
    return since is not None and modified_ms is not None and modified_ms // 1000 <= since


def _time(date: str | None) -> float | None:
    """None if the header is missing or not a date of HTTP."""
    try:
        return parsedate_to_datetime(date).timestamp() if date is not None else None
    except (ValueError, OverflowError):
        return None


def _send_away(
    exchange: Exchange, blobs: SignedLinks, key: BlobKey, content_type: str, headers: Headers, link: StoreLink
) -> None:
    """The store serves ranges itself."""
    answer = {"content-type": content_type, "cache-control": link.caching}
    answer |= {name: value for name, value in headers if name == "content-disposition"}
    location = blobs.signed_get(key, answer, expires_in_s=link.seconds, begins_at_s=link.begins_at_s)
    kept = [(name, value) for name, value in headers if name in _ON_REDIRECT]
    exchange.respond(307, [*kept, ("location", location), ("cache-control", link.redirect_caching)])


_ON_REDIRECT = {"vary", "referrer-policy", "x-robots-tag", "cross-origin-resource-policy"}


def _spans(exchange: Exchange, size: int, etag: str, modified_ms: int | None) -> list[ByteSpan] | None:
    """The ranges to send; None is all. Range counts only for GET, and only if If-Range fits."""
    condition = exchange.header("if-range")
    dated = modified_ms is not None and condition == http_date(modified_ms)
    if exchange.method != "GET" or (exchange.has_header("if-range") and condition != etag and not dated):
        return None
    spans = wanted_spans(exchange.header("range"), size)
    if spans == []:
        raise RangeNotSatisfiable(headers=(("content-range", f"bytes */{size}"), ("accept-ranges", "bytes")))
    return spans


def _at_hand(path: Path, size: int) -> bytes | None:
    """The bytes, if they are in the system's cache. Raises FileNotFoundError."""
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        data = bytearray(size)
        read = os.preadv(file, [data], 0, os.RWF_NOWAIT)
    except OSError:  # the read would wait, or the file system does not support RWF_NOWAIT
        return None
    finally:
        os.close(file)
    return bytes(data) if read == size else None


async def _whole(blobs: BlobStore, key: BlobKey, size: int) -> bytes | None:
    async with aclosing(blobs.read(key, 0, size)) as chunks:
        data = b"".join([chunk async for chunk in chunks])
    return data if len(data) == size else None


async def _beginning(chunks: AsyncGenerator[bytes]) -> list[bytes]:
    """The first chunks, until they are longer than a head between parts, or all of them. Raises NotFound."""
    begun = b""
    try:
        while len(begun) <= _LONGEST_HEAD and (chunk := await anext(chunks, None)) is not None:
            begun = begun + chunk if begun else chunk
    except BlobNotFound:
        raise NotFound from None
    return [begun]


async def _after(begun: list[bytes], chunks: AsyncGenerator[bytes]) -> AsyncGenerator[bytes]:
    """The chunks of `begun`, then the others. The list is emptied, so that sent chunks are freed."""
    while begun:
        yield begun.pop()
    async for chunk in chunks:
        yield chunk
