"""The reasons why a video cannot be played, in words for its uploader. Trying again would not help."""

from enum import StrEnum


class UnplayableReason(StrEnum):
    """`error.code` of a video that failed."""

    NOT_A_VIDEO = "not_a_video"
    MALFORMED = "malformed_video"
    UNSUPPORTED_CODEC = "unsupported_codec"
    TOO_LARGE = "video_too_large"
    TOO_LONG = "video_too_long"
    #: It needs more time, memory or space than any honest video of its size and length.
    LIMIT = "processing_limit"
    #: Not the video's fault, as far as we know: every attempt failed.
    GAVE_UP = "processing_failed"


class Unplayable(Exception):
    def __init__(self, reason: UnplayableReason, message: str) -> None:
        self.reason, self.message = reason, message
        super().__init__(f"{reason}: {message}")
