"""Everything this package raises, and which error code becomes which class.

Branch on the class, or on `.code`; never on the message. Each code that the service documents has a class, below the
class of its status. A code that this version does not know becomes the class of its status, so an older client still
tells a 404 from a 409.
"""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx2
import msgspec


class StowboardError(Exception):
    """The base of every error of this package."""

    #: The key of a write that failed. The same call with this key is the same write, and is done once.
    idempotency_key: str | None = None


class ConnectionFailed(StowboardError):
    """No whole answer arrived. Its cause is the transport's own error.

    A write may have taken effect all the same: repeat it with the same `idempotency_key` to learn its outcome.
    """


class UnreadableAnswer(StowboardError):
    """A success whose body is not what the operation promises: another program answers at this address."""


class ApiError(StowboardError):
    """The service answered with an error."""

    def __init__(
        self, status: int, code: str, message: str, request_id: str | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(status, code, message, request_id, retry_after)  # all arguments, so that pickling keeps them
        self.status = status
        #: The service's code, or `http_<status>` where something in front of the service answered instead.
        self.code = code
        self.message = message
        #: Quote this to the operator: the service logs it.
        self.request_id = request_id
        #: Seconds that the service asked to wait.
        self.retry_after = retry_after

    def __str__(self) -> str:
        where = f" (request {self.request_id})" if self.request_id else ""
        return f"{self.status} {self.code}: {self.message}{where}"


# fmt: off
class BadRequest(ApiError): ...  # 400
class ValidationFailed(BadRequest): ...
class InvalidJson(BadRequest): ...
class InvalidParameter(BadRequest): ...
class InvalidCursor(BadRequest): ...
class InvalidBase64(BadRequest): ...
class InvalidMedia(BadRequest): ...
class SizeMismatch(BadRequest): ...
class TooManyItems(BadRequest): ...
class UnknownTransformClass(BadRequest): ...
class NotTransformable(BadRequest): ...
class IdempotencyKeyInvalid(BadRequest): ...

class Unauthorized(ApiError): ...  # 401
class MissingToken(Unauthorized): ...
class InvalidToken(Unauthorized): ...
class TokenExpired(Unauthorized): ...
class InvalidLogin(Unauthorized): ...
class NotSignedIn(Unauthorized): ...
class InvalidClient(Unauthorized): ...  # The OAuth server does not know this client id and secret.

class Forbidden(ApiError): ...  # 403
class InsufficientScope(Forbidden): ...
class AdminRequired(Forbidden): ...
class NamespaceNotAllowed(Forbidden): ...
class AssetProtected(Forbidden): ...
class ZeroKnowledgeBody(Forbidden): ...
class SignatureInvalid(Forbidden): ...
class SignatureExpired(Forbidden): ...
class UploadFinalized(Forbidden): ...
class CrossSite(Forbidden): ...
class StepUpRequired(Forbidden): ...
class AccountRequired(Forbidden): ...

class Missing(ApiError): ...  # 404
class NotFound(Missing): ...  # Absent, or not visible to this token.
class RouteNotFound(Missing): ...  # The service has no such operation: a wrong base URL, or an older service.

class MethodNotAllowed(ApiError): ...  # 405
class RequestTimeout(ApiError): ...  # 408

class StateConflict(ApiError): ...  # 409
class TaskIndexNotActivated(StateConflict): ...
class IdempotencyInProgress(StateConflict): ...
class UploadIncomplete(StateConflict): ...
class ReplaceInProgress(StateConflict): ...
class AssetNotReady(StateConflict): ...
class Conflict(StateConflict): ...

class Gone(ApiError): ...  # 410
class UploadGone(Gone): ...
class CursorExpired(Gone): ...  # Events after the cursor are no longer kept.
class InvalidTicket(Gone): ...

class PreconditionFailed(ApiError): ...  # 412
class PayloadTooLarge(ApiError): ...  # 413
class UnsupportedMediaType(ApiError): ...  # 415
class RangeNotSatisfiable(ApiError): ...  # 416
class IdempotencyKeyReused(ApiError): ...  # 422
class UploadLocked(ApiError): ...  # 423
class RateLimited(ApiError): ...  # 429
class TooManyStreams(RateLimited): ...
class ChecksumMismatch(ApiError): ...  # 460

class ServerError(ApiError): ...  # Any 5xx.
class InternalError(ServerError): ...
class ServiceUnavailable(ServerError): ...
class OutcomeUnknown(ServiceUnavailable): ...  # The write may have been done or not.
class InsufficientStorage(ServerError): ...
# fmt: on

#: Classes of a status that have no code of their own.
_FAMILIES = (ApiError, BadRequest, Unauthorized, Forbidden, Missing, StateConflict, Gone, ServerError)
#: A code is the name of its class in snake_case.
BY_CODE: dict[str, type[ApiError]] = {
    re.sub("(?<!^)(?=[A-Z])", "_", name).lower(): kind
    for name, kind in list(globals().items())
    if isinstance(kind, type) and issubclass(kind, ApiError) and kind not in _FAMILIES
}

BY_STATUS: dict[int, type[ApiError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: Missing,
    405: MethodNotAllowed,
    408: RequestTimeout,
    409: StateConflict,
    410: Gone,
    412: PreconditionFailed,
    413: PayloadTooLarge,
    415: UnsupportedMediaType,
    416: RangeNotSatisfiable,
    423: UploadLocked,
    429: RateLimited,
    460: ChecksumMismatch,
    503: ServiceUnavailable,
    507: InsufficientStorage,
}


def checked(response: httpx2.Response) -> httpx2.Response:
    """The response, if it is a success; otherwise raises the error that it describes."""
    if response.is_success:
        return response
    raise error_of(response)


def error_of(response: httpx2.Response) -> ApiError:
    status, headers = response.status_code, response.headers
    code, message = _code_and_message(response)
    family = BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    kind = BY_CODE.get(code, family)
    return kind(status, code, message, headers.get("x-request-id"), _seconds(headers.get("retry-after")))


class _Problem(msgspec.Struct):
    code: str
    message: str = ""


class _ErrorBody(msgspec.Struct):
    # The API's errors are objects; those of the OAuth endpoints are strings, as RFC 6749 wants them.
    error: _Problem | str
    error_description: str = ""


_read = msgspec.json.Decoder(_ErrorBody).decode


def _code_and_message(response: httpx2.Response) -> tuple[str, str]:
    try:
        body = _read(response.content)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return f"http_{response.status_code}", response.reason_phrase
    if isinstance(body.error, str):
        return body.error, body.error_description
    return body.error.code, body.error.message


def _seconds(retry_after: str | None) -> float | None:
    """RFC 9110 allows seconds and a date; the service sends seconds, a proxy before it may send a date."""
    if retry_after is None:
        return None
    if retry_after.isascii() and retry_after.isdigit():
        return float(retry_after)
    try:
        moment = parsedate_to_datetime(retry_after)
    except ValueError:
        return None
    return max(0.0, (moment.astimezone(UTC) - datetime.now(UTC)).total_seconds())
