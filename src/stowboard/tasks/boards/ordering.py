"""The order of tasks in a lane: ranks, strings that sort bytewise in the order of the list.

A rank is a fraction in base 62, its digits after the point: "V" is 31/62. No rank ends in "0", so two different ranks
are two different fractions, and between any two there is another one. The column must compare bytes (COLLATE "C" in
PostgreSQL, BINARY in SQLite): a locale's order is not ours.

The first eight digits are wide enough for a clock in milliseconds. A task appended to a lane gets the time, with six
more digits for the moment in the millisecond and for chance, so appends need not wait for each other. Inserting again
and again at one spot makes ranks longer, one digit for about six inserts; a rank beyond MAX_RANK is not stored but made
room for: `plan_respread` gives the tasks around the spot new ranks, evenly spaced. Inserting at either end of a lane
never makes ranks longer.

What is not promised: that two transactions which look at the same neighbours get different ranks from `rank_between`.
They must hold the lane's lock, and the lane's unique index makes a mistake loud.
"""

import secrets
import time
from collections.abc import Sequence
from functools import lru_cache
from random import random

import msgspec

MAX_RANK = 32
#: The first `plan_respread` needs this many ranks on each side of the spot.
FIRST_REACH = 17

_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_BASE = len(_ALPHABET)
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]
_VALUE = {character: value for value, character in enumerate(_ALPHABET)}
_CLOCK_DIGITS = 8
_APPENDED = _CLOCK_DIGITS + 6
_LATEST = _BASE**_CLOCK_DIGITS - 1  # in the year 8888
#: After a rank that is not older than the clock: two transactions draw the same step once in 15 million, and 100,000
#: steps lead the clock by 13 ms.
_LARGEST_STEP = _BASE**4
#: A window is respread when its new ranks are this short. A larger one must become shorter, so that what it cost is
#: earned back before it is full again; without that, inserting on both sides of one task costs three times the writes.
_SMALLEST_WINDOW = 4
_ROOMY_SMALLEST = 20
_ROOMY_LARGE = 12


