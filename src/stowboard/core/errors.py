"""Errors as data: each has one code, one status and a message that helps, and is raised where the fact is known.

A component declares its own beside its rules; these are the ones that every part of the service may raise.
"""

from typing import ClassVar


class Problem(Exception):
    """An answer that is not a success. Subclasses are the error codes of the API."""

    status: ClassVar[int]
    code: ClassVar[str]
    message: str
    #: Advice for the list of codes; it holds whatever the message of one answer says.
    advice: ClassVar[str] = ""
    #: True if an answer with this error is kept under its Idempotency-Key. Only errors about the objects are kept: a
    #: request that was malformed, not permitted or throttled, or met a failure, may be sent again under the same key.
    kept: ClassVar[bool] = False

    def __init__(self, message: str | None = None, headers: tuple[tuple[str, str], ...] = ()) -> None:
        if message is not None:
            self.message = message
        self.headers = headers
        super().__init__(self.message)


class ValidationFailed(Problem):
    status, code = 400, "validation_failed"
    message = "A member of the body is missing or wrong."
    advice = "Correct the member that the message names; the OpenAPI document has the limits of each."


class InvalidJson(Problem):
    status, code = 400, "invalid_json"
    message = "The body is not a JSON object in UTF-8."
    advice = "Send one JSON object in UTF-8, as a JSON library writes it, with Content-Length or in chunks to its end."


class InvalidParameter(Problem):
    status, code = 400, "invalid_parameter"
    message = "A query parameter is wrong."
    advice = "Correct the parameter that the message names; each may be given once, and no others."


class InvalidCursor(Problem):
    status, code = 400, "invalid_cursor"
    message = "The cursor is not one that this list gave for these filters; start again without it."
    advice = "Ask for the first page again, without a cursor, and keep the filters the same while you follow it."


class TooManyItems(Problem):
    status, code = 400, "too_many_items"
    message = "The list is longer than this operation takes."
    advice = "Send fewer at once, in several requests; where a thing is full, remove something from it first."


class IdempotencyKeyInvalid(Problem):
    status, code = 400, "idempotency_key_invalid"
    message = "Idempotency-Key must be 1 to 255 printable ASCII characters, bare or in double quotes."
    advice = "Send a key such as a UUID, in one header."


class MissingToken(Problem):
    status, code = 401, "missing_token"
    message = "Send Authorization: Bearer <token>. The WWW-Authenticate header names the OAuth discovery documents."
    advice = "Send a token in the header Authorization. Admins issue them at POST /access/tokens."


class InvalidToken(Problem):
    status, code = 401, "invalid_token"
    message = "The token is unknown or was revoked."
    advice = "Check that the whole token was sent. If it was revoked, get another one."


class TokenExpired(Problem):
    status, code = 401, "token_expired"
    message = "The token has expired; ask for a new one."
    advice = "Get a new token, and send the request again with it."


class InsufficientScope(Problem):
    status, code = 403, "insufficient_scope"
    message = "The token lacks the scope that this operation needs."
    advice = "Use a token with the scope that the message names; GET /access/token shows what this one has."


class AdminRequired(Problem):
    status, code = 403, "admin_required"
    message = "This operation needs an admin token, one with the scope admin."
    advice = "Ask an admin, or use a token with the scope admin."


class InsufficientRole(Problem):
    status, code = 403, "insufficient_role"
    message = "Your role in this space is too low for that."
    advice = "Ask a manager of the space for the role that the message names; GET /spaces shows those that you have."


class NotFound(Problem):
    """The thing does not exist or belongs to another owner: both answers are the same, to the byte."""

    status, code, kept = 404, "not_found", True
    message = "There is nothing at this address that your token can see."
    advice = "Check the id. What belongs to another owner looks the same as what does not exist."


class SpaceNotFound(NotFound):
    message = "There is no such space, or your token does not reach it."


class RouteNotFound(Problem):
    status, code = 404, "route_not_found"
    message = "No operation has this path. GET /api/v1 lists the documents that describe the API."
    advice = "Check the path against the OpenAPI document; paths have no slash at their end."


class MethodNotAllowed(Problem):
    status, code = 405, "method_not_allowed"
    message = "This path does not take this method; the Allow header lists those it takes."
    advice = "Use one of the methods in the header Allow."


class RequestTimeout(Problem):
    status, code = 408, "request_timeout"
    message = "The body did not arrive in time. Send it again, faster or in smaller pieces."
    advice = "Send it again, a write with the same Idempotency-Key; large files by a resumable upload."


class Conflict(Problem):
    status, code, kept = 409, "conflict", True
    message = "The request contradicts the present state."
    advice = "Read the present state, bring about the one that the message asks for, then send the request again."


class InTrash(Conflict):
    message = "It is in the trash. Restore it first."
    advice = "Restore it with POST …/restore, then send the request again."


class IdempotencyInProgress(Problem):
    status, code = 409, "idempotency_in_progress"
    message = "The first request with this Idempotency-Key is still running. Retry in 1 second."
    advice = "Wait for the seconds in Retry-After, then send it again with the same key."

    def __init__(self) -> None:
        super().__init__(headers=(("retry-after", "1"),))


class PreconditionFailed(Problem):
    status, code, kept = 412, "precondition_failed", True
    message = "If-Match names another version than the present one. Read it again, then repeat the change."
    advice = "Read the present version and its ETag, and repeat the change on it."


class PayloadTooLarge(Problem):
    status, code = 413, "payload_too_large"
    message = "The body is larger than this operation takes."
    advice = "Send less at once; files by the pre-signed or resumable upload that the message names."


class UnsupportedMediaType(Problem):
    status, code = 415, "unsupported_media_type"
    message = "Send the body as JSON, with Content-Type: application/json. This operation does not read such a form."
    advice = (
        "Send JSON. Files go as base64 in a member, by PUT to a pre-signed address, or to the two uploads as"
        " multipart/form-data."
    )


class IdempotencyKeyReused(Problem):
    status, code = 422, "idempotency_key_reused"
    message = "This Idempotency-Key was used for another request in the last 24 hours. Use a new key."
    advice = "Make a new key for each new request, and use it again only to repeat that very request."


class HeadersTooLarge(Problem):
    status, code = 431, "headers_too_large"
    message = "The headers have more than 65536 bytes together. Send less in them."
    advice = "Send less in the headers: an ordinary request has a few hundred bytes of them."


class RateLimited(Problem):
    status, code = 429, "rate_limited"
    message = "Too many requests for this token."
    advice = "Wait for the seconds in Retry-After, then send it again; RateLimit tells beforehand how much is left."


class InternalError(Problem):
    status, code = 500, "internal_error"
    message = "Something went wrong here. Nothing was changed; retry, and report X-Request-Id if it happens again."
    advice = "Send it again, a write with the same Idempotency-Key. Report X-Request-Id if it goes on."


class ServiceUnavailable(Problem):
    status, code = 503, "service_unavailable"
    message = "A part that this request needs is away for the moment. Nothing was changed; retry."
    advice = "Wait for the seconds in Retry-After, then send it again, a write with the same Idempotency-Key."

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message, headers=(("retry-after", "1"),))


class InsufficientStorage(Problem):
    status, code = 507, "insufficient_storage"
    message = "The server's disk is full. Nothing was changed; retry after its operator has made room."
    advice = "Tell the operator, and send it again once there is room."

    def __init__(self, message: str | None = None) -> None:
        super().__init__(message, headers=(("retry-after", "60"),))
