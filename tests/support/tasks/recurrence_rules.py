"""Recurrence rules as people and fuzzers write them, all within the grammar; many never happen. And zones for them."""

from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from stowboard.tasks.recurrence.rrule import WrongRecurrence, parse_rule

WEEK = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]


@cache
def zone_of(name: str) -> ZoneInfo:
    """The zone that the service uses. The host's own may be older: Morocco, for one, changes its rules often."""
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as rules_of_zone:
        return ZoneInfo.from_file(rules_of_zone, key=name)


@st.composite
def _rules(draw: st.DrawFn) -> str:
    freq = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]))
    parts = [f"FREQ={freq}"]
    if draw(st.booleans()):
        parts.append(f"INTERVAL={draw(st.integers(1, 9) | st.integers(1, 999))}")
    months = draw(_maybe(st.integers(1, 12), 4))
    if months:
        parts.append(f"BYMONTH={months}")
    if freq != "WEEKLY":
        month_days = draw(_maybe(_either_way(31), 4))
        parts += [f"BYMONTHDAY={month_days}"] if month_days else []
    week_days = draw(_maybe(_week_days(freq, bool(months)), 5))
    parts += [f"BYDAY={week_days}"] if week_days else []
    if len(parts) > 1 and draw(st.integers(0, 3)) == 0:
        parts.append(f"BYSETPOS={draw(_either_way(5))}")
    if draw(st.integers(0, 3)) == 0:
        parts.append(f"WKST={draw(st.sampled_from(WEEK))}")
    return ";".join(draw(st.permutations(parts)))


def _week_days(freq: str, has_months: bool) -> st.SearchStrategy[str]:
    days = st.sampled_from(WEEK)
    if freq in ("DAILY", "WEEKLY"):
        return days
    which = _either_way(53 if freq == "YEARLY" and not has_months else 5)
    return days | st.builds(lambda number, day: f"{number}{day}", which, days)


def _either_way(furthest: int) -> st.SearchStrategy[int]:
    return st.integers(1, furthest) | st.integers(-furthest, -1)


def _maybe(items: st.SearchStrategy[object], most: int) -> st.SearchStrategy[str]:
    return st.just("") | st.lists(items, min_size=1, max_size=most).map(lambda some: ",".join(map(str, some)))


def _is_taken(text: str) -> bool:
    try:
        parse_rule(text)
    except WrongRecurrence:
        return False
    return True


rules = _rules().filter(_is_taken)