def rank_between(above: str | None, below: str | None) -> str:
    """The shortest rank between two neighbours, or one step of the clock outside the first or last of the lane."""
    if above is not None and below is not None:
        return _middle(above, below)
    if above is not None:
        return _step_up(above)
    if below is not None:
        return _step_down(below)
    return _ALPHABET[_BASE // 2]


def rank_at_end(last: str | None, now_ms: int) -> str:
    """A rank after `last`, the lane's present last, and after everything appended before this millisecond.

    It has 14 digits, also when the clock stands still or lags behind `last`.
    """
    now = _clock_digits(min(now_ms, _LATEST)) + _moment_digits() + _random_digits()
    if last is None or now > last:
        return now
    lowest = _number(last, _APPENDED) + 1  # above `last` even where that is longer
    appended = _never_zero_last(lowest + secrets.randbelow(_LARGEST_STEP))
    return _extend(last) if appended >= _BASE**_APPENDED else _text(appended, _APPENDED)


def spread(above: str | None, below: str | None, count: int) -> list[str]:
    """`count` ranks, evenly spaced between the two, with as few digits as are enough for all of them."""
    if above is not None and below is not None and above >= below:
        raise ValueError(f"{above!r} is not above {below!r}")
    digits = 0
    low, high = 0, 1
    while high - low <= count:
        digits += 1
        low = _number(above or "", digits)
        # A cut-off `below` is itself below it, so it may be used.
        high = _BASE**digits if below is None else _number(below, digits) + (len(below) > digits)
    return [_text(low + step * (high - low) // (count + 1), digits) for step in range(1, count + 1)]


class RespreadPlan(msgspec.Struct, frozen=True):
    """Write `moved` one by one in this order, then the new task with `rank`: no step meets a rank still in use."""

    moved: list[tuple[str, str]]  # from, to
    rank: str


class WiderReach(msgspec.Struct, frozen=True):
    """The tasks around the spot are too dense: read `reach` ranks on each side and plan again."""

    reach: int


def plan_respread(
    before: Sequence[str], after: Sequence[str], reach: int, own: str | None = None
) -> RespreadPlan | WiderReach:
    """Make room for one task between before[0] and after[0].

    Both sides hold up to `reach` ranks, the nearest first, as an index gives them; fewer mean that the lane ends there.
    The task itself is in neither; `own` is the rank that it holds in this lane until it is written, if any.
    """
    window, roomy = _SMALLEST_WINDOW, _ROOMY_SMALLEST
    while window < reach:
        ranks = _spread_window(before, after, window, own)
        whole_lane = len(before) <= window and len(after) <= window
        if whole_lane or max(map(len, ranks)) <= roomy:
            return _respread([*reversed(before[:window]), *after[:window]], ranks, len(before[:window]))
        window, roomy = window * 2, max(roomy - 1, _ROOMY_LARGE)
    return WiderReach(4 * (reach - 1) + 1)


def _middle(above: str, below: str) -> str:
    if above >= below:
        raise ValueError(f"{above!r} is not above {below!r}")
    at = 0
    while (low := _digit(above, at)) == (high := _digit(below, at)):
        at += 1
    if high - low > 1:
        return below[:at] + _ALPHABET[(low + high) // 2]
    if len(below) > at + 1:
        return below[: at + 1]
    return _extend(above.ljust(at + 1, "0"), at + 1)


def _extend(rank: str, start: int = 0) -> str:
    """The shortest rank after this one that keeps its first `start` digits."""
    at = start
    while (digit := _digit(rank, at)) == _BASE - 1:
        at += 1
    return rank[:at] + _ALPHABET[(digit + _BASE) // 2]


def _step_up(rank: str) -> str:
    later = _number(rank, _CLOCK_DIGITS) + 1
    return _text(later, _CLOCK_DIGITS) if later <= _LATEST else _extend(rank)


def _step_down(rank: str) -> str:
    number = _number(rank, _CLOCK_DIGITS)
    earlier = number if len(rank) > _CLOCK_DIGITS else number - 1
    return _text(earlier, _CLOCK_DIGITS) if earlier > 0 else _middle("", rank)


def _spread_window(before: Sequence[str], after: Sequence[str], window: int, own: str | None) -> list[str]:
    # At an end of the lane the window grows by two steps, at least one of them free. It stays near: ranks far ahead of
    # the clock would come after tasks that are appended meanwhile.
    first, last = min([*before, *after], default=None), max([*before, *after], default=None)
    above = before[window] if len(before) > window else rank_between(None, rank_between(None, first))
    below = after[window] if len(after) > window else rank_between(rank_between(last, None), None)
    count = len(before[:window]) + 1 + len(after[:window])
    ranks = spread(above, below, count)
    if own in ranks:
        # Nobody else may be given the rank that the task itself still holds.
        ranks = [rank for rank in spread(above, below, count + 1) if rank != own][:count]
    return ranks


def _respread(olds: list[str], ranks: list[str], spot: int) -> RespreadPlan:
    news = [*ranks[:spot], *ranks[spot + 1 :]]
    pairs = list(zip(olds, news, strict=True))
    # The lane's unique index is checked row by row. If the rank that a rising task takes is still held, a task above
    # it holds that rank and rises too. So the uppermost go first; for falling tasks it is the other way round.
    rising = [pair for pair in reversed(pairs) if pair[1] > pair[0]]
    falling = [pair for pair in pairs if pair[1] < pair[0]]
    return RespreadPlan(rising + falling, ranks[spot])


@lru_cache(8)
def _clock_digits(now_ms: int) -> str:
    return _text(now_ms, _CLOCK_DIGITS).ljust(_CLOCK_DIGITS, "0")


def _moment_digits() -> str:
    """Three digits: how much of the millisecond has passed. So tasks of one process are in the order they came."""
    pair, last = divmod(time.time_ns() % 1_000_000 * _BASE**3 // 1_000_000, _BASE)
    return _PAIRS[pair] + _ALPHABET[last]


def _random_digits() -> str:
    """Three random digits. They are no secret, and every new task needs them: the quick generator will do."""
    return _PAIRS[int(random() * len(_PAIRS))] + _ALPHABET[1 + int(random() * (_BASE - 1))]  # noqa: S311


def _never_zero_last(number: int) -> int:
    return number if number % _BASE else number + 1


def _digit(rank: str, at: int) -> int:
    return _VALUE[rank[at]] if at < len(rank) else 0


def _number(rank: str, digits: int) -> int:
    """The first `digits` digits as an integer."""
    number = 0
    for character in rank[:digits].ljust(digits, "0"):
        number = number * _BASE + _VALUE[character]
    return number


def _text(number: int, digits: int) -> str:
    characters = []
    for _ in range(digits):
        number, digit = divmod(number, _BASE)
        characters.append(_ALPHABET[digit])
    return "".join(reversed(characters)).rstrip("0")
