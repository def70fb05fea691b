"""One line that says what runs and how long is left; where there is no terminal, one line per step."""

from __future__ import annotations

import sys
import time


class Progress:
    """`expected` is the whole run's length in seconds, as the suites add it up."""

    def __init__(self, expected: float) -> None:
        self._ends = time.monotonic() + expected
        self._terminal = sys.stderr.isatty()

    def say(self, what: str) -> None:
        left = max(0, round(self._ends - time.monotonic()))
        line = f"{what}: about {left // 60}:{left % 60:02} left"
        sys.stderr.write(f"\r\033[K{line}" if self._terminal else f"{line}\n")
        sys.stderr.flush()

    def done(self) -> None:
        if self._terminal:
            sys.stderr.write("\r\033[K")
