"""People's expectations of a recurring task, one sentence each. Times are wall-clock times in the task's zone."""

from datetime import UTC, datetime

import pytest

from stowboard.core.time_zones import WrongTimeZone, check_time_zone
from stowboard.tasks.recurrence.expansion import WrongRecurrence, check_rule, next_due
from support.tasks.recurrence_rules import zone_of

LATEST = 253_402_300_799_999


def ms(wall: str, zone: str = "UTC") -> int:
    return int(datetime.fromisoformat(wall).replace(tzinfo=zone_of(zone)).timestamp() * 1000)


def wall(instant: int | None, zone: str = "UTC") -> str | None:
    return None if instant is None else datetime.fromtimestamp(instant / 1000, zone_of(zone)).isoformat()[:16]


def following(rule: str, first: str, count: int, zone: str = "UTC") -> list[str | None]:
    """The due dates after the first, each task completed at the moment it is due."""
    check_rule(rule, zone, ms(first, zone))
    anchor = due = ms(first, zone)
    found: list[str | None] = []
    for completed in range(1, count + 1):
        following_due = next_due(rule, zone, anchor, due, due, completed)
        found.append(wall(following_due, zone))
        if following_due is None:
            break
        due = following_due
    return found


def test_monthly_on_the_31st_is_clamped_and_does_not_drift() -> None:
    assert following("FREQ=MONTHLY", "2026-01-31T09:00", 5) == [
        "2026-02-28T09:00",
        "2026-03-31T09:00",
        "2026-04-30T09:00",
        "2026-05-31T09:00",
        "2026-06-30T09:00",
    ]


def test_monthly_on_the_30th_reaches_the_29th_of_a_leap_february() -> None:
    assert following("FREQ=MONTHLY", "2028-01-30T09:00", 2) == ["2028-02-29T09:00", "2028-03-30T09:00"]


def test_every_other_month_on_the_31st_keeps_its_phase() -> None:
    assert following("FREQ=MONTHLY;INTERVAL=2", "2026-12-31T09:00", 3) == [
        "2027-02-28T09:00",
        "2027-04-30T09:00",
        "2027-06-30T09:00",
    ]


def test_yearly_on_the_29th_of_february_is_the_28th_in_other_years() -> None:
    assert following("FREQ=YEARLY", "2024-02-29T09:00", 4) == [
        "2025-02-28T09:00",
        "2026-02-28T09:00",
        "2027-02-28T09:00",
        "2028-02-29T09:00",
    ]


def test_a_month_named_by_the_rule_clamps_the_day_of_the_first_due_date_too() -> None:
    assert following("FREQ=YEARLY;BYMONTH=4,12", "2026-01-31T09:00", 2) == ["2026-04-30T09:00", "2026-12-31T09:00"]


def test_a_written_31st_leaves_shorter_months_out() -> None:
    assert following("FREQ=MONTHLY;BYMONTHDAY=31", "2026-01-31T09:00", 2) == ["2026-03-31T09:00", "2026-05-31T09:00"]


def test_a_written_last_day_is_the_last_of_every_month() -> None:
    assert following("FREQ=MONTHLY;BYMONTHDAY=-1", "2026-01-31T09:00", 2) == ["2026-02-28T09:00", "2026-03-31T09:00"]


def test_completing_a_task_that_is_overdue_by_a_year_lands_in_the_future() -> None:
    anchor, now = ms("2025-11-14T09:00"), ms("2026-11-15T12:00")
    assert wall(next_due("FREQ=DAILY", "UTC", anchor, anchor, now, 1)) == "2026-11-16T09:00"
    assert wall(next_due("FREQ=WEEKLY", "UTC", anchor, anchor, now, 1)) == "2026-11-20T09:00"
    assert wall(next_due("FREQ=WEEKLY;INTERVAL=2", "UTC", anchor, anchor, now, 1)) == "2026-11-27T09:00"


