"""Quick add where calendars and clocks are awkward. Times are wall-clock times in the person's zone."""

from datetime import datetime

import pytest

from stowboard.core.time_zones import WrongTimeZone
from stowboard.tasks.base.task import BoardId, ColumnId, Status
from stowboard.tasks.quick.names import NamedBoard, NamedColumn
from stowboard.tasks.quick.read import LineReading, read_quick
from support.tasks.recurrence_rules import zone_of


def ms(wall: str, zone: str = "UTC", fold: int = 0) -> int:
    return int(datetime.fromisoformat(wall).replace(tzinfo=zone_of(zone), fold=fold).timestamp() * 1000)


def due(line: str, now: str, zone: str = "UTC") -> str | None:
    reading = read_quick(line, ms(now, zone), zone, {})
    found = reading.due_at
    return reading.due_on if found is None else datetime.fromtimestamp(found / 1000, zone_of(zone)).isoformat()[:16]


def read(line: str) -> LineReading:
    return read_quick(line, ms("2026-11-18T12:00"), "UTC", {})


@pytest.mark.parametrize(
    ("line", "now", "expected"),
    [
        ("a tomorrow", "2026-12-31T10:00", "2027-01-01"),
        ("a next month", "2026-12-31T10:00", "2027-01-01"),
        ("a next week", "2026-12-31T10:00", "2027-01-04"),
        ("a next week", "2026-11-22T10:00", "2026-11-23"),  # a Sunday
        ("a next mon", "2026-11-22T10:00", "2026-11-23"),
        ("a this sunday", "2026-11-22T10:00", "2026-11-22"),
        ("a sunday", "2026-11-22T10:00", "2026-11-29"),
        ("a in a month", "2027-01-31T10:00", "2027-02-28"),
        ("a in 13 months", "2027-01-31T10:00", "2028-02-29"),
        ("a in 1 year", "2028-02-29T10:00", "2029-02-28"),
        ("a on the 31st", "2026-04-01T10:00", "2026-05-31"),
        ("a 18 nov", "2026-11-18T23:00", "2026-11-18"),
        ("a 17 nov", "2026-11-18T23:00", "2027-11-17"),
        ("a feb 29", "2096-03-01T10:00", "2104-02-29"),
        ("a every 31st", "2026-04-01T10:00", "2026-05-31"),
        ("a every 15th 9am", "2026-11-15T10:00", "2026-12-15T09:00"),
        ("a every day", "2026-11-18T23:59", "2026-11-18"),
        ("a every mon 9am", "2026-11-16T09:00", "2026-11-23T09:00"),
        ("a every mon 9am", "2026-11-16T08:59", "2026-11-16T09:00"),
        ("a every other fri", "2026-11-21T08:59", "2026-11-27"),
        ("a every mon starting 1 dec", "2026-11-16T08:59", "2026-12-07"),
        ("a every month fri 9am", "2026-11-18T12:00", "2026-11-20T09:00"),
        ("a every 15th starting 1 jan", "2026-11-18T12:00", "2027-01-15"),
    ],
)
def test_months_and_years_end_where_they_end(line: str, now: str, expected: str) -> None:
    assert due(line, now) == expected


def test_a_time_that_the_clock_skips_moves_on_with_it() -> None:
    assert due("a 2:30", "2026-03-28T12:00", "Europe/Berlin") == "2026-03-29T03:30"
    assert due("a 29 mar 2:30", "2026-03-01T12:00", "Europe/Berlin") == "2026-03-29T03:30"


def test_of_a_time_that_comes_twice_the_first_is_meant() -> None:
    zone = "Europe/Berlin"
    found = read_quick("a 25 oct 2:30", ms("2026-10-01T12:00", zone), zone, {}).due_at
    assert found == ms("2026-10-25T02:30", zone, fold=0) == ms("2026-10-25T02:30", zone, fold=1) - 3_600_000


