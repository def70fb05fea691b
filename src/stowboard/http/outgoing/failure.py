"""The reasons why a request of ours got no answer."""

from enum import StrEnum


class OutgoingReason(StrEnum):
    #: The address may not be asked at all; nothing was sent.
    FORBIDDEN = "forbidden"
    #: The name has no address.
    NAME = "name"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    #: The answer was not HTTP, or was cut off.
    PROTOCOL = "protocol"
    TOO_LARGE = "too_large"


class OutgoingFailed(Exception):
    """There was no usable answer. The text is for the person who gave the address."""

    def __init__(self, reason: OutgoingReason, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def words_of(error: OSError) -> str:
    return error.strerror or type(error).__name__