def test_completing_a_task_early_leaves_the_occurrence_that_it_was_for() -> None:
    anchor, now = ms("2026-11-20T09:00"), ms("2026-11-15T12:00")
    assert wall(next_due("FREQ=WEEKLY", "UTC", anchor, anchor, now, 1)) == "2026-11-27T09:00"


def test_a_due_date_moved_by_hand_does_not_move_the_series() -> None:
    anchor, moved = ms("2026-11-02T09:00"), ms("2026-11-04T15:00")
    assert wall(next_due("FREQ=WEEKLY", "UTC", anchor, moved, moved, 1)) == "2026-11-09T09:00"


def test_nothing_comes_before_the_first_due_date_though_the_task_was_moved_before_it() -> None:
    anchor, moved = ms("2026-11-18T09:00"), ms("2026-11-10T09:00")
    assert next_due("FREQ=WEEKLY;BYDAY=MO,WE", "UTC", anchor, moved, moved, 1) == anchor


def test_weekly_on_chosen_days() -> None:
    assert following("FREQ=WEEKLY;BYDAY=MO,TH", "2026-11-16T09:00", 3) == [
        "2026-11-19T09:00",
        "2026-11-23T09:00",
        "2026-11-26T09:00",
    ]


def test_every_other_week_depends_on_the_day_on_which_weeks_start() -> None:
    """RFC 5545's own example."""
    rule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU"
    assert following(rule, "1997-08-05T09:00", 3) == ["1997-08-10T09:00", "1997-08-19T09:00", "1997-08-24T09:00"]
    assert following(rule + ";WKST=SU", "1997-08-05T09:00", 3) == [
        "1997-08-17T09:00",
        "1997-08-19T09:00",
        "1997-08-31T09:00",
    ]


@pytest.mark.parametrize("rule", ["FREQ=MONTHLY;BYDAY=3FR", "FREQ=MONTHLY;BYDAY=FR;BYSETPOS=3"])
def test_every_third_friday(rule: str) -> None:
    assert following(rule, "2026-11-20T09:00", 3) == ["2026-12-18T09:00", "2027-01-15T09:00", "2027-02-19T09:00"]


def test_the_last_weekday_of_the_month() -> None:
    assert following("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "2026-10-30T17:00", 3) == [
        "2026-11-30T17:00",
        "2026-12-31T17:00",
        "2027-01-29T17:00",
    ]


def test_an_every_day_and_a_numbered_day_are_both_taken() -> None:
    assert following("FREQ=MONTHLY;BYDAY=MO,2TU", "2026-11-02T09:00", 4) == [
        "2026-11-09T09:00",
        "2026-11-10T09:00",
        "2026-11-16T09:00",
        "2026-11-23T09:00",
    ]


def test_a_day_counted_from_the_end_of_the_year() -> None:
    assert following("FREQ=YEARLY;BYDAY=-1FR", "2026-12-25T09:00", 2) == ["2027-12-31T09:00", "2028-12-29T09:00"]


def test_every_weekday_by_the_day() -> None:
    assert following("FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "2026-11-19T09:00", 3) == [
        "2026-11-20T09:00",
        "2026-11-23T09:00",
        "2026-11-24T09:00",
    ]


def test_a_position_within_one_day_changes_nothing() -> None:
    assert following("FREQ=DAILY;BYMONTH=11;BYSETPOS=1", "2026-11-19T09:00", 2) == [
        "2026-11-20T09:00",
        "2026-11-21T09:00",
    ]


def test_a_count_of_three_ends_after_three() -> None:
    assert following("FREQ=DAILY;COUNT=3", "2026-11-15T09:00", 9) == ["2026-11-16T09:00", "2026-11-17T09:00", None]


@pytest.mark.parametrize(
    "until", ["20261117", "20261117T090000", "20261117T080000Z", "20261117T235959", "20261118T075959Z"]
)
def test_the_occurrence_at_until_is_the_last(until: str) -> None:
    found = following(f"FREQ=DAILY;UNTIL={until}", "2026-11-15T09:00", 9, "Europe/Berlin")
    assert found == ["2026-11-16T09:00", "2026-11-17T09:00", None]


