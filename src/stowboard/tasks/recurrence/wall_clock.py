"""The time that a clock on the wall of a time zone shows."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1)
_MILLISECOND = timedelta(milliseconds=1)


def wall_of(zone: ZoneInfo, instant: int) -> datetime:
    return (EPOCH + instant * _MILLISECOND).replace(tzinfo=UTC).astimezone(zone).replace(tzinfo=None, fold=0)


def instant_of(zone: ZoneInfo, wall: datetime) -> int:
    """Fold 0 is PEP 495's word for both: the offset before a gap, and the first of two."""
    offset = zone.utcoffset(wall)
    assert offset is not None
    return milliseconds(wall) - offset // _MILLISECOND


def milliseconds(naive: datetime) -> int:
    return (naive - EPOCH) // _MILLISECOND
