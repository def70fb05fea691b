"""The steps that a conversation with the server asks of its driver.

A conversation is a generator. It yields what it needs next and is sent the outcome, so it does no input or output
itself, and the sync and the async client run the very same one.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TypeVar

import httpx2

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


#: The extension of a request whose answer is to be left open, if it is a success.
STREAM = "stowboard_client.stream"
#: The outcome of a request is its response, or the error instead of one; the outcome of a pause is None.
Step = httpx2.Request | Pause
Outcome = httpx2.Response | httpx2.RequestError | None
Steps = Generator[Step, Outcome, T]
