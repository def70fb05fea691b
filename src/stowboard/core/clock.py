"""The one place that reads the wall clock, so that tests can move it.

Callers write `clock.now_ms()`, never `from clock import now_ms`: a test replaces the attribute of this module.
"""

import time
from typing import Annotated

from msgspec import Meta

from stowboard.core.wording import EXPECTED

#: The last millisecond of the year 9999, the latest that a timestamp may be.
LATEST_MS = 253_402_300_799_999
#: The largest integer that JavaScript holds exactly.
LARGEST_NUMBER = 2**53 - 1
#: As a member of a body or a query.
Timestamp = Annotated[
    int,
    Meta(
        ge=0, le=LATEST_MS, description="Milliseconds since 1970, UTC.",
        extra={EXPECTED: f"milliseconds since 1970 (UTC), an integer from 0 to {LATEST_MS}"},
    ),
]  # fmt: skip


def now_ms() -> int:
    """Milliseconds since the epoch, the unit of every timestamp in the API."""
    return time.time_ns() // 1_000_000
