"""Reminders: `remind me 30 min before`, `remind at 8am`, `remind me tomorrow 9am`, `remind in 2 hours`.

A reminder needs a time, or an amount of time before the due date. `remind me to call home` is a title.
"""

from collections.abc import Sequence
from datetime import date, time

import msgspec

from stowboard.tasks.quick.amounts import Amount, Unit, read_amount, read_amount_ahead
from stowboard.tasks.quick.dates import read_date, read_time
from stowboard.tasks.quick.match import LineMatch


class LineReminder(msgspec.Struct, frozen=True):
    """An amount of time before the due date or from now on, or a time on a day; without a day, on the due day."""

    before: Amount | None = None
    ahead: Amount | None = None
    day: date | None = None
    at: time | None = None


def read_reminder(words: Sequence[str], today: date) -> LineMatch[LineReminder] | None:
    if not words or words[0] != "remind":
        return None
    lead = 2 if words[1:2] == ["me"] else 1
    found = _before(words[lead:]) or _ahead(words[lead:]) or _moment(words[lead:], today)
    return found.after(lead) if found else None


def _before(words: Sequence[str]) -> LineMatch[LineReminder] | None:
    amount = read_amount(words)
    if amount is None or words[amount.words : amount.words + 1] != ["before"]:
        return None
    if amount.value.unit in (Unit.MONTH, Unit.YEAR):
        return None
    return LineMatch(amount.words + 1, LineReminder(before=amount.value))


def _ahead(words: Sequence[str]) -> LineMatch[LineReminder] | None:
    amount = read_amount_ahead(words)
    if amount is None or amount.value.exact is None:
        return None
    return LineMatch(amount.words, LineReminder(ahead=amount.value))


def _moment(words: Sequence[str], today: date) -> LineMatch[LineReminder] | None:
    """A time, perhaps with a day before or behind it."""
    day = read_date(words, today)
    if day:
        clock = read_time(words[day.words :])
        return LineMatch(day.words + clock.words, LineReminder(day=day.value, at=clock.value)) if clock else None
    clock = read_time(words)
    if clock is None:
        return None
    day = read_date(words[clock.words :], today)
    if day:
        return LineMatch(clock.words + day.words, LineReminder(day=day.value, at=clock.value))
    return LineMatch(clock.words, LineReminder(at=clock.value))
