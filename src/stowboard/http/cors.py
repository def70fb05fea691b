"""CORS: any page may call with a token of its own; cookies are never used, so any origin is safe."""

from stowboard.http.exchange import Exchange, Headers

_EXPOSED = (
    "RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Idempotent-Replayed, ETag, Location, Link, "
    "WWW-Authenticate, Allow, Content-Range, Accept-Ranges, Content-Disposition, "
    "Tus-Resumable, Tus-Version, Tus-Extension, Tus-Max-Size, Tus-Checksum-Algorithm, "
    "Upload-Offset, Upload-Length, Upload-Defer-Length, Upload-Metadata, Upload-Expires, "
    "Upload-Concat"
)
_ALLOWED = (
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Prefer, Range, "
    "X-Request-Id, traceparent, Tus-Resumable, Upload-Offset, Upload-Length, Upload-Defer-Length, Upload-Metadata, "
    "Upload-Checksum, Upload-Concat, X-HTTP-Method-Override, X-Requested-With"
)
ON_ANSWERS: Headers = [("access-control-allow-origin", "*"), ("access-control-expose-headers", _EXPOSED)]
#: Without the headers that every answer has: a browser accepts no header twice.
ON_PREFLIGHT: Headers = [
    ("access-control-allow-methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"),
    ("access-control-allow-headers", _ALLOWED),
    ("access-control-max-age", "86400"),
]


def is_preflight(exchange: Exchange) -> bool:
    return (
        exchange.method == "OPTIONS"
        and exchange.header("origin") is not None
        and exchange.header("access-control-request-method") is not None
    )
