"""Tasks that are due on a day: their last second, changes of zone, and series of days, in every zone."""

from datetime import date, datetime, time, timedelta
from importlib.resources import files
from itertools import islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from stowboard.core.errors import ValidationFailed
from stowboard.core.time_zones import end_of_day, instant_of, wall_of
from stowboard.tasks.base.task import FurtherReminder, Task, TaskId
from stowboard.tasks.due import dated
from stowboard.tasks.recurrence.rrule import WrongRecurrence
from stowboard.tasks.recurrence.series import checked_series, due_times_after, next_occurrence
from support.tasks.recurrence_rules import rules, zone_of

patient = settings(deadline=None)
ZONES = files("tzdata").joinpath("zones").read_text("ascii").split()
zone_names = st.sampled_from(sorted({*ZONES} - {"Factory"}))
days = st.dates(date(1990, 1, 1), date(2099, 12, 31))


def due_on(day: date, zone: str, **members: object) -> Task:
    task = Task(id=TaskId("tsk_1"), owner="a", title="t", time_zone=zone, due_on=day.isoformat(), **members)  # type: ignore[arg-type]
    return dated(task)


def day_of(zone: str, instant: int) -> date:
    return wall_of(zone_of(zone), instant).date()


@patient
@given(days, zone_names)
def test_a_task_is_due_at_the_last_second_of_its_day(day: date, zone: str) -> None:
    at = due_on(day, zone).due_at
    assert at is not None
    assert day_of(zone, at) <= day < day_of(zone, at + 1000)


@pytest.mark.parametrize(
    ("zone", "day", "last"),
    [
        ("Europe/Berlin", "2026-10-25", "2026-10-25T22:59:59"),
        # The clock goes from midnight back to 23:00, and on from 23:59:59 to 01:00: the day is 25 hours long, or 24.
        ("America/Havana", "2026-10-31", "2026-11-01T03:59:59"),
        ("Asia/Beirut", "2026-03-28", "2026-03-28T21:59:59"),
        ("America/Asuncion", "2023-03-25", "2023-03-26T03:59:59"),
        ("America/St_Johns", "2006-10-28", "2006-10-29T03:29:59"),  # at 00:01 back to 23:01
        ("Pacific/Apia", "2011-12-29", "2011-12-30T09:59:59"),  # the day after it was left out
    ],
)
def test_a_day_is_as_long_as_the_clock_of_its_zone_makes_it(zone: str, day: str, last: str) -> None:
    end = datetime.fromisoformat(f"{last}+00:00").timestamp() * 1000
    assert end_of_day(zone_of(zone), date.fromisoformat(day)) == end


@patient
@given(days, zone_names, zone_names)
def test_a_change_of_zone_keeps_the_day_and_moves_the_moment(day: date, zone: str, other: str) -> None:
    task = due_on(day, zone, recurrence="FREQ=DAILY")
    moved = checked_series(dated(replace(checked_series(task), time_zone=other)), task)
    assert (moved.due_on, moved.due_at, moved.anchor_at) == (day.isoformat(), *[end_of_day(zone_of(other), day)] * 2)


@patient
@given(rules, days, zone_names, st.integers(-400, 400), st.times())
def test_a_series_of_days_has_the_days_of_the_same_series_at_noon(
    rule: str, day: date, zone: str, later: int, clock: time
) -> None:
    """UTC has no changes of the clock; now is some time of a day before or after the due day."""
    try:
        task = checked_series(due_on(day, zone, recurrence=rule))
    except ValidationFailed:
        assume(False)
    wall = datetime.combine(day + timedelta(days=later), clock.replace(microsecond=0))
    now = instant_of(zone_of(zone), wall)
    assume(wall_of(zone_of(zone), now) == wall)
    noon = instant_of(zone_of("UTC"), datetime.combine(day, time(12)))
    at_noon = replace(task, time_zone="UTC", due_on=None, due_at=noon, anchor_at=noon)
    start_of_today = instant_of(zone_of("UTC"), datetime.combine(wall.date(), time()))
    found, expected = next_occurrence(task, now), next_occurrence(at_noon, start_of_today)
    assert (found is None) == (expected is None)
    if found is not None and expected is not None:
        assert found.at is not None
        assert expected.at is not None
        assert found.on == day_of("UTC", expected.at).isoformat()
        assert found.at == end_of_day(zone_of(zone), date.fromisoformat(found.on))
        assert found.on > day.isoformat()
        assert found.on >= wall.date().isoformat()


@patient
@given(rules, days, zone_names)
def test_the_days_to_come_follow_each_other(rule: str, day: date, zone: str) -> None:
    try:
        task = checked_series(due_on(day, zone, recurrence=rule))
    except (ValidationFailed, WrongRecurrence):
        assume(False)
    found = [str(due.on) for due in islice(due_times_after(task, 0), 5)]
    assert found == sorted(set(found))
    assert all(on > day.isoformat() for on in found)


@patient
@given(days, zone_names, st.integers(0, 28 * 86_400_000))
def test_a_reminder_before_a_day_counts_from_nine_in_the_morning(day: date, zone: str, before: int) -> None:
    nine = instant_of(zone_of(zone), datetime.combine(day, time(9)))
    assert FurtherReminder(before_due=before).time(due_on(day, zone)) == max(0, nine - before)


def test_a_series_ends_with_the_day_in_which_its_last_moment_is() -> None:
    # Midnight of New York between the last day of the year and the first one.
    task = checked_series(
        due_on(date(2026, 12, 30), "America/New_York", recurrence="FREQ=DAILY;UNTIL=20270101T045959Z")
    )
    assert [due.on for due in due_times_after(task, 0)] == ["2026-12-31"]


@pytest.mark.parametrize("text", ["2026-02-30", "1969-12-30", "0000-01-01", "9999-12-31"])
def test_a_day_that_there_is_not_is_refused(text: str) -> None:
    with pytest.raises(ValidationFailed, match="dueOn: "):
        dated(Task(id=TaskId("tsk_1"), owner="a", title="t", time_zone="America/New_York", due_on=text))
