"""The next due date of a recurring task.

A series is made of wall-clock times in the task's zone: the first due date gives its start and its time of day, the
rule gives its days. Days are found a month, a week or a year at a time, and the search starts near the date after which
it looks, so neither an old series nor a distant date costs more. Only the last step turns a wall time into an instant:
09:00 stays 09:00 all through the year. A time that the clock skips is taken with the offset before the gap (02:30 is
03:30 that day). If a time comes twice, the first is meant.

A day of the month that is not written in the rule but comes from the first due date is clamped to the month: the 31st
of January, the 28th of February, the 31st of March. A written BYMONTHDAY=31 is RFC 5545's: other months are left out.

What is not promised: an occurrence more than forty years and ten periods away. The search ends there, and so does the
series, as it does with the year 9999. That is what bounds the work for every rule.
"""

from calendar import isleap, monthrange
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from stowboard.core.clock import LATEST_MS
from stowboard.core.time_zones import EPOCH, instant_of, milliseconds, wall_of, zone_of
from stowboard.tasks.recurrence.rrule import Freq, RecurrenceRule, SeriesEnd, WrongRecurrence, parse_rule

__all__ = ["WrongRecurrence", "check_rule", "first_day", "next_due", "next_from_completion"]

#: Zones have moved by up to a day across the date line, and a wall time may be skipped by as much.
_MARGIN = timedelta(days=2)
_PERIODS_IN_FORTY_YEARS = {Freq.DAILY: 480, Freq.WEEKLY: 2088, Freq.MONTHLY: 480, Freq.YEARLY: 40}
_PERIODS_AT_LEAST = 10


def check_rule(text: str, time_zone: str, anchor_ms: int | None) -> str:
    """The rule in its one form. Raises WrongRecurrence if it is wrong, or if nothing would follow the first due date.

    Without a due date, INTERVAL has nothing to count from: a rule is then refused only if it never happens at all.
    """
    rule = parse_rule(text)
    if not _repeats(rule, zone_of(time_zone), anchor_ms):
        raise WrongRecurrence("It does not happen again in the forty years after the first due date.")
    return str(rule)


def next_due(
    rule: str, time_zone: str, anchor_ms: int | None, due_ms: int | None, now_ms: int, completed: int
) -> int | None:
    """The first occurrence after both the due date and now; None when the series is over.

    `completed` counts the occurrences that are done, the present one included. A series without a due date starts again
    at this moment.
    """
    parsed = parse_rule(rule)
    if parsed.count is not None and completed >= parsed.count:
        return None
    after_ms = now_ms if due_ms is None else max(due_ms, now_ms)
    start_ms = next(given for given in (anchor_ms, due_ms, now_ms) if given is not None)
    zone = zone_of(time_zone)
    try:
        return _first_after(parsed, zone, wall_of(zone, start_ms), after_ms)
    except OverflowError:
        return None  # the zone's wall clock has left the year 9999


def next_from_completion(rule: str, time_zone: str, due_ms: int | None, now_ms: int, completed: int) -> int | None:
    """The same for a series that starts again on the day of its completion, at the time of day at which it was due."""
    zone = zone_of(time_zone)
    try:
        start = wall_of(zone, now_ms)
        if due_ms is not None:
            start = datetime.combine(start.date(), wall_of(zone, due_ms).time())
        start_ms = instant_of(zone, start)
    except OverflowError:
        return None
    return next_due(rule, time_zone, start_ms, start_ms, now_ms, completed)


def first_day(rule: RecurrenceRule, start: date) -> date | None:
    """The first day on or after this one that the rule names, whatever its interval."""
    days = _days_of_series(replace(rule, interval=1), start, start)
    return next(map(date.fromordinal, days), None)


def _repeats(rule: RecurrenceRule, zone: ZoneInfo, anchor_ms: int | None) -> bool:
    if anchor_ms is None:
        return any(_days_of_series(replace(rule, interval=1), EPOCH.date(), EPOCH.date()))
    try:
        first = wall_of(zone, anchor_ms).date()
    except OverflowError:
        return False
    return any(day > first.toordinal() for day in _days_of_series(rule, first, first))


def _first_after(rule: RecurrenceRule, zone: ZoneInfo, start: datetime, after_ms: int) -> int | None:
    near = wall_of(zone, after_ms) - _MARGIN
    for day in _days_of_series(rule, start.date(), near.date()):
        wall = datetime.combine(date.fromordinal(day), start.time())
        instant = instant_of(zone, wall)
        if instant > after_ms:
            return instant if instant <= LATEST_MS and _is_before_end(rule.until, wall, instant) else None
    return None


