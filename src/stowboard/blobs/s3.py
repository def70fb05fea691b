"""Blobs as objects of a bucket: `prefix/kind/shard/ulid`, through obstore.

A blob of one part is one PUT, a larger one a multipart upload that is completed at its end, so a key has all its bytes
or none. Reading asks for one range after the other: a slow reader holds no connection, and each request has a time
limit of its own. obstore repeats what failed on the way (not a PUT that timed out) a few times; then the store counts
as away.

A writer that is killed leaves its parts in the bucket, invisible and paid for: `discard_unfinished` removes them, and
a lifecycle rule of the bucket should too. Access keys only; roles of a cloud's machines are not looked up.
"""

import asyncio
import hashlib
import re
import secrets
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import obstore
from obstore.exceptions import BaseError
from obstore.store import S3Store

from stowboard.blobs.bucket import Bucket
from stowboard.blobs.hashing import HashedBlocks
from stowboard.blobs.keys import BlobKey, check_key, is_key, new_key
from stowboard.blobs.multipart import MultipartUploads
from stowboard.blobs.resumable import AppenderLedger, GrowingBlob
from stowboard.blobs.resumable_s3 import BucketAppender
from stowboard.blobs.store import (
    BlobNotFound,
    BlobStoreUnavailable,
    StoredBlob,
    WrittenBlob,
    in_blocks,
    require_range,
)
from stowboard.core.errors import InsufficientStorage

if TYPE_CHECKING:
    from obstore import ObjectMeta, PutResult

#: S3 takes 10,000 parts, so a blob ends at 78 GiB; an upload holds about four parts in memory.
_PART = 8 << 20
_PARTS_IN_FLIGHT = 2
_READ_BLOCK = 4 << 20
_LIST_PAGE = 1000
_RETRIES = 3
#: For calls of multipart uploads, each of which waits for the store.
_THREADS = 16
_CHECK_TIMEOUT_S = 10
_STATUS = re.compile(r"status code: (\d{3})")


class S3Blobs:
    """The BlobStore of one bucket and prefix. It is also SignedLinks."""

    def __init__(self, bucket: Bucket, *, timeout_s: float) -> None:
        self._bucket = bucket
        self._store = _connect(bucket, timeout_s)
        self._multipart = MultipartUploads(bucket, timeout_s)
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="multipart")

    async def put(self, key: BlobKey, chunks: AsyncIterable[bytes]) -> WrittenBlob:
        check_key(key)
        async with aclosing(in_blocks(chunks, _PART)) as blocks:
            ready = deque(block for block in (await anext(blocks, None), await anext(blocks, None)) if block)
            if len(ready) < 2:
                return await self.put_bytes(key, b"".join(ready[0] if ready else []))
            return await self._put_parts(key, HashedBlocks(ready, blocks))

    async def put_bytes(self, key: BlobKey, data: bytes, sha256: str | None = None) -> WrittenBlob:
        check_key(key)
        found = sha256 or (await asyncio.to_thread(hashlib.sha256, data)).hexdigest()
        with _translated():
            await obstore.put_async(self._store, key, data, use_multipart=False)
        return WrittenBlob(len(data), found)

    async def read(self, key: BlobKey, start: int = 0, end: int | None = None) -> AsyncGenerator[bytes]:
        require_range(start, end)
        while end is None or start < end:
            until = start + _READ_BLOCK if end is None else min(start + _READ_BLOCK, end)
            chunk, size = await self._read_block(key, start, until)
            if chunk:
                yield chunk
            start += len(chunk)
            end = size if end is None else min(end, size)

    async def find(self, key: BlobKey) -> StoredBlob | None:
        check_key(key)
        try:
            with _translated(key):
                meta = await obstore.head_async(self._store, key)
        except BlobNotFound:
            return None
        return _stored(key, meta)

    async def delete_many(self, keys: Iterable[BlobKey]) -> None:
        doomed = list(keys)
        for key in doomed:
            check_key(key)
        if doomed:
            with _translated():
                await obstore.delete_async(self._store, doomed)

    async def walk(self, kind: str | None = None, after: BlobKey | None = None) -> AsyncGenerator[StoredBlob]:
        pages = aiter(obstore.list(self._store, prefix=kind, offset=after, chunk_size=_LIST_PAGE))
        while True:
            with _translated():
                page = await anext(pages, None)
            if page is None:
                return
            for meta in page:
                if is_key(meta["path"]):
                    yield _stored(BlobKey(meta["path"]), meta)

    async def discard_unfinished(self, before_ms: int) -> int:
        return await asyncio.to_thread(self._multipart.abort_old, before_ms)

    def space(self) -> None:
        return None

    async def check(self) -> None:
        key, data = new_key("probe"), secrets.token_bytes(64)
        try:
            async with asyncio.timeout(_CHECK_TIMEOUT_S):
                await self.put_bytes(key, data)
                read = b"".join([chunk async for chunk in self.read(key)])
                await self.delete_many([key])
        except TimeoutError:
            raise BlobStoreUnavailable(f"{self._bucket.url()} took longer than {_CHECK_TIMEOUT_S} s") from None
        if read != data:
            raise BlobStoreUnavailable(f"{self._bucket.url()} gave other bytes than were written")

    async def close(self) -> None:
        """obstore closes its connections when it is collected."""
        await asyncio.to_thread(self._threads.shutdown)

    def signed_get(
        self, key: BlobKey, headers: Mapping[str, str], *, expires_in_s: int, begins_at_s: int | None = None
    ) -> str:
        check_key(key)
        query = {f"response-{name}": value for name, value in headers.items()}
        return self._bucket.presigned("GET", key, query, expires_in_s=expires_in_s, begins_at_s=begins_at_s)

    def append_to(self, growing: GrowingBlob, ledger: AppenderLedger) -> BucketAppender:
        check_key(growing.key)
        return BucketAppender(growing, ledger, self, self._multipart, self._threads)

    async def discard_growing(self, key: BlobKey, handle: str | None) -> None:
        check_key(key)
        if handle is not None:
            await asyncio.to_thread(self._multipart.abort, key, handle)
        await self.delete_many([key])

    async def _put_parts(self, key: BlobKey, blocks: HashedBlocks) -> WrittenBlob:
        upload = asyncio.ensure_future(
            obstore.put_async(
                self._store, key, blocks, use_multipart=True, chunk_size=_PART, max_concurrency=_PARTS_IN_FLIGHT
            )
        )
        try:
            with _translated():
                await asyncio.shield(upload)
        except asyncio.CancelledError:
            # obstore aborts the multipart upload when its source fails, but not when it is cancelled itself.
            blocks.stop()
            upload.add_done_callback(_forget)
            await asyncio.wait([upload])
            raise
        except Exception:
            if blocks.failure is not None:
                raise blocks.failure from None
            raise
        return blocks.written()

    async def _read_block(self, key: BlobKey, start: int, end: int) -> tuple[bytes, int]:
        """The bytes of this range that are there, and the size of the blob."""
        check_key(key)
        try:
            with _translated(key):
                answer = await obstore.get_async(self._store, key, options={"range": (start, end)})
                return bytes(await answer.bytes_async()), answer.meta["size"]
        except _BeyondTheEnd:
            return b"", start


