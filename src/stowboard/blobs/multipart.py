"""The calls of a multipart upload to a bucket, which obstore does not have: with the id and the part's number.

A request that failed on the way is sent again. A call may be done twice: the same bytes go under the same number.
"""

import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from http import HTTPStatus
from xml.etree import ElementTree

from stowboard.blobs.bucket import Bucket, BucketAnswer, Method, signed_request
from stowboard.blobs.keys import BlobKey, is_key
from stowboard.blobs.resumable import UploadPiece
from stowboard.blobs.store import BlobStoreUnavailable
from stowboard.core.errors import InsufficientStorage

_ATTEMPTS = 3
_PAUSE_S = 0.3


class NoSuchUpload(Exception):
    """It was completed or aborted."""


class MultipartUploads:
    """Multipart uploads to one bucket. Each method blocks, and raises BlobStoreUnavailable or InsufficientStorage."""

    def __init__(self, bucket: Bucket, timeout_s: float) -> None:
        self._bucket, self._timeout_s = bucket, timeout_s

    def create(self, key: BlobKey) -> str:
        """The id of a new upload."""
        answer = self._call("POST", key, {"uploads": ""})
        found = _text(ElementTree.fromstring(answer.body), "UploadId")  # noqa: S314 - expat refuses entity bombs
        if not found:
            raise BlobStoreUnavailable(f"no UploadId for {key}: {answer.body[:300]!r}")
        return found

    def send_part(self, key: BlobKey, upload_id: str, number: int, chunks: Sequence[bytes]) -> str:
        """The part's etag. Raises NoSuchUpload."""
        query = {"partNumber": str(number), "uploadId": upload_id}
        return self._call("PUT", key, query, chunks).headers.get("etag", "")

    def complete(self, key: BlobKey, upload_id: str, parts: Sequence[UploadPiece]) -> None:
        """Make one object of the parts, in the order of their numbers. Raises NoSuchUpload."""
        root = ElementTree.Element("CompleteMultipartUpload")
        for part in parts:
            element = ElementTree.SubElement(root, "Part")
            ElementTree.SubElement(element, "PartNumber").text = str(part.number)
            ElementTree.SubElement(element, "ETag").text = part.etag
        answer = self._call("POST", key, {"uploadId": upload_id}, [ElementTree.tostring(root)])
        # S3 may find out that it failed after it has said 200.
        if b"CompleteMultipartUploadResult" not in answer.body:
            raise BlobStoreUnavailable(f"{key} was not completed: {answer.body[:300]!r}")

    def abort(self, key: BlobKey, upload_id: str) -> None:
        """Drop the parts; no error if there is no such upload."""
        try:
            self._call("DELETE", key, {"uploadId": upload_id})
        except NoSuchUpload:
            return

    def abort_old(self, before_ms: int) -> int:
        """Abort those under the prefix that began before this time and were never completed; returns how many."""
        old = [(key, upload_id) for key, upload_id, begun_ms in self._pending() if begun_ms < before_ms]
        for key, upload_id in old:
            self.abort(key, upload_id)
        return len(old)

    def _pending(self) -> Iterator[tuple[BlobKey, str, float]]:
        """Key, id and time of the uploads that are not complete."""
        prefix = self._bucket.object_name("")
        page = {"uploads": "", "prefix": prefix}
        while True:
            listed = ElementTree.fromstring(self._call("GET", None, page).body)  # noqa: S314 - see `create`
            for upload in listed.iterfind("{*}Upload"):
                key = _text(upload, "Key").removeprefix(prefix)
                if is_key(key):
                    begun = datetime.fromisoformat(_text(upload, "Initiated"))
                    yield BlobKey(key), _text(upload, "UploadId"), begun.timestamp() * 1000
            if _text(listed, "IsTruncated") != "true":
                return
            page["key-marker"] = _text(listed, "NextKeyMarker")
            page["upload-id-marker"] = _text(listed, "NextUploadIdMarker")

    def _call(
        self, method: Method, key: BlobKey | None, query: dict[str, str], chunks: Sequence[bytes] = ()
    ) -> BucketAnswer:
        for attempt in range(_ATTEMPTS):
            if attempt:
                time.sleep(_PAUSE_S * attempt)
            try:
                answer = signed_request(self._bucket, method, key, query, chunks, timeout_s=self._timeout_s)
            except BlobStoreUnavailable:
                if attempt == _ATTEMPTS - 1:
                    raise
                continue
            if answer.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                break
        if answer.status == HTTPStatus.NOT_FOUND and key is not None and b"NoSuchBucket" not in answer.body:
            raise NoSuchUpload
        if answer.status == HTTPStatus.INSUFFICIENT_STORAGE:
            raise InsufficientStorage
        if answer.status >= HTTPStatus.BAD_REQUEST:
            raise BlobStoreUnavailable(f"{method} {key or self._bucket.url()}: {answer.status} {answer.body[:300]!r}")
        return answer


def _text(element: ElementTree.Element, name: str) -> str:
    return element.findtext(f"{{*}}{name}", default="")
