"""The due date, the reminder and the recurrence of a task, from the pieces of its line.

A day without a time is a day. A time without a day is today's if that is still to come, else tomorrow's. Days of a
repetition are found from the given day on, else from today on. Only the last step turns a wall time into an instant, as
in a series: a time that the clock skips has the offset before the gap; if a time comes twice, the first is meant.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, TypeVar

import msgspec

from stowboard.core.clock import LATEST_MS
from stowboard.core.time_zones import end_of_day, instant_of, wall_of, zone_of
from stowboard.tasks.base.task import DAY_BEGINS
from stowboard.tasks.quick.amounts import Amount, Unit
from stowboard.tasks.quick.reminders import LineReminder
from stowboard.tasks.quick.repeats import LineRepeat, RepeatEnd
from stowboard.tasks.quick.span import LinePiece, SpanKind
from stowboard.tasks.recurrence.expansion import WrongRecurrence, check_rule, first_day
from stowboard.tasks.recurrence.rrule import parse_rule

T = TypeVar("T")
_MINUTE = 60_000
_DAY = timedelta(days=1)
_DUE = {SpanKind.DATE, SpanKind.TIME, SpanKind.MOMENT, SpanKind.REPEAT, SpanKind.UNTIL}
_SERIES = {SpanKind.REPEAT, SpanKind.UNTIL}


class LineSchedule(msgspec.Struct, frozen=True):
    due_at: int | None = None
    #: If it is set, `due_at` is the end of this day.
    due_on: date | None = None
    reminder: int | None = None
    recurrence: str | None = None


class _Unusable(Exception):
    """Pieces of these kinds cannot be meant."""

    def __init__(self, kinds: set[SpanKind]) -> None:
        self.kinds = kinds


def scheduled(pieces: Sequence[LinePiece], now: int, time_zone: str) -> tuple[LineSchedule, Sequence[LinePiece]]:
    """The schedule, and the pieces that made it. A piece that can make none is left out, such as an impossible rule."""
    try:
        return _schedule({piece.kind: piece.value for piece in pieces}, now, time_zone), pieces
    except _Unusable as unusable:
        return scheduled([piece for piece in pieces if piece.kind not in unusable.kinds], now, time_zone)


def _schedule(said: dict[SpanKind, Any], now: int, time_zone: str) -> LineSchedule:
    clock = _Clock(now, time_zone)
    day: date | None = None
    due: int | None
    from_due: int | None
    if SpanKind.MOMENT in said or SpanKind.TIME in said:
        due = from_due = _usable(_DUE, lambda: _moment(said, clock))
    else:
        day = _usable(_DUE, lambda: _day(said, clock))
        due = _usable(_DUE, lambda: clock.end(day))
        from_due = _usable(_DUE, lambda: None if day is None else clock.instant(day, DAY_BEGINS))
    rule = _rule(said, clock, due)
    reminder = _usable({SpanKind.REMINDER}, lambda: _reminder(said.get(SpanKind.REMINDER), clock, from_due))
    return LineSchedule(due, day, reminder, rule)


def _moment(said: dict[SpanKind, Any], clock: "_Clock") -> int:
    if SpanKind.MOMENT in said:
        return clock.ahead(said[SpanKind.MOMENT])
    at: time = said[SpanKind.TIME]
    day = _day(said, clock)
    repeat: LineRepeat | None = said.get(SpanKind.REPEAT)
    if day is None or (repeat and not repeat.first and SpanKind.DATE not in said):
        return clock.next(at)
    if repeat and repeat.first and SpanKind.DATE not in said and clock.instant(day, at) <= clock.now:
        day = _first(repeat.first, clock.today + _DAY)
    return clock.instant(day, at)


def _day(said: dict[SpanKind, Any], clock: "_Clock") -> date | None:
    """The day that is said, or the first one of a repetition: today at the earliest."""
    repeat: LineRepeat | None = said.get(SpanKind.REPEAT)
    day: date | None = said.get(SpanKind.DATE)
    if repeat is None:
        return day
    return _first(repeat.first, day or clock.today) if repeat.first else day or clock.today


def _first(rule: str, day: date) -> date:
    found = first_day(parse_rule(rule), day)
    if found is None:
        raise OverflowError
    return found


def _rule(said: dict[SpanKind, Any], clock: "_Clock", due: int | None) -> str | None:
    repeat: LineRepeat | None = said.get(SpanKind.REPEAT)
    if repeat is None or due is None:
        return None
    until: RepeatEnd | None = said.get(SpanKind.UNTIL)
    if until and until.last and until.last < clock.wall(due).date():
        raise _Unusable(_SERIES)
    try:
        return check_rule(f"{repeat.rule};{until.part}" if until else repeat.rule, clock.time_zone, due)
    except WrongRecurrence:
        raise _Unusable(_SERIES) from None


def _reminder(asked: LineReminder | None, clock: "_Clock", due: int | None) -> int | None:
    if asked is None:
        return None
    if asked.ahead is not None:
        return clock.ahead(asked.ahead)
    if asked.before is not None:
        return clock.before(due, asked.before)
    assert asked.at is not None
    day = asked.day or (clock.wall(due).date() if due is not None else None)
    return clock.instant(day, asked.at) if day else clock.next(asked.at)


class _Clock:
    """A moment, and what the wall clock shows around it. All may raise OverflowError."""

    def __init__(self, now: int, time_zone: str) -> None:
        self.now, self.time_zone, self._zone = now, time_zone, zone_of(time_zone)
        self.today = self.wall(now).date()

    def wall(self, instant: int) -> datetime:
        return wall_of(self._zone, instant)

    def instant(self, day: date, at: time) -> int:
        return instant_of(self._zone, datetime.combine(day, at))

    def end(self, day: date | None) -> int | None:
        return None if day is None else end_of_day(self._zone, day)

    def next(self, at: time) -> int:
        """The next moment at which the wall clock shows this."""
        today = self.instant(self.today, at)
        return today if today > self.now else self.instant(self.today + _DAY, at)

    def ahead(self, amount: Amount) -> int:
        """Whole minutes from now."""
        assert amount.exact is not None
        return (self.now + amount.exact // timedelta(milliseconds=1)) // _MINUTE * _MINUTE

    def before(self, due: int | None, amount: Amount) -> int:
        """Days before are days of the calendar, at the same time of day."""
        if due is None:
            raise OverflowError
        if amount.exact is not None:
            return due - amount.exact // timedelta(milliseconds=1)
        days = amount.number * (7 if amount.unit is Unit.WEEK else 1)
        return instant_of(self._zone, self.wall(due) - timedelta(days=days))


def _usable(kinds: set[SpanKind], find: Callable[[], T]) -> T:
    """A day, or a timestamp that the service takes. Raises _Unusable."""
    try:
        found = find()
    except (OverflowError, ValueError):
        raise _Unusable(kinds) from None
    if isinstance(found, int) and not 0 <= found <= LATEST_MS:
        raise _Unusable(kinds)
    return found
