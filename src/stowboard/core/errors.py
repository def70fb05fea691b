"""Errors as data: each has one code, one status and a message that helps, and is raised where the fact is known.

A component declares its own beside its rules; these are the ones that every part of the service may raise.
"""

from typing import ClassVar


class Problem(Exception):
    """An answer that is not a success. Subclasses are the error codes of the API."""

    status: ClassVar[int]
    code: ClassVar[str]
    message: str
    #: Whether an answer with this error is kept under its Idempotency-Key. Only what was decided about the domain is:
    #: a request that was malformed, unauthorised, throttled or unlucky may be sent again under the same key.
    kept: ClassVar[bool] = False

    def __init__(self, message: str | None = None, headers: tuple[tuple[str, str], ...] = ()) -> None:
        if message is not None:
            self.message = message
        self.headers = headers
        super().__init__(self.message)


class ValidationFailed(Problem):
    status, code = 400, "validation_failed"
    message = "A member of the body is missing or wrong."


class InvalidJson(Problem):
    status, code = 400, "invalid_json"
    message = "The body is not a JSON object in UTF-8."


class InvalidParameter(Problem):
    status, code = 400, "invalid_parameter"
    message = "A query parameter is wrong."


class InvalidCursor(Problem):
    status, code = 400, "invalid_cursor"
    message = "The cursor is not one that this list gave for these filters; start again without it."


class TooManyItems(Problem):
    status, code = 400, "too_many_items"
    message = "The list is longer than this operation takes."


class IdempotencyKeyInvalid(Problem):
    status, code = 400, "idempotency_key_invalid"
    message = "Idempotency-Key must be 1 to 255 printable ASCII characters, bare or in double quotes."


class MissingToken(Problem):
    status, code = 401, "missing_token"
    message = "Send Authorization: Bearer <token>. The WWW-Authenticate header names the OAuth discovery documents."


class InvalidToken(Problem):
    status, code = 401, "invalid_token"
    message = "The token is unknown or was revoked."


class TokenExpired(Problem):
    status, code = 401, "token_expired"
    message = "The token has expired; ask for a new one."


class InsufficientScope(Problem):
    status, code = 403, "insufficient_scope"
    message = "The token lacks the scope that this operation needs."


class AdminRequired(Problem):
    status, code = 403, "admin_required"
    message = "This operation needs an admin token, one with the scope admin."


class NotFound(Problem):
    """Absent and not yours are the same answer, to the byte."""

    status, code, kept = 404, "not_found", True
    message = "There is nothing at this address that your token can see."


class RouteNotFound(Problem):
    status, code = 404, "route_not_found"
    message = "No operation has this path. GET /api/v1 lists the documents that describe the API."


class MethodNotAllowed(Problem):
    status, code = 405, "method_not_allowed"
    message = "This path does not take this method; the Allow header lists those it takes."


class RequestTimeout(Problem):
    status, code = 408, "request_timeout"
    message = "The body did not arrive in time. Send it again, faster or in smaller pieces."


class Conflict(Problem):
    status, code, kept = 409, "conflict", True
    message = "The request contradicts the present state."


class IdempotencyInProgress(Problem):
    status, code = 409, "idempotency_in_progress"
    message = "The first request with this Idempotency-Key is still running. Retry in 1 second."

    def __init__(self) -> None:
        super().__init__(headers=(("retry-after", "1"),))


class PreconditionFailed(Problem):
    status, code, kept = 412, "precondition_failed", True
    message = "If-Match names another version than the present one. Read it again, then repeat the change."


class PayloadTooLarge(Problem):
    status, code = 413, "payload_too_large"
    message = "The body is larger than this operation takes."


class UnsupportedMediaType(Problem):
    status, code = 415, "unsupported_media_type"
    message = (
        "Send the body as JSON, with Content-Type: application/json. Forms and multipart bodies are not read here."
    )


class IdempotencyKeyReused(Problem):
    status, code = 422, "idempotency_key_reused"
    message = "This Idempotency-Key was used for another request in the last 24 hours. Use a new key."


class HeadersTooLarge(Problem):
    status, code = 431, "headers_too_large"
    message = "The headers have more than 65536 bytes together. Send less in them."


class RateLimited(Problem):
    status, code = 429, "rate_limited"
    message = "Too many requests for this token."


class InternalError(Problem):
    status, code = 500, "internal_error"
    message = "Something went wrong here. Nothing was changed; retry, and report X-Request-Id if it happens again."


class ServiceUnavailable(Problem):
    status, code = 503, "service_unavailable"
    message = "A part that this request needs is away for the moment. Nothing was changed; retry."

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message, headers=(("retry-after", "1"),))


class InsufficientStorage(Problem):
    status, code = 507, "insufficient_storage"
    message = "The server's disk is full. Nothing was changed; retry after its operator has made room."

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message, headers=(("retry-after", "60"),))