def test_hours_from_now_are_hours_also_when_the_clock_changes() -> None:
    zone = "Europe/Berlin"
    before = ms("2026-03-29T01:30", zone)
    assert read_quick("a in 2 hours", before, zone, {}).due_at == before + 7_200_000
    [span] = read_quick("a in 2 hours", before, zone, {}).spans
    assert (span.kind, span.value) == ("moment", "2026-03-29T04:30")


def test_a_day_before_is_at_the_same_time_of_the_clock() -> None:
    zone = "Europe/Berlin"
    found = read_quick("a 29 mar 2027-03-29", ms("2026-03-01T12:00", zone), zone, {})
    assert (found.due_at, found.due_on) == (None, None)  # two dates
    found = read_quick("a 29 mar 9am remind me 1 day before", ms("2026-03-01T12:00", zone), zone, {})
    assert found.reminder == ms("2026-03-28T09:00", zone)


def test_today_is_the_persons_day() -> None:
    now = ms("2026-11-18T23:30", "UTC")
    assert read_quick("a today", now, "UTC", {}).due_on == "2026-11-18"
    assert read_quick("a today", now, "Asia/Tokyo", {}).due_on == "2026-11-19"


def test_a_reminder_before_a_day_counts_from_nine_in_the_morning_of_it() -> None:
    zone = "Europe/Berlin"
    found = read_quick("a 29 mar remind me 1 day before", ms("2026-03-01T12:00", zone), zone, {})
    assert (found.due_on, found.reminder) == ("2026-03-29", ms("2026-03-28T09:00", zone))


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("Call, tomorrow.", "Call,"),
        ("  Call   tomorrow   mum ", "Call mum"),
        ("Call (fri 9 a.m.) mum", "Call mum"),
        ("CALL TOMORROW AT 9AM", "CALL"),
        ("Call\ttomorrow\nmum", "Call mum"),
        ("Ärger #größe @überall", "Ärger @überall"),
        ("Say “on friday” tomorrow", "Say “on friday”"),
        ('3" pipe tomorrow', '3" pipe'),
        ("Tell her! Friday", "Tell her!"),
        ("Come in! 3 days left", "Come in! 3 days left"),
        ("Mail me@example.org friday's plan", "Mail me@example.org friday's plan"),
        ("Close until friday", "Close until friday"),
        ("Run 5 times", "Run 5 times"),
        ("a remind me 1 hour before", "a remind me 1 hour before"),
        ("a in 2 hours tomorrow", "a in 2 hours tomorrow"),
        ("a every day every week", "a every day every week"),
        ("a every day until 1 jan 2020", "a every day until 1 jan 2020"),
        ("a this monday", "a this monday"),
        ("a in 999 years in 999 years", "a in 999 years in 999 years"),
        ("a 13pm 24:00 9:60 0am 12:5", "a 13pm 24:00 9:60 0am 12:5"),
        ("a feb 30 0 dec 32 dec dec 00", "a feb 30 0 dec 32 dec dec 00"),
        ("a 0001-01-01", "a 0001-01-01"),
        ("a 2026-02-30", "a 2026-02-30"),
        ("## # #, #,, ##x", "## # #, #,, ##x"),
    ],
)
def test_the_title_is_what_is_left(line: str, title: str) -> None:
    assert read(line).title == title


def test_tags_are_kept_once_and_no_more_than_a_task_has() -> None:
    assert read("a #x #X #x").tags == ["x", "X"]
    line = "a " + " ".join(f"#t{number}" for number in range(52))
    assert len(read(line).tags) == 50
    assert read(line).title == "a #t50 #t51"


def test_a_name_that_two_columns_have_is_not_read() -> None:
    columns = [NamedColumn(ColumnId(str(n)), name, Status.TODO) for n, name in enumerate(["A b", "a-B", "C"])]
    boards = {"x": NamedBoard(BoardId("brd"), columns)}
    assert read_quick("t @x/a-b", 0, "UTC", boards).title == "t @x/a-b"
    assert read_quick("t @X/c", 0, "UTC", boards).column_id == "2"


def test_an_unknown_zone_is_refused() -> None:
    with pytest.raises(WrongTimeZone):
        read_quick("a", 0, "Mars/Olympus", {})
