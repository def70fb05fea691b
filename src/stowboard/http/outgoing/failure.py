"""Why a request that we wanted to make got no answer."""

from enum import StrEnum


class OutgoingReason(StrEnum):
    #: The address may not be asked at all; nothing was sent.
    FORBIDDEN = "forbidden"
    #: The name has no address.
    NAME = "name"
    CONNECT = "connect"
    TLS = "tls"
    TIMEOUT = "timeout"
    #: What came back was not HTTP, or was cut off.
    PROTOCOL = "protocol"
    TOO_LARGE = "too_large"


class OutgoingFailed(Exception):
    """No answer, or none that may be used. The text is written to the person who named the address."""

    def __init__(self, reason: OutgoingReason, text: str) -> None:
        super().__init__(text)
        self.reason = reason