@pytest.mark.parametrize("until", ["20261116", "20261117T085959", "20261117T075959Z"])
def test_an_occurrence_past_until_is_not_there(until: str) -> None:
    found = following(f"FREQ=DAILY;UNTIL={until}", "2026-11-15T09:00", 9, "Europe/Berlin")
    assert found == ["2026-11-16T09:00", None]


def test_until_means_the_whole_second() -> None:
    anchor = ms("2026-11-15T09:00") + 750
    assert next_due("FREQ=DAILY;UNTIL=20261116T090000Z", "UTC", anchor, anchor, anchor, 1) == anchor + 86_400_000
    assert next_due("FREQ=DAILY;UNTIL=20261116T090000", "UTC", anchor, anchor, anchor, 1) == anchor + 86_400_000


def test_nine_in_the_morning_stays_nine_when_the_clocks_change() -> None:
    assert following("FREQ=WEEKLY", "2026-03-22T09:00", 1, "Europe/Berlin") == ["2026-03-29T09:00"]
    before, after = ms("2026-03-28T09:00", "Europe/Berlin"), ms("2026-03-29T09:00", "Europe/Berlin")
    assert next_due("FREQ=DAILY", "Europe/Berlin", before, before, before, 1) == after
    assert after - before == 23 * 3_600_000


def test_a_time_that_the_clock_skips_is_taken_with_the_offset_before_the_gap() -> None:
    found = following("FREQ=DAILY", "2026-03-28T02:30", 2, "Europe/Berlin")
    assert found == ["2026-03-29T03:30", "2026-03-30T02:30"]


def test_half_an_hour_is_skipped_on_lord_howe() -> None:
    found = following("FREQ=DAILY", "2026-10-03T02:15", 2, "Australia/Lord_Howe")
    assert found == ["2026-10-04T02:45", "2026-10-05T02:15"]


def test_of_a_time_that_comes_twice_the_first_is_taken() -> None:
    anchor = ms("2026-10-24T02:30", "Europe/Berlin")
    first = next_due("FREQ=DAILY", "Europe/Berlin", anchor, anchor, anchor, 1)
    assert first == int(datetime(2026, 10, 25, 0, 30, tzinfo=UTC).timestamp() * 1000)
    assert wall(next_due("FREQ=DAILY", "Europe/Berlin", anchor, first, first, 2), "Europe/Berlin") == "2026-10-26T02:30"


def test_a_series_that_began_in_the_second_of_two_equal_hours_is_like_any_other() -> None:
    anchor = int(datetime(2026, 10, 25, 1, 30, tzinfo=UTC).timestamp() * 1000)
    now = ms("2027-03-28T00:00", "Europe/Berlin")
    assert wall(next_due("FREQ=DAILY", "Europe/Berlin", anchor, anchor, now, 1), "Europe/Berlin") == "2027-03-28T03:30"


def test_the_day_that_samoa_skipped_is_skipped_and_not_counted_twice() -> None:
    """29 December 2011 was followed by the 31st, so an occurrence on the 30th falls together with the next."""
    found = following("FREQ=DAILY", "2011-12-28T09:00", 4, "Pacific/Apia")
    assert found == ["2011-12-29T09:00", "2011-12-31T09:00", "2012-01-01T09:00", "2012-01-02T09:00"]


def test_the_day_of_the_week_is_that_of_the_zone() -> None:
    """23:00 on Monday in Honolulu is Tuesday in UTC."""
    assert following("FREQ=WEEKLY;BYDAY=MO", "2026-11-16T23:00", 1, "Pacific/Honolulu") == ["2026-11-23T23:00"]


def test_a_series_without_a_due_date_starts_anew_now() -> None:
    now = ms("2026-11-15T14:30")
    assert wall(next_due("FREQ=WEEKLY;BYDAY=MO", "UTC", None, None, now, 1)) == "2026-11-16T14:30"
    assert wall(next_due("FREQ=DAILY;INTERVAL=3", "UTC", None, None, now, 1)) == "2026-11-18T14:30"