def _is_before_end(until: SeriesEnd | None, wall: datetime, instant: int) -> bool:
    if until is None:
        return True
    if until.utc:
        return instant // 1000 <= milliseconds(until.last) // 1000
    return wall.replace(microsecond=0) <= until.last


def _days_of_series(rule: RecurrenceRule, first: date, near: date) -> Iterator[int]:
    """The days of the series in order, as ordinals, from the period in which `near` is."""
    origin, last = _period_of(rule, first), _period_of(rule, date.max)
    step = 1 if rule.freq is Freq.DAILY else rule.interval  # the days of a DAILY rule are found by the month
    begin = origin + max(0, _period_of(rule, near) - origin) // step * step
    periods = _PERIODS_IN_FORTY_YEARS[rule.freq] // step + _PERIODS_AT_LEAST
    for period in range(begin, min(begin + periods * step, last + 1), step):
        days = _DAYS_OF_PERIOD[rule.freq](rule, first, period)
        yield from (day for day in _at_positions(rule, days) if day >= first.toordinal())


def _period_of(rule: RecurrenceRule, day: date) -> int:
    if rule.freq is Freq.YEARLY:
        return day.year
    if rule.freq is Freq.WEEKLY:
        return (day.toordinal() + 6 - rule.week_start) // 7  # ordinal 1 is a Monday
    return 12 * day.year + day.month - 1


def _days_by_the_day(rule: RecurrenceRule, first: date, period: int) -> list[int]:
    return [day for day in _days_of_month(rule, first, period) if (day - first.toordinal()) % rule.interval == 0]


def _days_of_week(rule: RecurrenceRule, first: date, period: int) -> list[int]:
    monday = 7 * period - 6
    week_days = {week_day for _, week_day in rule.week_days} or {first.weekday()}
    days = (monday + rule.week_start + offset for offset in range(7))
    return [
        day
        for day in days
        if (day + 6) % 7 in week_days
        and day <= date.max.toordinal()
        and (not rule.months or date.fromordinal(day).month in rule.months)
    ]


def _days_of_month(rule: RecurrenceRule, first: date, period: int) -> list[int]:
    year, month = period // 12, period % 12 + 1
    if rule.months and month not in rule.months:
        return []
    days = _numbered_days(rule, first, year, month)
    return _on_week_days(rule, days, date(year, month, 1).toordinal(), monthrange(year, month)[1])


def _days_of_year(rule: RecurrenceRule, first: date, year: int) -> list[int]:
    if rule.week_days and not rule.months:
        # The nth weekday is counted within the year.
        days = [day for month in range(1, 13) for day in _numbered_days(rule, first, year, month)]
        return _on_week_days(rule, days, date(year, 1, 1).toordinal(), 365 + isleap(year))
    months = sorted(rule.months) or (range(1, 13) if rule.month_days else [first.month])
    return [day for month in months for day in _days_of_month(rule, first, 12 * year + month - 1)]


def _numbered_days(rule: RecurrenceRule, first: date, year: int, month: int) -> list[int]:
    """The days of a month by their number alone."""
    length = monthrange(year, month)[1]
    numbers: Iterable[int] = range(1, length + 1)
    if rule.month_days:
        numbers = sorted({number if number > 0 else length + 1 + number for number in rule.month_days})
    elif not rule.week_days and rule.freq is not Freq.DAILY:
        numbers = [min(first.day, length)]
    before = date(year, month, 1).toordinal() - 1
    return [before + number for number in numbers if 1 <= number <= length]


def _on_week_days(rule: RecurrenceRule, days: list[int], begin: int, length: int) -> list[int]:
    """The days that BYDAY takes; an nth weekday is counted within this span."""
    if not rule.week_days:
        return days
    taken: set[int] = set()
    for which, week_day in rule.week_days:
        same = range(begin + (week_day - begin + 1) % 7, begin + length, 7)  # ordinal 1 is a Monday
        if which == 0:
            taken.update(same)
        elif abs(which) <= len(same):
            taken.add(same[which - 1 if which > 0 else which])
    return [day for day in days if day in taken]


def _at_positions(rule: RecurrenceRule, days: list[int]) -> list[int]:
    if not rule.positions or rule.freq is Freq.DAILY:  # a day's only occurrence is its first and its last
        return days
    size = len(days)
    return sorted({days[at - 1 if at > 0 else at] for at in rule.positions if abs(at) <= size})


_DAYS_OF_PERIOD: dict[Freq, Callable[[RecurrenceRule, date, int], list[int]]] = {
    Freq.DAILY: _days_by_the_day,
    Freq.WEEKLY: _days_of_week,
    Freq.MONTHLY: _days_of_month,
    Freq.YEARLY: _days_of_year,
}
