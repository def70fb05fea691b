"""Properties of every line, zone and moment."""

import sys
from datetime import date, datetime
from itertools import pairwise
from types import FrameType
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stowboard.core.time_zones import end_of_day
from stowboard.tasks.base.task import BoardId
from stowboard.tasks.quick.names import NamedBoard
from stowboard.tasks.quick.read import LineReading, read_quick
from stowboard.tasks.quick.span import SpanKind
from stowboard.tasks.recurrence.expansion import check_rule
from support.tasks.recurrence_rules import zone_of

ZONES = ["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Apia", "Australia/Lord_Howe", "Africa/Casablanca"]
BOARDS = {"house": NamedBoard(BoardId("brd_1"), [])}
WORDS = [
    "every", "other", "second", "2nd", "last", "day", "days", "week", "month", "year", "mon", "fri", "sun", "and", "on",
    "by", "due", "the", "15th", "31st", "of", "dec", "feb", "29", "30", "2027", "2027-02-28", "in", "3", "a", "hours",
    "9am", "9", "pm", "at", "17:00", "noon", "until", "for", "times", "remind", "me", "before", "tomorrow", "next",
    "this", "today", "#ops", "#1", "@house", "@house/x", '"', '"friday"', "Call", "home", ",", "(fri)", "!", "9999",
    "!1", "!2,", "!3", "!0",
]  # fmt: skip
patient = settings(deadline=None)
zones = st.sampled_from(ZONES)
moments = st.integers(0, 4_102_444_800_000)


def end_of(day: str, zone: str) -> int:
    return end_of_day(zone_of(zone), date.fromisoformat(day))


lines = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.text(max_size=80)


def outside(line: str, found: LineReading) -> str:
    covered = {position for span in found.spans for position in range(span.start, span.end)}
    return "".join(" " if position in covered else sign for position, sign in enumerate(line))


@patient
@given(lines, zones, moments)
@example("a every day until 9999-12-31", "UTC", 0)
@example("a in 999 years remind in 999 hours", "Pacific/Apia", 253_000_000_000_000)
def test_spans_follow_each_other_and_the_rest_is_the_title(line: str, zone: str, now: int) -> None:
    found = read_quick(line, now, zone, BOARDS)
    assert all(0 <= span.start < span.end <= len(line) for span in found.spans)
    assert all(before.end <= after.start for before, after in pairwise(found.spans))
    assert found.title == " ".join(outside(line, found).split())


@patient
@given(lines, zones, moments)
def test_what_is_read_is_a_task_that_the_service_takes(line: str, zone: str, now: int) -> None:
    found = read_quick(line, now, zone, BOARDS)
    assert bool(found.title) == bool(line.strip())
    assert all(moment is None or 0 <= moment <= 253_402_300_799_999 for moment in (found.due_at, found.reminder))
    if found.recurrence is not None:
        due = found.due_at if found.due_on is None else end_of(found.due_on, zone)
        assert check_rule(found.recurrence, zone, due) == found.recurrence
    assert len(found.tags) == len(set(found.tags)) <= 50
    assert found.priority in (None, 1, 2, 3)


@patient
@given(lines, zones, moments)
def test_each_member_has_a_span_that_says_so_and_each_span_a_member(line: str, zone: str, now: int) -> None:
    found = read_quick(line, now, zone, BOARDS)
    kinds = {span.kind for span in found.spans}
    has_time, has_day = kinds & {SpanKind.TIME, SpanKind.MOMENT}, kinds & {SpanKind.DATE, SpanKind.REPEAT}
    assert (found.due_at is not None) == bool(has_time)
    assert (found.due_on is not None) == bool(has_day and not has_time)
    assert (found.reminder is not None) == (SpanKind.REMINDER in kinds)
    assert (found.recurrence is not None) == (SpanKind.REPEAT in kinds)
    assert bool(found.tags) == (SpanKind.TAG in kinds)
    assert (found.board_id is not None) == (SpanKind.BOARD in kinds)
    assert (found.priority is not None) == (SpanKind.PRIORITY in kinds)


@patient
@given(lines, st.integers(0, 12), st.sampled_from([1, 2, 3]), zones, moments)
@example("Gifts in dec", 3, 2, "UTC", 0)
@example("Plan in days", 2, 3, "UTC", 0)
def test_a_priority_is_read_wherever_it_stands_and_changes_nothing_else(
    line: str, at: int, priority: int, zone: str, now: int
) -> None:
    """Between two words that do not belong together."""
    words = [word for word in line.split() if not word.startswith("!") and not set(word) & set('"“”')]
    before, after = words[:at], words[at:]
    found = read_quick(" ".join(["x", *before, f"!{priority}", *after]), now, zone, BOARDS)
    assert found.priority == priority
    # A quoted sign parts what stands before and after it just as well.
    parted = read_quick(" ".join(["x", *before, '"|"', *after]), now, zone, BOARDS)
    same = ("due_at", "due_on", "reminder", "recurrence", "tags", "board_id")
    assert [getattr(found, name) for name in same] == [getattr(parted, name) for name in same]
    assert found.title == " ".join(parted.title.replace('"|"', "").split())


@patient
@given(lines, zones, moments)
def test_a_quoted_line_is_all_title(line: str, zone: str, now: int) -> None:
    quoted = '"' + line.replace('"', "").replace("“", "").replace("”", "") + '"'
    found = read_quick(quoted, now, zone, BOARDS)
    assert (found.title, list(found.spans)) == (" ".join(quoted.split()), [])


DATES = st.dates(datetime(2000, 1, 1).date(), datetime(2099, 12, 31).date())
FORMS = ["%Y-%m-%d", "%d %b %Y", "%B %d %Y", "%d of %B %Y", "on %b %d, %Y", "by %d %B %Y"]
TIMES = [("%H:%M", 1), ("%I:%M%p", 1), ("at %I:%M %p", 1), ("%I%p", 60)]


@patient
@given(st.datetimes(datetime(2000, 1, 1), datetime(2099, 12, 31)), zones, moments, st.sampled_from(FORMS),
       st.sampled_from(TIMES), st.booleans())  # fmt: skip
def test_a_date_and_a_time_that_were_written_are_read_again(
    when: datetime, zone: str, now: int, form: str, clock: tuple[str, int], time_first: bool
) -> None:
    when = when.replace(minute=when.minute // clock[1] * clock[1] if clock[1] == 1 else 0, second=0, microsecond=0)
    parts = [when.strftime(form), when.strftime(clock[0])]
    found = read_quick("Call " + " ".join(reversed(parts) if time_first else parts), now, zone, {})
    assert found.title == "Call"
    assert found.due_at == int(when.replace(tzinfo=zone_of(zone)).timestamp() * 1000)
    assert {span.kind: span.value for span in found.spans} == {"date": f"{when:%Y-%m-%d}", "time": f"{when:%H:%M}"}


def calls(line: str) -> int:
    """How much work it is, whatever the machine."""
    count = 0

    def counted(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(counted)
    try:
        read_quick(line, 1_800_000_000_000, "Europe/Berlin", BOARDS)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize(
    "piece",
    ["every ", "every mon and ", "mon tue ", "remind me at 9am ", "#a", "#t ", '"', '" ', "“", "@", '@"a/', "in 3 ",
     "9 ", "until ", "24 dec ", "a", "on the ", "\u0130 ", "((((", "x" * 50 + " "],
)  # fmt: skip
def test_a_line_twice_as_long_is_at_most_little_more_than_twice_the_work(piece: str) -> None:
    calls(piece)  # what is made once
    half, whole = calls(piece * 400), calls(piece * 800)
    assert whole <= 2.2 * half + 200
