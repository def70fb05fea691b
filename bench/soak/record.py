"""The outcome of the soak's requests: latencies by kind and by window of time, lateness, faults.

Figures are kept as they come and put in order at the end, since sorting during the load would delay it. A request
belongs to the window in which it was due.
"""

from __future__ import annotations

import math
import time
from array import array
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from typing import Any

from bench.soak.mix import KINDS, Ask

WINDOW_SECONDS = 10.0
_FAULTS_SHOWN = 10


class Record:
    def __init__(self, starts: float, seconds: float) -> None:
        self._starts, self._seconds = starts, seconds
        windows = max(2, round(seconds / WINDOW_SECONDS))  # there are always halves to compare
        self._window_seconds = seconds / windows
        self._latencies = [[array("d") for _ in KINDS] for _ in range(windows)]
        self._lateness = array("d")
        self._faults: Counter[str] = Counter()
        self._last = starts

    def late(self, seconds: float) -> None:
        self._lateness.append(seconds)

    def answer(self, ask: Ask, due: float, now: float, fault: str | None) -> None:
        self._last = now
        window = min(int((due - self._starts) / self._window_seconds), len(self._latencies) - 1)
        self._latencies[window][ask.kind].append(now - due)
        if fault is not None:
            self._faults[fault] += 1

    def unanswered(self, count: int) -> None:
        if count:
            self._faults["no answer"] += count

    def summary(self) -> dict[str, Any]:
        """Everything in milliseconds, but `answered_seconds`, `cpu_seconds` and where windows begin."""
        every = list(chain.from_iterable(self._latencies))
        middle = (len(self._latencies) + 1) // 2
        return {
            "answers": sum(map(len, every)),
            "answered_seconds": self._last - self._starts,
            "errors": self._faults.total(),
            "faults": dict(self._faults.most_common(_FAULTS_SHOWN)),
            "all": _percentiles(every),
            "kinds": {
                name: _percentiles(window[kind] for window in self._latencies) for kind, name in enumerate(KINDS)
            },
            "windows": [
                {"at": number * self._window_seconds, **_percentiles(window)}
                for number, window in enumerate(self._latencies)
            ],
            "halves": [
                _percentiles(chain.from_iterable(half)) for half in (self._latencies[:middle], self._latencies[middle:])
            ],
            "late": _percentiles([self._lateness]),
            "cpu_seconds": time.process_time(),
        }


def _percentiles(parts: Iterable[array[float]]) -> dict[str, float | int | None]:
    values = sorted(chain.from_iterable(parts))
    return {
        "count": len(values),
        "p50": _percentile(values, 0.5),
        "p99": _percentile(values, 0.99),
        "p999": _percentile(values, 0.999),
        "most": _percentile(values, 1.0),
    }


def _percentile(values: list[float], share: float) -> float | None:
    """The value that this share of all does not exceed, in milliseconds."""
    if not values:
        return None
    return values[max(0, math.ceil(share * len(values)) - 1)] * 1000
