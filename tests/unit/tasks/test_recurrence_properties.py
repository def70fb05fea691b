"""Properties of every rule, zone and moment. python-dateutil, which others port, judges the days of a rule."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from itertools import islice, pairwise, takewhile
from types import FrameType

import pytest
from dateutil.rrule import rrulestr
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from stowboard.tasks.recurrence import expansion as recurrence
from stowboard.tasks.recurrence.expansion import WrongRecurrence, check_rule, next_due
from stowboard.tasks.recurrence.rrule import Freq, RecurrenceRule, parse_rule
from support.tasks.recurrence_rules import rules, zone_of

LATEST = 253_402_300_799_999
DAY = 86_400_000
#: A rule that finds nothing in any of 490 months makes half as many.
MOST_CALLS = 10_000
ZONES = [
    "UTC",
    "Europe/Berlin",
    "Europe/Dublin",
    "America/New_York",
    "America/Nuuk",
    "America/St_Johns",
    "Africa/Casablanca",
    "Asia/Kathmandu",
    "Asia/Tehran",
    "Asia/Gaza",
    "Australia/Lord_Howe",
    "Pacific/Apia",
    "Pacific/Kiritimati",
    "Pacific/Chatham",
    "Antarctica/Troll",
]
#: Days on which clocks were changed in one of these zones, month ends and leap days, beside any other.
NOTABLE = [
    "2011-12-28", "2011-12-29", "2011-12-31", "2024-01-31", "2024-02-29", "2026-03-08", "2026-03-28", "2026-03-29",
    "2026-10-04", "2026-10-25", "2026-11-01", "2027-12-31", "2100-02-28", "2000-02-29",
]  # fmt: skip

patient = settings(deadline=None)
zones = st.sampled_from(ZONES)
recent = st.integers(0, 4_102_444_800_000)  # 1970 to 2100
notable = st.builds(
    lambda day, time_of_day: int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp()) * 1000 + time_of_day,
    st.sampled_from(NOTABLE),
    st.integers(-DAY, DAY) | st.integers(-96, 96).map(lambda quarter: quarter * 900_000),
)
moments = notable | recent
any_moment = moments | st.integers(0, LATEST)


def accepted(rule: str, zone: str, anchor: int) -> str:
    try:
        return check_rule(rule, zone, anchor)
    except WrongRecurrence:
        assume(False)
        raise


def wall(instant: int, zone: str) -> datetime:
    utc = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=instant)
    return utc.astimezone(zone_of(zone)).replace(tzinfo=None, fold=0)


def does_not_exist(local: datetime, zone: str) -> bool:
    there = local.replace(tzinfo=zone_of(zone))
    return there.astimezone(UTC).astimezone(zone_of(zone)).replace(tzinfo=None) != local


def chain(rule: str, zone: str, anchor: int, length: int) -> Iterator[int]:
    due: int | None = anchor
    for completed in range(1, length + 1):
        due = next_due(rule, zone, anchor, due, 0, completed)
        if due is None:
            return
        yield due


@patient
@given(rules, zones, any_moment, any_moment, any_moment)
def test_the_next_one_is_after_the_due_date_and_after_now(
    rule: str, zone: str, anchor: int, due: int, now: int
) -> None:
    kept = accepted(rule, zone, anchor)
    found = next_due(kept, zone, anchor, due, now, 1)
    assert found is None or max(due, now) < found <= LATEST


@patient
@given(rules, zones, moments)
def test_every_occurrence_has_the_wall_time_of_the_first_unless_the_clock_skips_it(
    rule: str, zone: str, anchor: int
) -> None:
    kept = accepted(rule, zone, anchor)
    start = wall(anchor, zone)
    for due in chain(kept, zone, anchor, 12):
        local = wall(due, zone)
        if local.time() != start.time():
            candidates = [datetime.combine(local.date() - timedelta(days=back), start.time()) for back in (0, 1)]
            assert any(does_not_exist(skipped, zone) for skipped in candidates)


@patient
@given(rules, zones, moments)
def test_a_chain_of_completions_only_goes_forward(rule: str, zone: str, anchor: int) -> None:
    kept = accepted(rule, zone, anchor)
    dues = [anchor, *chain(kept, zone, anchor, 12)]
    assert dues == sorted(set(dues))


@patient
@given(zones, moments, st.integers(1, 40))
def test_monthly_never_skips_a_month_and_never_drifts(zone: str, anchor: int, interval: int) -> None:
    start = wall(anchor, zone)
    at = 12 * start.year + start.month - 1
    for due in chain(f"FREQ=MONTHLY;INTERVAL={interval}", zone, anchor, 14):
        at += interval
        month_end = (date(at // 12 + (at % 12 == 11), (at + 1) % 12 + 1, 1) - timedelta(days=1)).day
        expected = datetime.combine(date(at // 12, at % 12 + 1, min(start.day, month_end)), start.time())
        assert wall(due, zone) == expected or does_not_exist(expected, zone)


@patient
@given(rules, zones, moments, st.integers(1, 9))
def test_a_count_of_n_is_over_after_n(rule: str, zone: str, anchor: int, count: int) -> None:
    kept = accepted(rule, zone, anchor)
    endless = list(chain(kept, zone, anchor, 12))
    assert list(chain(f"{kept};COUNT={count}", zone, anchor, 12)) == endless[: count - 1]


@patient
@given(rules, zones, moments, st.integers(0, 9))
def test_until_an_occurrence_includes_it(rule: str, zone: str, anchor: int, last: int) -> None:
    kept = accepted(rule, zone, anchor)
    endless = list(chain(kept, zone, anchor, 12))
    assume(last < len(endless))
    until = wall(endless[last], "UTC").strftime("%Y%m%dT%H%M%SZ")
    assert list(chain(f"{kept};UNTIL={until}", zone, anchor, 12)) == endless[: last + 1]


def calls_within_recurrence(work: Callable[[], object]) -> int:
    calls = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code.co_filename == recurrence.__file__

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return calls


@example("FREQ=DAILY;INTERVAL=7;BYDAY=TU", "UTC", 0, 0)
@example("FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", "UTC", 0, 0)
@example("FREQ=YEARLY;BYDAY=53MO;BYMONTHDAY=1", "UTC", 0, 0)
@example("FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA;BYSETPOS=318", "UTC", 0, LATEST // 2)
@example("FREQ=DAILY", "UTC", 0, LATEST - DAY)
@patient
@given(rules, zones, any_moment, any_moment)
def test_the_work_is_bounded_for_every_rule_from_every_start(rule: str, zone: str, anchor: int, now: int) -> None:
    """Counted in calls, as the clock of a busy machine proves nothing."""

    def check() -> None:
        with suppress(WrongRecurrence):
            check_rule(rule, zone, anchor)

    assert calls_within_recurrence(check) <= MOST_CALLS
    assert calls_within_recurrence(lambda: next_due(rule, zone, anchor, None, now, 1)) <= MOST_CALLS


@patient
@given(rules, zones, moments, moments)
def test_asking_late_gives_what_completing_one_by_one_gives(rule: str, zone: str, anchor: int, offset: int) -> None:
    """Jumping ahead keeps the phase of INTERVAL."""
    kept = accepted(rule, zone, anchor)
    dues = list(chain(kept, zone, anchor, 15))
    for earlier, later in pairwise(dues):
        now = earlier + offset % (later - earlier)
        assert next_due(kept, zone, anchor, anchor, now, 1) == later


def is_comparable(rule: RecurrenceRule, first: date) -> bool:
    """Where the two differ on purpose: month ends, BYDAY=MO,2TU (there an intersection), and a first week cut short."""
    clamped = first.day > 28 and not rule.month_days and not rule.week_days
    mixed = len({which == 0 for which, _ in rule.week_days}) > 1
    return not (clamped or mixed or (rule.freq is Freq.WEEKLY and rule.positions))


@patient
@given(rules, st.dates(date(1970, 1, 1), date(2090, 12, 31)))
def test_the_days_are_those_that_dateutil_finds(rule: str, first: date) -> None:
    start = datetime.combine(first, datetime.min.time().replace(hour=9))
    anchor = int(start.replace(tzinfo=UTC).timestamp()) * 1000
    assume(is_comparable(parse_rule(rule), first))
    kept = accepted(rule, "UTC", anchor)
    ours = [wall(due, "UTC") for due in chain(kept, "UTC", anchor, 20)]
    theirs = takewhile(lambda occurrence: occurrence <= ours[-1], rrulestr(kept, dtstart=start))
    assert ours == [occurrence for occurrence in islice(theirs, 25) if occurrence > start]


@pytest.fixture
def _back_in_our_zone() -> Iterator[None]:
    before = os.environ.get("TZ")
    yield
    os.environ.pop("TZ", None) if before is None else os.environ.__setitem__("TZ", before)
    time.tzset()


@pytest.mark.usefixtures("_back_in_our_zone")
@settings(max_examples=30, deadline=None)
@given(rules, zones, moments, st.sampled_from(["America/New_York", "Asia/Kathmandu", "Pacific/Apia"]))
def test_the_zone_of_the_server_changes_nothing(rule: str, zone: str, anchor: int, server: str) -> None:
    kept = accepted(rule, zone, anchor)
    os.environ["TZ"] = "UTC"
    time.tzset()
    expected = list(chain(kept, zone, anchor, 5))
    os.environ["TZ"] = server
    time.tzset()
    assert list(chain(kept, zone, anchor, 5)) == expected
