"""Days: `tomorrow`, `on fri`, `next week`, `in 3 days`, `24 dec`, `2026-12-24`; times: `9am`, `17:00`, `noon`.

A day without a year is the next one that there is, today included; a day of the week is the next one after today.
`12/24` and `24.12.` are not read, since people disagree on them. Nor is `at 5`, since it may be in the morning or in
the afternoon; `midnight` may be at either end of its day.
"""

import re
from collections.abc import Callable, Sequence
from datetime import date, time, timedelta

from stowboard.tasks.quick.amounts import day_after, read_amount_ahead
from stowboard.tasks.quick.match import LineMatch

WEEK_DAYS = {
    "mon": 0, "monday": 0, "tue": 1, "tues": 1, "tuesday": 1, "wed": 2, "wednesday": 2, "thu": 3, "thur": 3,
    "thurs": 3, "thursday": 3, "fri": 4, "friday": 4, "sat": 5, "saturday": 5, "sun": 6, "sunday": 6,
}  # fmt: skip
_MONTHS = {
    "jan": 1, "january": 1, "feb": 2, "february": 2, "mar": 3, "march": 3, "apr": 4, "april": 4, "may": 5, "jun": 6,
    "june": 6, "jul": 7, "july": 7, "aug": 8, "august": 8, "sep": 9, "sept": 9, "september": 9, "oct": 10,
    "october": 10, "nov": 11, "november": 11, "dec": 12, "december": 12,
}  # fmt: skip
#: These are ordinary words too. They are days with `on` and the like before them, with a time behind them, or as the
#: last word of the line.
_ALSO_WORDS = {"sun", "sat", "wed"}
_ARTICLES = {"the", "a"}
_LEADS = {"on", "by", "due", "starting"}
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DAY = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)?")
_NTH = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)")
_YEAR = re.compile(r"20[0-9]{2}|21[0-9]{2}")
#: At most this many years lie between one 29th of February and the next.
_LEAP_YEARS_APART = 8
_OF_TWELVE = re.compile(r"(1[0-2]|0?[1-9])(?::([0-5][0-9]))?(am|pm|a\.m|p\.m)?")
_OF_24 = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])")
_RANGE = re.compile(r"[0-9:.]+(?:am|pm)?[-\u2013][0-9:.]+(?:am|pm)?")
_HALVES = {"am": 0, "a.m": 0, "pm": 12, "p.m": 12}


def read_date(words: Sequence[str], today: date) -> LineMatch[date] | None:
    """Raises OverflowError past the last day that there is."""
    lead = 1 if words and words[0] in _LEADS else 0
    if lead and words[0] == "due" and words[1:2] and words[1] in ("on", "by"):
        lead = 2
    elif not lead and words and words[0] in _ALSO_WORDS and not _ends_or_has_time(words[1:]):
        return None
    for read in [*_READERS, _nth] if lead else _READERS:
        found = read(words[lead:], today)
        if found:
            return found.after(lead)
    return None


def read_day_of_year(words: Sequence[str], today: date) -> LineMatch[date] | None:
    """`24 dec`, `december 24th`; a year behind it is not read."""
    for number, month, size in _day_and_month(words):
        day = _next_day_of_year(today, month, number)
        if day:
            return LineMatch(size, day)
    return None


def read_nth(word: str) -> int | None:
    """`15th` as a day of the month."""
    found = _NTH.fullmatch(word)
    return int(found[1]) if found and 1 <= int(found[1]) <= 31 else None


def unclear_date(words: Sequence[str], today: date) -> int:
    """The number of words of which no part is read alone: `the sun`, or `this monday` after Monday is over."""
    if len(words) > 1 and words[0] in _ARTICLES and words[1] in _ALSO_WORDS:
        return 2
    over = list(words[:1]) == ["this"] and len(words) > 1 and words[1] in WEEK_DAYS
    return 2 if over and not read_date(words, today) else 0


def _ends_or_has_time(words: Sequence[str]) -> bool:
    """True if only tags and the like follow, or a time, or a range of times, which itself is not read."""
    others = [word for word in words if word[0] not in "#@!"]
    return not others or read_time(words) is not None or _RANGE.fullmatch(words[0]) is not None


