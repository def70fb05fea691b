"""Checks whether what many clients saw of one value could have been seen by one client after the other.

A history has writes, each of a value of its own, and reads. It is linearizable if every operation can be given a moment
between its beginning and its end so that each read has the value of the last write before it. With values that are
written once there is a quick way to decide it (Gibbons and Korach, Testing Shared Memories, 1997): all operations of a
value form a zone from the first end to the last beginning among them. If that is a span of time in which the value must
have been current (a forward zone), no other such span may overlap it, and no value may have come and gone inside it.
"""

import itertools
import math
from collections import defaultdict
from typing import NamedTuple


class Operation(NamedTuple):
    value: str
    is_write: bool
    began: float
    ended: float  # infinite for a write whose answer was lost: it may take effect at any later time


class _Zone(NamedTuple):
    first_end: float
    last_begin: float
    value: str

    def is_forward(self) -> bool:
        """The value must have been current from the first end to the last beginning."""
        return self.first_end < self.last_begin


def find_anomaly(history: list[Operation]) -> str | None:
    """Why the history is not linearizable, or None. No value is written twice in it."""
    by_value: dict[str, list[Operation]] = defaultdict(list)
    for operation in history:
        by_value[operation.value].append(operation)
    zones = []
    for value, operations in by_value.items():
        if reason := _misread(operations):
            return f"{value} {reason}"
        if any(one.ended < math.inf for one in operations):
            zones.append(_Zone(min(one.ended for one in operations), max(one.began for one in operations), value))
    return _conflict(zones)


def _misread(operations: list[Operation]) -> str | None:
    writes = [one for one in operations if one.is_write]
    if not writes:
        return "was read and never written"
    early = [one for one in operations if one.ended < writes[0].began]
    return "was read before it was written" if early else None


def _conflict(zones: list[_Zone]) -> str | None:
    forward = sorted(zone for zone in zones if zone.is_forward())
    for one, other in itertools.pairwise(forward):
        if other.first_end < one.last_begin:
            return f"{one.value} and {other.value} were current at the same time"
    for zone in zones:
        if not zone.is_forward() and any(
            one.first_end < zone.last_begin and zone.first_end < one.last_begin for one in forward
        ):
            return f"{zone.value} came and went while another value was current"
    return None
