"""Quiet hours and digests, by the clock on a person's wall, also where clocks are changed."""

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from stowboard.access.base.quiet import DigestTimes, QuietHours


def at(text: str, zone: str = "Europe/Berlin") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


@pytest.mark.parametrize(
    ("start", "end", "now", "until"),
    [
        ("22:00", "07:00", "2026-11-18T21:59", None),
        ("22:00", "07:00", "2026-11-18T22:00", "2026-11-19T07:00"),
        ("22:00", "07:00", "2026-11-19T06:59", "2026-11-19T07:00"),
        ("22:00", "07:00", "2026-11-19T07:00", None),
        ("12:00", "13:30", "2026-11-19T12:30", "2026-11-19T13:30"),
        ("12:00", "13:30", "2026-11-19T13:30", None),
        # The night in which clocks go forward has seven hours, the one in which they go back nine.
        ("23:00", "07:00", "2026-03-28T23:30", "2026-03-29T07:00"),
        ("23:00", "07:00", "2026-10-24T23:30", "2026-10-25T07:00"),
        # 02:30 does not exist in the first night.
        ("23:00", "02:30", "2026-03-29T00:30", "2026-03-29T03:30"),
    ],
)
def test_quiet_hours_end_at_their_time_on_the_wall(start: str, end: str, now: str, until: str | None) -> None:
    quiet = QuietHours(start, end, "Europe/Berlin")
    assert quiet.end_after(at(now)) == (at(until) if until is not None else None)


def test_a_night_over_a_change_of_clocks_is_as_long_as_it_is() -> None:
    quiet = QuietHours("22:00", "07:00", "Europe/Berlin")
    lengths = []
    for begin in ("2026-03-28T22:00", "2026-10-24T22:00"):
        end = quiet.end_after(at(begin))
        assert end is not None
        lengths.append((end - at(begin)) / 3_600_000)
    assert lengths == [8, 10]


@pytest.mark.parametrize(
    ("days", "now", "expected"),
    [
        (["mon", "fri"], "2026-11-18T12:00", "2026-11-20T08:00"),
        (["wed"], "2026-11-18T07:59", "2026-11-18T08:00"),
        (["wed"], "2026-11-18T08:00", "2026-11-25T08:00"),
        (["sun"], "2026-03-28T12:00", "2026-03-29T08:00"),
    ],
)
def test_the_next_digest_is_the_next_of_its_days(days: list[str], now: str, expected: str) -> None:
    digest = DigestTimes("08:00", days)  # type: ignore[arg-type]
    assert digest.next_after(at(now), "Europe/Berlin") == at(expected)
