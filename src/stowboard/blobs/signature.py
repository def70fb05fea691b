"""Signature Version 4 in the query string: a link that lets its bearer make one S3 request until it expires.

It does what obstore's own signer cannot: any query parameter is part of the signature, so a link can set the headers
of the answer (`response-content-disposition`) and calls that obstore lacks can be made (multipart uploads).
Only the host header is signed and the body is not, so use it over TLS or on a network you trust.
"""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeAlias
from urllib.parse import quote, urlsplit

Method: TypeAlias = Literal["GET", "PUT", "POST", "DELETE"]
#: A week, S3's own limit.
MAX_EXPIRY_S = 604_800


@dataclass(frozen=True, slots=True)
class S3Credentials:
    access_key_id: str
    secret_access_key: str = field(repr=False)
    session_token: str | None = field(default=None, repr=False)


def presigned_url(
    method: Method,
    url: str,
    query: Mapping[str, str],
    credentials: S3Credentials,
    region: str,
    *,
    now_ms: int,
    expires_in_s: int,
) -> str:
    """The URL (without a query of its own, its path not yet percent-encoded) with query and signature."""
    if not 1 <= expires_in_s <= MAX_EXPIRY_S:
        raise ValueError(f"a link lives from 1 to {MAX_EXPIRY_S} seconds, not {expires_in_s}")
    parts = urlsplit(url)
    at = datetime.fromtimestamp(now_ms // 1000, UTC).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{at[:8]}/{region}/s3/aws4_request"
    signed = {
        **query,
        "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
        "X-Amz-Credential": f"{credentials.access_key_id}/{scope}",
        "X-Amz-Date": at,
        "X-Amz-Expires": str(expires_in_s),
        "X-Amz-SignedHeaders": "host",
    }
    if credentials.session_token:
        signed["X-Amz-Security-Token"] = credentials.session_token
    path = quote(parts.path, safe="/~")
    text = "&".join(sorted(f"{quote(name, safe='~')}={quote(value, safe='~')}" for name, value in signed.items()))
    request = f"{method}\n{path}\n{text}\nhost:{parts.netloc}\n\nhost\nUNSIGNED-PAYLOAD"
    to_sign = f"AWS4-HMAC-SHA256\n{at}\n{scope}\n{hashlib.sha256(request.encode()).hexdigest()}"
    signature = _hmac(_signing_key(credentials, at[:8], region), to_sign).hex()
    return f"{parts.scheme}://{parts.netloc}{path}?{text}&X-Amz-Signature={signature}"


def _signing_key(credentials: S3Credentials, date: str, region: str) -> bytes:
    key = b"AWS4" + credentials.secret_access_key.encode()
    for part in (date, region, "s3", "aws4_request"):
        key = _hmac(key, part)
    return key


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
