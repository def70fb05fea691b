"""The recurrence rules that are taken: the part of RFC 5545's RRULE that repeats by the day or slower.

A rule is read once, checked part by part, and written back in one form: parts in a fixed order, lists sorted, defaults
left out. Rules below a day are refused, so that no rule has more than 366 occurrences in a year. Some rules have no
date after their start; `expansion.py` finds that out.
"""

import re
from datetime import datetime
from enum import StrEnum
from functools import lru_cache

import msgspec

LONGEST_RULE = 200

_PREFIX = "RRULE:"
_PARTS = ["FREQ", "INTERVAL", "BYMONTH", "BYMONTHDAY", "BYDAY", "BYSETPOS", "WKST", "COUNT", "UNTIL"]
_WEEK = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
_WEEK_DAY = re.compile(r"([+-]?[0-9]{1,2})?(MO|TU|WE|TH|FR|SA|SU)")
_NUMBER = re.compile(r"[+-]?[0-9]{1,4}")
_UNTIL = re.compile(r"[0-9]{8}(T[0-9]{6}Z?)?")
_DAYS_OF_MONTHS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]


class WrongRecurrence(ValueError):
    """The rule cannot be used; the text says why, as a sentence to the author of the rule."""


class Freq(StrEnum):
    DAILY = "DAILY"
    WEEKLY = "WEEKLY"
    MONTHLY = "MONTHLY"
    YEARLY = "YEARLY"


class SeriesEnd(msgspec.Struct, frozen=True):
    """The last second at which an occurrence may be, on the wall clock or, with `utc`, in UTC."""

    text: str
    last: datetime
    utc: bool


class RecurrenceRule(msgspec.Struct, frozen=True):
    freq: Freq
    interval: int = 1
    months: frozenset[int] = frozenset()
    month_days: frozenset[int] = frozenset()
    #: (which, weekday): every Monday is (0, 0), the third Friday (3, 4), the last Sunday (-1, 6).
    week_days: frozenset[tuple[int, int]] = frozenset()
    positions: frozenset[int] = frozenset()
    week_start: int = 0
    count: int | None = None
    until: SeriesEnd | None = None

    def __str__(self) -> str:
        parts = {
            "FREQ": str(self.freq),
            "INTERVAL": str(self.interval) if self.interval > 1 else "",
            "BYMONTH": _joined(self.months),
            "BYMONTHDAY": _joined(self.month_days),
            "BYDAY": ",".join(f"{which or ''}{_WEEK[day]}" for which, day in sorted(self.week_days)),
            "BYSETPOS": _joined(self.positions),
            "WKST": _WEEK[self.week_start] if self.week_start else "",
            "COUNT": str(self.count or ""),
            "UNTIL": self.until.text if self.until else "",
        }
        return ";".join(f"{name}={value}" for name, value in parts.items() if value)


@lru_cache(maxsize=1024)
def parse_rule(text: str) -> RecurrenceRule:
    """Raises WrongRecurrence."""
    parts = _split(text)
    rule = RecurrenceRule(
        freq=_freq(parts),
        interval=_number(parts, "INTERVAL", 1, 999) or 1,
        months=_numbers(parts, "BYMONTH", 1, 12),
        month_days=_numbers(parts, "BYMONTHDAY", -31, 31),
        week_days=_week_days(parts),
        positions=_numbers(parts, "BYSETPOS", -366, 366),
        week_start=_week_start(parts),
        count=_number(parts, "COUNT", 1, 9999),
        until=_until(parts),
    )
    _refuse_two_ends(rule)
    _refuse_nth_day(rule)
    _refuse_month_days_of_weeks(rule)
    _refuse_positions_in_nothing(rule)
    _refuse_dates_that_do_not_exist(rule)
    return rule


def _split(text: str) -> dict[str, str]:
    rule = text.strip().upper().removeprefix(_PREFIX) if text.isascii() else text
    if len(rule) > LONGEST_RULE:
        raise WrongRecurrence(f"A rule has at most {LONGEST_RULE} characters.")
    if re.fullmatch(r"[A-Z0-9=;,+-]+", rule) is None:
        raise WrongRecurrence("A rule is written like FREQ=WEEKLY;BYDAY=MO,TH, with nothing but its parts.")
    parts: dict[str, str] = {}
    for part in rule.split(";"):
        name, equals, value = part.partition("=")
        if not equals or not value or "=" in value:
            raise WrongRecurrence(f"{part or 'An empty part'} is not of the form NAME=value.")
        if name not in _PARTS:
            raise WrongRecurrence(f"{name or 'A part without a name'} is not taken; the parts are {', '.join(_PARTS)}.")
        if name in parts:
            raise WrongRecurrence(f"{name} is given twice.")
        parts[name] = value
    return parts


def _freq(parts: dict[str, str]) -> Freq:
    if "FREQ" not in parts:
        raise WrongRecurrence("FREQ is missing; it is DAILY, WEEKLY, MONTHLY or YEARLY.")
    try:
        return Freq(parts["FREQ"])
    except ValueError:
        raise WrongRecurrence(f"FREQ={parts['FREQ']} is not taken; it is DAILY, WEEKLY, MONTHLY or YEARLY.") from None