def _near(words: Sequence[str], today: date) -> LineMatch[date] | None:
    """`today`, `tomorrow`."""
    ahead = {"today": 0, "tomorrow": 1, "tmrw": 1}.get(words[0]) if words else None
    return None if ahead is None else LineMatch(1, today + timedelta(days=ahead))


def _week_day(words: Sequence[str], today: date) -> LineMatch[date] | None:
    """`fri`, `this fri`, `next fri`: the next one, the one of this week, the one of the week after it."""
    which = words[0] if words and words[0] in ("this", "next") else ""
    at = 1 if which else 0
    if at >= len(words) or words[at] not in WEEK_DAYS:
        return None
    number, monday = WEEK_DAYS[words[at]], today - timedelta(days=today.weekday())
    if which == "this":
        day = monday + timedelta(days=number)
        return LineMatch(2, day) if day >= today else None
    if which == "next":
        return LineMatch(2, monday + timedelta(days=7 + number))
    return LineMatch(1, today + timedelta(days=(number - today.weekday() - 1) % 7 + 1))


def _next(words: Sequence[str], today: date) -> LineMatch[date] | None:
    """`next week`, `next month`, `next year`: the first day of it."""
    if len(words) < 2 or words[0] != "next":
        return None
    if words[1] == "week":
        return LineMatch(2, today + timedelta(days=7 - today.weekday()))
    if words[1] == "month":
        return LineMatch(2, date(today.year + today.month // 12, today.month % 12 + 1, 1))
    return LineMatch(2, date(today.year + 1, 1, 1)) if words[1] == "year" else None


def _in(words: Sequence[str], today: date) -> LineMatch[date] | None:
    """`in 3 days`."""
    amount = read_amount_ahead(words)
    if amount is None or amount.value.exact is not None:
        return None
    return LineMatch(amount.words, day_after(today, amount.value))


def _iso(words: Sequence[str], _today: date) -> LineMatch[date] | None:
    """`2026-12-24`."""
    if not words or not _ISO.fullmatch(words[0]):
        return None
    day = _day(*map(int, words[0].split("-")))
    return LineMatch(1, day) if day else None


def _day_of_year(words: Sequence[str], today: date) -> LineMatch[date] | None:
    """`24 dec`, `dec 24th`, `24 december 2026`."""
    for number, month, size in _day_and_month(words):
        if size < len(words) and _YEAR.fullmatch(words[size]):
            day = _day(int(words[size]), month, number)
            return LineMatch(size + 1, day) if day else None
    return read_day_of_year(words, today)


def _nth(words: Sequence[str], today: date) -> LineMatch[date] | None:
    """`the 15th`; without `on` and the like it may be the 15th of anything."""
    number = read_nth(words[1]) if len(words) > 1 and words[0] == "the" else None
    day = _next_nth(today, number) if number else None
    return LineMatch(2, day) if day else None


def _next_nth(today: date, number: int) -> date | None:
    """The next day with this number in its month, today included."""
    months = (divmod(12 * today.year + today.month - 1 + ahead, 12) for ahead in range(12))
    days = (_day(year, month + 1, number) for year, month in months)
    return next((day for day in days if day and day >= today), None)


def _day_and_month(words: Sequence[str]) -> list[tuple[int, int, int]]:
    """Day, month, and how many words they took."""
    if len(words) < 2:
        return []
    forms = [(words[0], words[1], 2), (words[1], words[0], 2)]
    if len(words) > 2 and words[1] == "of":
        forms.append((words[0], words[2], 3))
    days = [(_DAY.fullmatch(day), _MONTHS.get(month), size) for day, month, size in forms]
    return [(int(day[1]), month, size) for day, month, size in days if day and month]


def _next_day_of_year(today: date, month: int, number: int) -> date | None:
    days = (_day(today.year + ahead, month, number) for ahead in range(_LEAP_YEARS_APART + 1))
    return next((day for day in days if day and day >= today), None)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


_READERS: list[Callable[[Sequence[str], date], LineMatch[date] | None]] = [
    _near,
    _week_day,
    _next,
    _in,
    _iso,
    _day_of_year,
]


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
