"""The address of a bucket, and signed requests to it for what obstore cannot do.

These requests go through the standard library in the caller's thread: those of a sweep, and of bytes that arrive in
pieces (`multipart`).
"""

import http.client
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from http import HTTPStatus
from urllib.parse import urlsplit
from xml.etree import ElementTree

import msgspec

from stowboard.blobs.keys import is_key
from stowboard.blobs.signature import Method, S3Credentials, presigned_url
from stowboard.blobs.store import BlobStoreUnavailable
from stowboard.core import clock

_XML = "{http://s3.amazonaws.com/doc/2006-03-01/}"
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

    def header(self, name: str) -> str:
        """Its value, empty if it is not there."""
        return self.headers.get(name, "")


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


class _Upload(msgspec.Struct, frozen=True):
    key: str
    upload_id: str
    begun_ms: int


def abort_uploads(bucket: Bucket, *, before_ms: int, timeout_s: float) -> int:
    """Abort the multipart uploads under the prefix that began before that time and were never completed."""
    old = [upload for upload in _pending_uploads(bucket, timeout_s) if upload.begun_ms < before_ms]
    for upload in old:
        _request(bucket, "DELETE", upload.key, {"uploadId": upload.upload_id}, timeout_s)
    return len(old)


def _pending_uploads(bucket: Bucket, timeout_s: float) -> Iterator[_Upload]:
    page = {"uploads": "", "prefix": bucket.object_name("")}
    while True:
        listed = _request(bucket, "GET", None, page, timeout_s)
        answer = ElementTree.fromstring(listed)  # noqa: S314 - expat refuses entity bombs
        for upload in answer.iter(f"{_XML}Upload"):
            key = _text(upload, "Key").removeprefix(bucket.object_name(""))
            if is_key(key):
                begun = datetime.fromisoformat(_text(upload, "Initiated"))
                yield _Upload(key, _text(upload, "UploadId"), int(begun.timestamp() * 1000))
        if _text(answer, "IsTruncated") != "true":
            return
        page["key-marker"] = _text(answer, "NextKeyMarker")
        page["upload-id-marker"] = _text(answer, "NextUploadIdMarker")


def _text(element: ElementTree.Element, name: str) -> str:
    return element.findtext(_XML + name, default="")


def _request(bucket: Bucket, method: Method, key: str | None, query: Mapping[str, str], timeout_s: float) -> bytes:
    answer = signed_request(bucket, method, key, query, timeout_s=timeout_s)
    # An upload that is gone by now was completed or aborted by somebody else.
    if answer.status >= HTTPStatus.BAD_REQUEST and not (method == "DELETE" and answer.status == HTTPStatus.NOT_FOUND):
        raise BlobStoreUnavailable(f"{method} {bucket.url()} {key or ''}: {answer.status} {answer.body[:300]!r}")
    return answer.body
