"""The one place that reads the wall clock, so that tests can move it.

Callers write `clock.now_ms()`, never `from clock import now_ms`: a test replaces the attribute of this module.
"""

import time


def now_ms() -> int:
    """Milliseconds since the epoch, the unit of every timestamp in the API."""
    return time.time_ns() // 1_000_000
