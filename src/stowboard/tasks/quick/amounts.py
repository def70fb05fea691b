"""Amounts of time: `3 days`, `an hour`, `30min`."""

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date, timedelta
from enum import StrEnum

import msgspec

from stowboard.tasks.quick.match import LineMatch


class Unit(StrEnum):
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


UNITS = {
    "minute": Unit.MINUTE, "minutes": Unit.MINUTE, "min": Unit.MINUTE, "mins": Unit.MINUTE,
    "hour": Unit.HOUR, "hours": Unit.HOUR, "hr": Unit.HOUR, "hrs": Unit.HOUR, "h": Unit.HOUR,
    "day": Unit.DAY, "days": Unit.DAY, "week": Unit.WEEK, "weeks": Unit.WEEK,
    "month": Unit.MONTH, "months": Unit.MONTH, "year": Unit.YEAR, "years": Unit.YEAR,
}  # fmt: skip
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_DIGITS = re.compile(r"[0-9]{1,3}")
#: `30m` is left out: it may be minutes, months or metres.
_TOGETHER = re.compile(r"([0-9]{1,3})(min|mins|h|hr|hrs)")


class Amount(msgspec.Struct, frozen=True):
    number: int
    unit: Unit

    @property
    def exact(self) -> timedelta | None:
        """The same span of time wherever it begins; None for days and longer, which follow the calendar."""
        if self.unit is Unit.MINUTE:
            return timedelta(minutes=self.number)
        return timedelta(hours=self.number) if self.unit is Unit.HOUR else None


def read_amount(words: Sequence[str]) -> LineMatch[Amount] | None:
    if not words:
        return None
    together = _TOGETHER.fullmatch(words[0])
    if together and int(together[1]):
        return LineMatch(1, Amount(int(together[1]), UNITS[together[2]]))
    number = read_number(words[0])
    if number is None or len(words) < 2 or words[1] not in UNITS:
        return None
    return LineMatch(2, Amount(number, UNITS[words[1]]))


def read_amount_ahead(words: Sequence[str]) -> LineMatch[Amount] | None:
    """`in 3 days`."""
    amount = read_amount(words[1:]) if words and words[0] == "in" else None
    return amount.after(1) if amount else None


def read_number(word: str) -> int | None:
    """1 to 999, in digits or up to twelve in words."""
    if _DIGITS.fullmatch(word):
        return int(word) or None
    return _NUMBERS.get(word)


def day_after(day: date, amount: Amount) -> date:
    """The day that is this much later; in a month that is too short, its last day. Raises OverflowError."""
    if amount.unit is Unit.DAY:
        return day + timedelta(days=amount.number)
    if amount.unit is Unit.WEEK:
        return day + timedelta(weeks=amount.number)
    months = amount.number * (12 if amount.unit is Unit.YEAR else 1)
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    if year > date.max.year:
        raise OverflowError
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
