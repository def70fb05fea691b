"""The bytes of an upload that is on its way, past the server."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar

from stowboard.blobs.bucket import Bucket, S3Credentials, signed_request
from stowboard.blobs.keys import BlobKey
from stowboard.blobs.multipart import MultipartUploads
from stowboard.blobs.open import open_blobs
from stowboard.blobs.store import BlobStore
from support.servers.stowboard import Server
from support.stored.blobs import settings_of
from support.stored.rows import rows

T = TypeVar("T")


@dataclass(frozen=True)
class StoredUpload:
    server: Server
    key: BlobKey
    handle: str | None
    tails: tuple[BlobKey, ...]

    @classmethod
    def of(cls, server: Server, subject: str) -> "StoredUpload":
        """As its row is now."""
        [(upload_id, key, handle)] = rows(
            server, f"SELECT id, blob_key, handle FROM upload WHERE subject = '{subject}'"
        )
        found = rows(server, f"SELECT blob_key FROM upload_piece WHERE upload_id = '{upload_id}'")
        return cls(server, BlobKey(key), handle, tuple(BlobKey(tail) for (tail,) in found if tail is not None))

    def exist(self) -> bool:
        """True if anything of them is still there: a draft, parts, a tail, a blob."""
        if self._draft.exists() or (self.handle is not None and self._has_parts(self.handle)):
            return True

        async def any_blob(blobs: BlobStore) -> bool:
            return any([await blobs.find(key) is not None for key in (self.key, *self.tails)])

        return self._with_blobs(any_blob)

    def finish(self, data: bytes) -> None:
        """As a request does that is killed before it can say so: all bytes are a blob, and nothing else is left."""

        async def put(blobs: BlobStore) -> None:
            await blobs.put_bytes(self.key, data)

        self._with_blobs(put)
        self._draft.unlink(missing_ok=True)
        if self.handle is not None:
            MultipartUploads(self._bucket, 10).abort(self.key, self.handle)

    def lose(self) -> None:
        async def delete(blobs: BlobStore) -> None:
            await blobs.delete_many(self.tails)

        self._with_blobs(delete)
        self._draft.unlink(missing_ok=True)

    @property
    def _draft(self) -> Path:
        return settings_of(self.server).folder / ".uploading" / self.key.replace("/", "-")

    @property
    def _bucket(self) -> Bucket:
        settings = settings_of(self.server)
        credentials = S3Credentials(settings.access_key_id or "", settings.secret_access_key or "")
        return Bucket(settings.endpoint, settings.region, settings.bucket_name, settings.bucket_prefix, credentials)

    def _has_parts(self, handle: str) -> bool:
        answer = signed_request(self._bucket, "GET", self.key, {"uploadId": handle}, timeout_s=10)
        return answer.status != HTTPStatus.NOT_FOUND

    def _with_blobs(self, work: Callable[[BlobStore], Awaitable[T]]) -> T:
        async def run() -> T:
            blobs = open_blobs(settings_of(self.server))
            try:
                return await work(blobs)
            finally:
                await blobs.close()

        return asyncio.run(run())
