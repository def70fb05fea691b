"""How commands end: stable codes for scripts, and a sentence for people."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from stowboard_client import ApiError

OK, ERROR, USAGE, REFUSED, NOT_FOUND, INVALID, LIMITED, UNAVAILABLE, PARTLY = range(9)
INTERRUPTED = 130


class CommandFailure(Exception):
    """The command cannot go on; the text says why, and what to do."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


def failure_of(error: Exception) -> CommandFailure | None:
    """The failure to report; None for a bug of ours."""
    if isinstance(error, CommandFailure):
        return error
    from stowboard_client import ApiError, ConnectionFailed, StowboardError, UnreadableAnswer

    if isinstance(error, ApiError):
        return CommandFailure(_code(error), _sentence(error))
    if isinstance(error, ConnectionFailed):
        return CommandFailure(UNAVAILABLE, f"The server cannot be reached: {error}")
    if isinstance(error, UnreadableAnswer):
        return CommandFailure(UNAVAILABLE, f"This is not a Stowboard server: {error}")
    if isinstance(error, StowboardError | TimeoutError | OSError):
        return CommandFailure(ERROR, str(error))
    return None


def _code(error: "ApiError") -> int:
    if error.status in (401, 403) or error.code in ("invalid_grant", "access_denied", "expired_token"):
        return REFUSED
    if error.status in (404, 410):
        return NOT_FOUND
    if error.status == 429:
        return LIMITED
    if error.status >= 500:
        return UNAVAILABLE
    return INVALID


def _sentence(error: "ApiError") -> str:
    more = ""
    if error.status == 401 or error.code == "invalid_grant":
        more = " Sign in with: stow login"
    elif error.status == 403:
        more = " Sign in again with the scope that is missing: stow login --scope …"
    return f"{error.message or error.code}{more}"
