"""Times of day: `9am`, `at 9:30 pm`, `17:00`, `noon`.

`at 5` is not read, since it may be in the morning or in the afternoon; `midnight` may be at either end of its day.
"""

import re
from collections.abc import Sequence
from datetime import time

from stowboard.tasks.quick.match import LineMatch

_OF_TWELVE = re.compile(r"(1[0-2]|0?[1-9])(?::([0-5][0-9]))?(am|pm|a\.m|p\.m)?")
_OF_24 = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_HALVES = {"am": 0, "a.m": 0, "pm": 12, "p.m": 12}


def read_time(words: Sequence[str]) -> LineMatch[time] | None:
    lead = 1 if words and words[0] == "at" else 0
    found = _time(words[lead:])
    return found.after(lead) if found else None


def _time(words: Sequence[str]) -> LineMatch[time] | None:
    if not words:
        return None
    if words[0] == "noon":
        return LineMatch(1, time(12))
    twelve = _OF_TWELVE.fullmatch(words[0])
    if twelve and twelve[3]:
        return LineMatch(1, _in_half(twelve, twelve[3]))
    if twelve and len(words) > 1 and words[1] in _HALVES:
        return LineMatch(2, _in_half(twelve, words[1]))
    day = _OF_24.fullmatch(words[0])
    return LineMatch(1, time(int(day[1]), int(day[2]))) if day else None


def _in_half(found: re.Match[str], half: str) -> time:
    return time(int(found[1]) % 12 + _HALVES[half], int(found[2] or 0))
