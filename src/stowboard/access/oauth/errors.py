"""Errors in the shape that OAuth gives them: `{"error", "error_description"}`, or parameters of a redirect."""

from collections.abc import Sequence
from typing import NoReturn


class OAuthError(Exception):
    def __init__(
        self,
        error: str,
        description: str,
        status: int = 400,
        headers: Sequence[tuple[str, str]] = (),
        recorded: bool = False,
    ) -> None:
        super().__init__(description)
        self.error, self.description, self.status, self.headers = error, description, status, headers
        #: True if it is in the audit log already.
        self.recorded = recorded


class UntrustedRequest(Exception):
    """The request cannot be trusted, so its sender gets no answer. The text is for the person."""


def refuse_client() -> NoReturn:
    challenge = (("www-authenticate", 'Basic realm="stowboard"'),)
    raise OAuthError("invalid_client", "The client is unknown or its secret is wrong.", 401, challenge)
