"""The address of a bucket, and signed requests to it for what obstore cannot do (`multipart`).

These requests go through the standard library in the caller's thread.
"""

import http.client
from collections.abc import Mapping, Sequence
from urllib.parse import urlsplit

import msgspec

from stowboard.blobs.signature import Method, S3Credentials, presigned_url
from stowboard.blobs.store import BlobStoreUnavailable
from stowboard.core import clock

_LINK_S = 300


class Bucket(msgspec.Struct, frozen=True):
    endpoint: str
    region: str
    name: str
    #: Without slashes at its ends; may be empty.
    prefix: str
    credentials: S3Credentials

    def url(self) -> str:
        return f"{self.endpoint}/{self.name}"

    def object_name(self, key: str) -> str:
        return f"{self.prefix}/{key}" if self.prefix else key

    def presigned(
        self,
        method: Method,
        key: str | None,
        query: Mapping[str, str],
        *,
        expires_in_s: int,
        begins_at_s: int | None = None,
    ) -> str:
        """A link to the object, or with no key to the bucket itself. It begins now if not told."""
        url = self.url() if key is None else f"{self.url()}/{self.object_name(key)}"
        begins_ms = clock.now_ms() if begins_at_s is None else begins_at_s * 1000
        return presigned_url(
            method, url, query, self.credentials, self.region, now_ms=begins_ms, expires_in_s=expires_in_s
        )


class BucketAnswer(msgspec.Struct, frozen=True):
    status: int
    headers: http.client.HTTPMessage
    body: bytes


def signed_request(
    bucket: Bucket,
    method: Method,
    key: str | None,
    query: Mapping[str, str],
    chunks: Sequence[bytes] = (),
    *,
    timeout_s: float,
) -> BucketAnswer:
    """The answer, whatever its status. Raises BlobStoreUnavailable without an answer. Chunks are not copied."""
    parts = urlsplit(bucket.presigned(method, key, query, expires_in_s=_LINK_S))
    connect = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = connect(parts.netloc, timeout=timeout_s)
    length = {"Content-Length": str(sum(map(len, chunks)))} if method in ("PUT", "POST") else {}
    try:
        connection.request(method, f"{parts.path}?{parts.query}", body=chunks or None, headers=length)
        answer = connection.getresponse()
        return BucketAnswer(answer.status, answer.headers, answer.read())
    except (OSError, http.client.HTTPException) as error:
        raise BlobStoreUnavailable(f"{method} {parts.netloc}{parts.path}: {error!r}") from error
    finally:
        connection.close()
