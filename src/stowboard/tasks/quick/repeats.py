"""Repetitions: `every day`, `every other fri`, `every mon and thu`, `every last day of the month`, `every 24 dec`.

`every!` counts from when the task is completed. Only what begins with one of the two is read: a `weekly report` is not.
`every second monday` is not read either, as it may be every other one or the second of each month; `every second monday
of the month` is.
"""

from collections.abc import Sequence
from datetime import date

import msgspec

from stowboard.tasks.quick.amounts import UNITS, Unit, read_number
from stowboard.tasks.quick.dates import WEEK_DAYS, read_date, read_day_of_year, read_nth
from stowboard.tasks.quick.match import LineMatch
from stowboard.tasks.quick.tokenise import EVERY_TIME

_FREQS = {Unit.DAY: "DAILY", Unit.WEEK: "WEEKLY", Unit.MONTH: "MONTHLY", Unit.YEAR: "YEARLY"}
_WEEK = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_GROUPS = {"weekday": "MO,TU,WE,TH,FR", "workday": "MO,TU,WE,TH,FR", "weekend": "SA,SU"}
_ORDINALS = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": -1,
}  # fmt: skip
_OF_THE_MONTH = (("of", "the", "month"), ("of", "each", "month"), ("of", "every", "month"))


class LineRepeat(msgspec.Struct, frozen=True):
    """A rule of RFC 5545 without its end. `first` is a rule that finds the first day, if the words name days.

    `every 31st` begins on a 31st and goes on by the month, so that no month is left out.
    """

    rule: str
    first: str | None = None
    #: Counted from when the task is completed, and not from when it was due.
    from_completion: bool = False


class RepeatEnd(msgspec.Struct, frozen=True):
    """The end of a repetition, as a part of its rule."""

    part: str
    last: date | None = None


def read_repeat(words: Sequence[str], today: date) -> LineMatch[LineRepeat] | None:
    if not words or words[0] not in ("every", EVERY_TIME):
        return None
    rest = words[1:]
    found = _by_day_of_year(rest, today) or _by_unit(rest) or _by_week_day(rest)
    found = found or _by_nth_week_day(rest) or _by_day_of_month(rest)
    if found and words[0] == EVERY_TIME:
        found = LineMatch(found.words, msgspec.structs.replace(found.value, from_completion=True))
    return found.after(1) if found else None


def read_until(words: Sequence[str], today: date) -> LineMatch[RepeatEnd] | None:
    """`until 24 dec`, `5 times`, `for 5 times`."""
    if words and words[0] == "until":
        day = read_date(words[1:], today)
        return LineMatch(1 + day.words, _until(day.value)) if day else None
    lead = 1 if words and words[0] == "for" else 0
    number = read_number(words[lead]) if lead + 1 < len(words) and words[lead + 1] == "times" else None
    return LineMatch(lead + 2, RepeatEnd(f"COUNT={number}")) if number else None


def unclear_repeat(words: Sequence[str]) -> int:
    """The number of words that say `every second monday`: no part of them is read alone."""
    if len(words) > 2 and words[0] in ("every", EVERY_TIME) and words[1] in _ORDINALS and words[2] in WEEK_DAYS:
        return 0 if _by_nth_week_day(words[1:]) else 3
    return 0


def _until(day: date) -> RepeatEnd:
    return RepeatEnd(f"UNTIL={day.isoformat().replace('-', '')}", day)


def _by_day_of_year(words: Sequence[str], today: date) -> LineMatch[LineRepeat] | None:
    """`24 dec`."""
    day = read_day_of_year(words, today)
    if day is None:
        return None
    return LineMatch(
        day.words, LineRepeat("FREQ=YEARLY", f"FREQ=YEARLY;BYMONTH={day.value.month};BYMONTHDAY={day.value.day}")
    )


def _by_unit(words: Sequence[str]) -> LineMatch[LineRepeat] | None:
    """`day`, `2 weeks`, `other month`, `2 weeks on mon and thu`."""
    interval, at = _interval(words)
    freq = _FREQS.get(UNITS[words[at]]) if at < len(words) and words[at] in UNITS else None
    if freq is None or (interval == 1 and words[at].endswith("s")):
        return None
    rule = f"FREQ={freq}" + (f";INTERVAL={interval}" if interval > 1 else "")
    days = _week_days(words[at + 2 :]) if freq == "WEEKLY" and words[at + 1 : at + 2] == ["on"] else None
    if days:
        return LineMatch(at + 2 + days.words, _on_days(f"{rule};BYDAY={days.value}"))
    return LineMatch(at + 1, LineRepeat(rule))


def _by_week_day(words: Sequence[str]) -> LineMatch[LineRepeat] | None:
    """`fri`, `mon and thu`, `other fri`, `weekday`."""
    if words and words[0] in _GROUPS:
        return LineMatch(1, _on_days(f"FREQ=WEEKLY;BYDAY={_GROUPS[words[0]]}"))
    other = 1 if words and words[0] == "other" else 0
    days = _week_days(words[other:])
    if days is None:
        return None
    return LineMatch(other + days.words, _on_days("FREQ=WEEKLY" + ";INTERVAL=2" * other + f";BYDAY={days.value}"))


def _by_nth_week_day(words: Sequence[str]) -> LineMatch[LineRepeat] | None:
    """`last fri`, `2nd tue of the month`."""
    if len(words) < 2 or words[0] not in _ORDINALS or words[1] not in WEEK_DAYS:
        return None
    which, said = _ORDINALS[words[0]], _of_the_month(words[2:])
    if not said and which not in (1, -1):
        return None
    return LineMatch(2 + said, _on_days(f"FREQ=MONTHLY;BYDAY={which}{_WEEK[WEEK_DAYS[words[1]]]}"))


def _by_day_of_month(words: Sequence[str]) -> LineMatch[LineRepeat] | None:
    """`15th`, `31st of the month` (the last day of a shorter one), `last day of the month`."""
    if list(words[:2]) == ["last", "day"]:
        return LineMatch(2 + _of_the_month(words[2:]), _on_days("FREQ=MONTHLY;BYMONTHDAY=-1"))
    number = read_nth(words[0]) if words else None
    if number is None or (words[1:2] and words[1] in (*WEEK_DAYS, *UNITS)):
        return None
    monthly = LineRepeat("FREQ=MONTHLY", f"FREQ=MONTHLY;BYMONTHDAY={number}")
    return LineMatch(1 + _of_the_month(words[1:]), monthly)


def _on_days(rule: str) -> LineRepeat:
    return LineRepeat(rule, rule)


def _interval(words: Sequence[str]) -> tuple[int, int]:
    """How many units lie between two occurrences, and how many words say so."""
    if words and words[0] == "other":
        return 2, 1
    number = read_number(words[0]) if words and words[0] not in ("a", "an") else None
    return (number, 1) if number else (1, 0)


def _week_days(words: Sequence[str]) -> LineMatch[str] | None:
    """Days of the week, with `and` or commas between them, as BYDAY takes them."""
    days: list[int] = []
    at = 0
    while True:
        linked = 1 if days and words[at : at + 1] and words[at] in ("and", "&") else 0
        if at + linked >= len(words) or words[at + linked] not in WEEK_DAYS:
            break
        days.append(WEEK_DAYS[words[at + linked]])
        at += 1 + linked
    return LineMatch(at, ",".join(_WEEK[day] for day in sorted(set(days)))) if days else None


def _of_the_month(words: Sequence[str]) -> int:
    return 3 if tuple(words[:3]) in _OF_THE_MONTH else 0
