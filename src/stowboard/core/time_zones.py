"""Time zones by their IANA names, and the time that a clock on the wall of one shows.

The zones come from the tzdata package alone: every host has the same ones.
"""

from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1)
_MILLISECOND = timedelta(milliseconds=1)


class WrongTimeZone(ValueError):
    """The name is not a time zone; the text is a sentence for the person who wrote it."""


def check_time_zone(name: str) -> None:
    """Raises WrongTimeZone unless this is a name of the IANA database, as it is written there."""
    if name not in _zone_names():
        raise WrongTimeZone("It must be a name of the IANA time zone database, like Europe/Berlin or UTC.")


@cache
def zone_of(name: str) -> ZoneInfo:
    """Raises WrongTimeZone."""
    check_time_zone(name)
    with files("tzdata").joinpath("zoneinfo", *name.split("/")).open("rb") as rules:
        return ZoneInfo.from_file(rules, key=name)


@cache
def _zone_names() -> frozenset[str]:
    return frozenset(files("tzdata").joinpath("zones").read_text("ascii").split()) - {"Factory"}


def wall_of(zone: ZoneInfo, instant: int) -> datetime:
    return (EPOCH + instant * _MILLISECOND).replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None, fold=0)


def instant_of(zone: ZoneInfo, wall: datetime) -> int:
    """The moment of a wall-clock time. If the time comes twice, the first; in a gap, by the offset before the gap."""
    return _instant(zone, wall, 0)


def _instant(zone: ZoneInfo, wall: datetime, fold: int) -> int:
    offset = zone.utcoffset(wall.replace(fold=fold))
    assert offset is not None
    return milliseconds(wall) - offset // _MILLISECOND


def end_of_day(zone: ZoneInfo, day: date) -> int:
    """The last second of a day: the one before the next midnight, or before the second one if that comes twice.

    Raises OverflowError for the last day that there is.
    """
    midnight = datetime.combine(day + timedelta(days=1), time())
    return max(_instant(zone, midnight, fold) for fold in (0, 1)) - 1000


def milliseconds(naive: datetime) -> int:
    return (naive - EPOCH) // _MILLISECOND