def test_an_old_series_keeps_its_phase_over_centuries() -> None:
    found = next_due("FREQ=DAILY;INTERVAL=3", "UTC", ms("1970-01-01T09:00"), None, ms("9000-01-01T00:00"), 1)
    assert found is not None
    assert (found - ms("1970-01-01T09:00")) % (3 * 86_400_000) == 0
    assert 0 < found - ms("9000-01-01T00:00") <= 3 * 86_400_000


def test_a_long_interval_is_not_taken_for_an_end() -> None:
    assert following("FREQ=YEARLY;INTERVAL=999", "2026-11-15T09:00", 1) == ["3025-11-15T09:00"]
    assert following("FREQ=MONTHLY;INTERVAL=999", "2026-11-15T09:00", 1) == ["2110-02-15T09:00"]


def test_the_longest_gap_of_the_calendar_is_forty_years() -> None:
    found = following("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "2072-02-29T09:00", 2)
    assert found == ["2112-02-29T09:00", "2140-02-29T09:00"]
    assert following("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "2072-02-29T09:00", 2) == found


@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "Etc/GMT+12", "America/New_York"])
def test_a_series_ends_with_the_year_9999(zone: str) -> None:
    day = 86_400_000
    for back in range(4):
        found = next_due("FREQ=DAILY", zone, LATEST - 9 * day, LATEST - back * day, 0, 1)
        assert found is None or LATEST - back * day < found <= LATEST
    assert next_due("FREQ=DAILY", zone, LATEST, LATEST, LATEST, 1) is None
    with pytest.raises(WrongRecurrence, match="does not happen again"):
        check_rule("FREQ=YEARLY", zone, LATEST)


def test_an_evening_of_9999_that_is_the_year_10000_in_utc_is_past_the_end() -> None:
    anchor, due = ms("9999-12-01T20:00", "America/New_York"), ms("9999-12-30T20:00", "America/New_York")
    assert next_due("FREQ=DAILY", "America/New_York", anchor, due, due, 1) is None


@pytest.mark.parametrize(
    ("rule", "first"),
    [
        ("FREQ=DAILY;INTERVAL=7;BYDAY=TU", "2026-11-16T09:00"),
        ("FREQ=MONTHLY;INTERVAL=12;BYMONTH=3", "2026-01-15T09:00"),
        ("FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29", "2026-01-15T09:00"),
        ("FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", "2026-01-15T09:00"),
    ],
)
def test_a_rule_that_never_comes_round_is_refused(rule: str, first: str) -> None:
    with pytest.raises(WrongRecurrence, match="does not happen again"):
        check_rule(rule, "UTC", ms(first))


def test_without_a_due_date_only_what_can_never_happen_is_refused() -> None:
    assert check_rule("freq=daily;interval=7;byday=tu", "UTC", None) == "FREQ=DAILY;INTERVAL=7;BYDAY=TU"
    with pytest.raises(WrongRecurrence, match="does not happen again"):
        check_rule("FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=1", "UTC", None)


@pytest.mark.parametrize("name", ["UTC", "Europe/Berlin", "Asia/Kathmandu", "America/Argentina/Ushuaia", "Etc/GMT+12"])
def test_a_zone_of_the_iana_database_is_taken(name: str) -> None:
    check_time_zone(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Mars/Olympus",
        "europe/berlin",
        "Europe",
        "Europe/",
        "../zones",
        "Europe/../UTC",
        "/etc/localtime",
        "localtime",
        "posix/UTC",
        "right/UTC",
        "posixrules",
        "Factory",
        "tzdata.zi",
        "UTC\0",
        "UTC\n",
        "+01:00",
        "CET-1CEST",
    ],
)
def test_anything_else_is_not_a_time_zone(name: str) -> None:
    with pytest.raises(WrongTimeZone, match="IANA"):
        check_time_zone(name)
    with pytest.raises(WrongTimeZone):
        check_rule("FREQ=DAILY", name, 0)