def _number(parts: dict[str, str], name: str, lowest: int, highest: int) -> int | None:
    return _one_number(name, parts[name], lowest, highest) if name in parts else None


def _numbers(parts: dict[str, str], name: str, lowest: int, highest: int) -> frozenset[int]:
    if name not in parts:
        return frozenset()
    return frozenset(_one_number(name, value, lowest, highest) for value in parts[name].split(","))


def _one_number(name: str, text: str, lowest: int, highest: int) -> int:
    number = int(text) if _NUMBER.fullmatch(text) else 0
    if number == 0 or not lowest <= number <= highest:
        span = f"{lowest} to {highest}" if lowest > 0 else f"1 to {highest}, or as far below zero, counted from the end"
        raise WrongRecurrence(f"{name} has {text or 'an empty item'}; it takes {span}.")
    return number


def _week_days(parts: dict[str, str]) -> frozenset[tuple[int, int]]:
    days = set()
    for text in parts["BYDAY"].split(",") if "BYDAY" in parts else []:
        found = _WEEK_DAY.fullmatch(text)
        if found is None or (found[1] is not None and int(found[1]) == 0):
            raise WrongRecurrence(f"BYDAY has {text or 'an empty item'}; it takes days like MO, 3FR or -1SU.")
        days.add((int(found[1] or 0), _WEEK.index(found[2])))
    return frozenset(days)


def _week_start(parts: dict[str, str]) -> int:
    day = parts.get("WKST", "MO")
    if day not in _WEEK:
        raise WrongRecurrence(f"WKST={day} is not a day; it is one of {', '.join(_WEEK)}.")
    return _WEEK.index(day)


def _until(parts: dict[str, str]) -> SeriesEnd | None:
    text = parts.get("UNTIL")
    if text is None:
        return None
    try:
        if _UNTIL.fullmatch(text) is None:
            raise ValueError
        whole_day = "" if "T" in text else "T235959"
        return SeriesEnd(text, datetime.fromisoformat(text.removesuffix("Z") + whole_day), text.endswith("Z"))
    except ValueError:
        wanted = "a date like 20301231, 20301231T090000 or 20301231T090000Z"
        raise WrongRecurrence(f"UNTIL={text} is not {wanted}.") from None


def _refuse_two_ends(rule: RecurrenceRule) -> None:
    if rule.count is not None and rule.until is not None:
        raise WrongRecurrence("COUNT and UNTIL exclude each other; give one of them.")


def _refuse_nth_day(rule: RecurrenceRule) -> None:
    """The nth weekday is counted within a month, or within the year where no month is named."""
    furthest = max((abs(which) for which, _ in rule.week_days), default=0)
    if furthest and rule.freq in (Freq.DAILY, Freq.WEEKLY):
        raise WrongRecurrence(f"BYDAY takes no numbers with FREQ={rule.freq}; they count within a month or a year.")
    most = 53 if rule.freq is Freq.YEARLY and not rule.months else 5
    if furthest > most:
        raise WrongRecurrence(f"BYDAY counts to {furthest}; there are at most {most} of a day to count there.")


def _refuse_month_days_of_weeks(rule: RecurrenceRule) -> None:
    if rule.freq is Freq.WEEKLY and rule.month_days:
        raise WrongRecurrence("BYMONTHDAY does not go with FREQ=WEEKLY; use BYDAY, or FREQ=MONTHLY.")


def _refuse_positions_in_nothing(rule: RecurrenceRule) -> None:
    if not rule.positions:
        return
    if not (rule.months or rule.month_days or rule.week_days):
        raise WrongRecurrence("BYSETPOS needs BYDAY, BYMONTHDAY or BYMONTH to choose from.")
    nearest, most = min(map(abs, rule.positions)), _most_in_a_period(rule)
    if nearest > most:
        raise WrongRecurrence(f"BYSETPOS asks for number {nearest}; the rule gives at most {most} to choose from.")


def _most_in_a_period(rule: RecurrenceRule) -> int:
    """An upper bound of the occurrences that one day, week, month or year of the rule can have."""
    if rule.freq is Freq.DAILY:
        return 1
    if rule.freq is Freq.WEEKLY:
        return max(1, len(rule.week_days))
    months = 1 if rule.freq is Freq.MONTHLY else len(rule.months) or 12
    most = [31 * months] if rule.month_days or rule.week_days else [months]
    if rule.month_days:
        most.append(months * len(rule.month_days))
    if rule.week_days:
        in_year = rule.freq is Freq.YEARLY and not rule.months
        every, single = (53, 1) if in_year else (5 * months, months)
        most.append(sum(single if which else every for which, _ in rule.week_days))
    return min(most)


def _refuse_dates_that_do_not_exist(rule: RecurrenceRule) -> None:
    if not rule.months or not rule.month_days:
        return
    if min(map(abs, rule.month_days)) > max(_DAYS_OF_MONTHS[month - 1] for month in rule.months):
        raise WrongRecurrence("No month in BYMONTH has a day in BYMONTHDAY, so this never happens.")


def _joined(numbers: frozenset[int]) -> str:
    return ",".join(map(str, sorted(numbers)))