class _BeyondTheEnd(Exception):
    """The range begins where the object has no bytes; an empty object has no other ranges."""


def _connect(bucket: Bucket, timeout_s: float) -> S3Store:
    keys = bucket.credentials
    limit = timedelta(seconds=timeout_s)
    return S3Store(
        bucket.name,
        prefix=bucket.prefix or None,
        config={
            "endpoint": bucket.endpoint,
            "region": bucket.region,
            "access_key_id": keys.access_key_id,
            "secret_access_key": keys.secret_access_key,
            "virtual_hosted_style_request": False,
            **({"session_token": keys.session_token} if keys.session_token else {}),
        },
        client_options={"allow_http": True, "connect_timeout": min(limit, timedelta(seconds=5)), "timeout": limit},
        retry_config={"max_retries": _RETRIES, "retry_timeout": limit},
    )


@contextmanager
def _translated(key: BlobKey | None = None) -> Iterator[None]:
    """Translates errors of obstore into ours. With a key, a missing object becomes BlobNotFound for that key."""
    try:
        yield
    except FileNotFoundError as error:
        if key is not None and "NoSuchBucket" not in str(error):
            raise BlobNotFound(key) from None
        raise BlobStoreUnavailable(_first_line(error)) from error
    except BaseError as error:
        status = _STATUS.search(str(error))
        if status and status[1] == "416":
            raise _BeyondTheEnd from None
        if status and status[1] == "507":
            raise InsufficientStorage from error
        raise BlobStoreUnavailable(_first_line(error)) from error


def _first_line(error: Exception) -> str:
    return str(error).partition("\n\nDebug source:")[0]


def _stored(key: BlobKey, meta: "ObjectMeta") -> StoredBlob:
    return StoredBlob(key, meta["size"], int(meta["last_modified"].timestamp() * 1000))


def _forget(upload: "asyncio.Future[PutResult]") -> None:
    """Read the outcome that nobody waits for, or asyncio reports it as lost."""
    if not upload.cancelled():
        upload.exception()
