"""The address of a bucket, links to its objects, and signed requests for what obstore cannot do (`multipart`).

A link has Signature Version 4 in its query, and lets its bearer make one S3 request until it expires. obstore's own
signer signs no further parameters; here any is part of the signature, so a link can set the headers of the answer
(`response-content-disposition`), and calls that obstore lacks can be made. Only the host header is signed and the body
is not, so use it over TLS or on a network you trust.

Requests go through the standard library in the caller's thread.
"""

import hashlib
import hmac
import http.client
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeAlias
from urllib.parse import quote, urlsplit

import msgspec

from stowboard.blobs.store import BlobStoreUnavailable
from stowboard.core import clock

Method: TypeAlias = Literal["GET", "PUT", "POST", "DELETE"]
#: A week, S3's own limit.
MAX_EXPIRY_S = 604_800
_LINK_S = 300


@dataclass(frozen=True, slots=True)
class S3Credentials:
    access_key_id: str
    secret_access_key: str = field(repr=False)
    session_token: str | None = field(default=None, repr=False)


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
        """A link to the object; without a key, to the bucket itself. By default its time begins now."""
        if not 1 <= expires_in_s <= MAX_EXPIRY_S:
            raise ValueError(f"a link lives from 1 to {MAX_EXPIRY_S} seconds, not {expires_in_s}")
        parts = urlsplit(self.url() if key is None else f"{self.url()}/{self.object_name(key)}")
        at = datetime.fromtimestamp(begins_at_s or clock.now_ms() // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
        scope = f"{at[:8]}/{self.region}/s3/aws4_request"
        signed = {
            **query,
            "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
            "X-Amz-Credential": f"{self.credentials.access_key_id}/{scope}",
            "X-Amz-Date": at,
            "X-Amz-Expires": str(expires_in_s),
            "X-Amz-SignedHeaders": "host",
        }
        if self.credentials.session_token:
            signed["X-Amz-Security-Token"] = self.credentials.session_token
        path = quote(parts.path, safe="/~")
        text = "&".join(sorted(f"{quote(name, safe='~')}={quote(value, safe='~')}" for name, value in signed.items()))
        request = f"{method}\n{path}\n{text}\nhost:{parts.netloc}\n\nhost\nUNSIGNED-PAYLOAD"
        key_of_day = b"AWS4" + self.credentials.secret_access_key.encode()
        for part in scope.split("/"):
            key_of_day = _hmac(key_of_day, part)
        to_sign = f"AWS4-HMAC-SHA256\n{at}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
        signature = _hmac(key_of_day, to_sign).hex()
        return f"{parts.scheme}://{parts.netloc}{path}?{text}&X-Amz-Signature={signature}"


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
    """The answer, whatever its status. Raises BlobStoreUnavailable if none comes. Chunks are not copied."""
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


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
